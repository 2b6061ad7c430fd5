package dev.postern.mcp.client;

import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Sends the HTTP requests of one conversation, with the configured headers. Redirects are followed within the origin
 * only: neither the headers nor the body, which may both hold values, go anywhere the operator did not name.
 * Thread-safe.
 */
final class HttpSender {
    private static final int MAX_REDIRECTS = 5;

    private final HttpClient client;
    private final Map<String, SecretValue> configured;
    private final @Nullable Authorization authorization;

    /** @param authorization the credential; null where the configured headers have it, or there is none */
    HttpSender(HttpClient client, Map<String, SecretValue> configured, @Nullable Authorization authorization) {
        this.client = client;
        this.configured = configured;
        this.authorization = authorization;
    }

    /** What the operator can do where the server does not accept the credentials; empty if nothing is known. */
    String remedy() {
        return authorization == null ? "" : "; " + authorization.remedy();
    }

    /** A request under way, so that another thread can end it: before its response, or while its body is read. */
    static final class Flight {
        private boolean ended;
        private @Nullable CompletableFuture<?> response;
        private @Nullable InputStream body;

        /** Closes the connection, which is how the other side learns of it. */
        synchronized void end() {
            ended = true;
            if (response != null) {
                response.cancel(true);
            }
            if (body != null) {
                close(body);
            }
        }

        synchronized boolean hasEnded() {
            return ended;
        }

        private synchronized void awaits(CompletableFuture<?> newResponse) {
            response = newResponse;
            if (ended) {
                newResponse.cancel(true);
            }
        }

        private synchronized void reads(InputStream newBody) {
            body = newBody;
            if (ended) {
                close(newBody);
            }
        }

        private static void close(InputStream stream) {
            try {
                stream.close();
            } catch (IOException alreadyBroken) {
                // Closed is what it should be.
            }
        }
    }

    /**
     * Sends a request and waits for the head of its response; the caller reads and closes the body.
     *
     * @param body null for a request without one
     * @param headers ours; they win over configured ones
     */
    HttpResponse<InputStream> send(
            String method, URI target, byte @Nullable [] body, Map<String, String> headers, Flight flight)
            throws HttpFailureException {
        Authorization credential = authorization;
        if (credential == null) {
            return follow(method, target, body, headers, flight, null);
        }
        for (int attempt = 0; ; attempt++) {
            try (SecretValue header = credential.header()) {
                HttpResponse<InputStream> response = follow(method, target, body, headers, flight, header);
                int status = response.statusCode();
                if ((status != 401 && status != 403)
                        || !credential.refused(
                                status, Authorization.challenge(response.headers()), attempt == 0 ? header : null)) {
                    return response;
                }
                Flight.close(response.body());
            }
        }
    }

    private HttpResponse<InputStream> follow(
            String method,
            URI target,
            byte @Nullable [] body,
            Map<String, String> headers,
            Flight flight,
            @Nullable SecretValue header)
            throws HttpFailureException {
        URI next = target;
        for (int i = 0; i <= MAX_REDIRECTS; i++) {
            HttpResponse<InputStream> response = sendOnce(method, next, body, headers, flight, header);
            if (response.statusCode() / 100 != 3) {
                return response;
            }
            Flight.close(response.body());
            next = redirected(response, next);
        }
        throw new HttpFailureException("the server redirects in circles", true);
    }

    private static URI redirected(HttpResponse<?> response, URI from) throws HttpFailureException {
        int status = response.statusCode();
        String location = response.headers().firstValue("Location").orElse("");
        // The other codes turn a POST into a GET.
        if ((status != 307 && status != 308) || location.isEmpty()) {
            throw new HttpFailureException("the server answered with a redirect that cannot be followed", true);
        }
        URI next;
        try {
            next = from.resolve(location);
        } catch (IllegalArgumentException e) {
            throw new HttpFailureException("the server answered with a redirect that cannot be followed", true);
        }
        if (!isSameOrigin(from, next)) {
            throw new HttpFailureException(
                    "the server redirects to another origin, which is not followed; configure its new address", true);
        }
        return next;
    }

    static boolean isSameOrigin(URI a, URI b) {
        return a.getScheme().equalsIgnoreCase(String.valueOf(b.getScheme()))
                && a.getHost().equalsIgnoreCase(String.valueOf(b.getHost()))
                && port(a) == port(b);
    }

    private static int port(URI uri) {
        return uri.getPort() >= 0 ? uri.getPort() : uri.getScheme().equalsIgnoreCase("https") ? 443 : 80;
    }

    private HttpResponse<InputStream> sendOnce(
            String method,
            URI target,
            byte @Nullable [] body,
            Map<String, String> headers,
            Flight flight,
            @Nullable SecretValue header)
            throws HttpFailureException {
        HttpRequest request = request(method, target, body, headers, header);
        CompletableFuture<HttpResponse<InputStream>> future = client.sendAsync(request, BodyHandlers.ofInputStream());
        flight.awaits(future);
        try {
            HttpResponse<InputStream> response = future.get();
            flight.reads(response.body());
            return response;
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } catch (CancellationException e) {
            throw new HttpFailureException("the request was given up", false);
        } catch (InterruptedException e) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            throw new HttpFailureException("the request was given up", false);
        }
    }

    private HttpRequest request(
            String method,
            URI target,
            byte @Nullable [] body,
            Map<String, String> headers,
            @Nullable SecretValue header)
            throws HttpFailureException {
        try {
            HttpRequest.Builder builder = HttpRequest.newBuilder(target)
                    // A server without TLS may not take the offer to upgrade a POST.
                    .version(
                            "https".equalsIgnoreCase(target.getScheme())
                                    ? HttpClient.Version.HTTP_2
                                    : HttpClient.Version.HTTP_1_1)
                    .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
                    .setHeader("User-Agent", "postern");
            configured.forEach((name, value) -> builder.setHeader(name, text(value)));
            if (header != null) {
                builder.setHeader("Authorization", text(header));
            }
            headers.forEach(builder::setHeader);
            return builder.build();
        } catch (IllegalStateException e) {
            throw new HttpFailureException("the connection to the server is closed", true);
        } catch (IllegalArgumentException e) {
            // Its text quotes the header, which may hold a value.
            throw new HttpFailureException("the server's address or a header of it is not allowed in HTTP", true);
        }
    }

    private static String text(SecretValue value) {
        byte[] bytes = value.reveal(Reveal.TO_DELIVER);
        try {
            for (byte b : bytes) {
                if (b < ' ' && b != '\t') {
                    throw new IllegalArgumentException("a header holds printable ASCII only");
                }
            }
            return new String(bytes, StandardCharsets.US_ASCII);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private static HttpFailureException failure(@Nullable Throwable cause) {
        return switch (cause) {
            case ConnectException e -> new HttpFailureException("the server cannot be reached", true);
            case SSLException e -> new HttpFailureException("no secure connection to the server could be made", true);
            case null, default ->
                new HttpFailureException("the connection to the server broke before it answered", false);
        };
    }
}
