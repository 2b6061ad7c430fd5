package dev.postern.mcp.login;

import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.mcp.client.Authorization;
import dev.postern.mcp.client.OutgoingHttp;
import dev.postern.mcp.http.AddressGuard;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Requests to authorization servers: bounded in size and time, never redirected, and only to addresses nobody on the way can
 * read or change.
 */
final class Web implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int MAX_BYTES = 1 << 20;

    private final OutgoingHttp http = new OutgoingHttp("postern-login", PATIENCE);

    private final ScheduledExecutorService patience = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("postern-login-patience").factory());

    /** An answer; its body may hold tokens, and is the reader's to wipe. */
    record Answer(int status, byte[] body) {
        /** The body, JSON; null if it is none. */
        @Nullable
        JsonValue json() {
            try {
                return JsonValue.parse(body);
            } catch (JsonException e) {
                return null;
            }
        }

        @Override
        public String toString() {
            return "Answer[" + status + "]";
        }
    }

    /**
     * An address that somebody named; null if it may not be asked.
     *
     * @param from who named it: what is elsewhere does not lead to this machine without https
     */
    static @Nullable URI address(@Nullable String text, URI from) {
        URI address = address(text);
        boolean plain = address != null && "http".equals(address.getScheme());
        return plain && !AddressGuard.isHere(String.valueOf(from.getHost())) ? null : address;
    }

    /** An address that may be asked: https, or this machine; null for any other. */
    static @Nullable URI address(@Nullable String text) {
        try {
            URI uri = text == null ? null : new URI(text);
            if (uri == null || uri.getHost() == null || uri.getRawFragment() != null) {
                return null;
            }
            return AddressGuard.isTrusted(uri) ? uri : null;
        } catch (URISyntaxException e) {
            return null;
        }
    }

    /** A JSON document; empty if there is none. */
    Optional<JsonValue> document(URI place) {
        Answer answer = send(HttpRequest.newBuilder(place).header("Accept", "application/json"));
        return answer.status() == 200 ? Optional.ofNullable(answer.json()) : Optional.empty();
    }

    Answer post(URI place, Map<String, String> headers, byte[] body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(place).POST(BodyPublishers.ofByteArray(body));
        headers.forEach(request::setHeader);
        return send(request);
    }

    /** What a server says to a message without credentials: its challenge; null for none. Its body is not waited for. */
    @Nullable
    String challenge(URI endpoint, byte[] message) {
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(BodyPublishers.ofByteArray(message));
        try (Open open = open(request)) {
            return Authorization.challenge(open.response.headers());
        } catch (IOException e) {
            throw unreachable();
        }
    }

    private Answer send(HttpRequest.Builder request) {
        try (Open open = open(request)) {
            return new Answer(open.response.statusCode(), open.response.body().readNBytes(MAX_BYTES));
        } catch (IOException e) {
            throw unreachable();
        }
    }

    /** A response whose body is being read, for as long as patience lasts. */
    private record Open(HttpResponse<InputStream> response, ScheduledFuture<?> end) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            end.cancel(false);
            response.body().close();
        }
    }

    private Open open(HttpRequest.Builder request) throws IOException {
        try {
            HttpResponse<InputStream> response = http.client()
                    .send(
                            request.timeout(PATIENCE)
                                    .setHeader("User-Agent", "postern")
                                    .build(),
                            BodyHandlers.ofInputStream());
            return new Open(response, patience.schedule(() -> end(response), PATIENCE.toSeconds(), TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LoginException("the login was interrupted");
        }
    }

    private static void end(HttpResponse<InputStream> response) {
        try {
            response.body().close();
        } catch (IOException e) {
            // Closed is what it should be.
        }
    }

    private static LoginException unreachable() {
        return new LoginException("the authorization server, or the server's address, cannot be reached");
    }

    @Override
    public void close() {
        patience.shutdownNow();
        http.close();
    }
}
