package dev.postern.mcp.client;

import dev.postern.gate.upstream.UpstreamException;
import dev.postern.gate.upstream.UpstreamException.Kind;
import dev.postern.json.JsonValue;
import dev.postern.mcp.wire.Era;
import dev.postern.mcp.wire.HeaderNames;
import dev.postern.mcp.wire.HeaderParameters;
import dev.postern.mcp.wire.HeaderValue;
import dev.postern.mcp.wire.MalformedMessageException;
import dev.postern.mcp.wire.Message;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One request over HTTP: its POST, and the response it brings, be it one JSON message or a stream of events. */
final class HttpExchange {
    private static final long TRAILING_MILLIS = 1000;
    private static final long FIRST_RETRY_MILLIS = 500;
    private static final long LONGEST_RETRY_MILLIS = 30_000;
    private static final int MAX_ERROR_BYTES = 1 << 20;

    private final HttpLink link;
    private final OpenRequest request;
    private final byte[] message;
    private volatile HttpSender.Flight flight = new HttpSender.Flight();
    private final CountDownLatch ended = new CountDownLatch(1);

    HttpExchange(HttpLink link, OpenRequest request, byte[] message) {
        this.link = link;
        this.request = request;
        this.message = message;
    }

    /** Closes the connection. */
    void end() {
        ended.countDown();
        flight.end();
    }

    void run() {
        if (!mayBeCalled()) {
            request.fail(
                    Kind.FAILED,
                    "the tool's definition marks a parameter with x-mcp-header where none may be marked, so it cannot be"
                            + " called over HTTP");
            return;
        }
        try {
            HttpResponse<InputStream> response = link.sender()
                    .send("POST", link.target(), message, link.headers(request.method(), mirrored()), flight);
            read(response);
        } catch (HttpFailureException e) {
            fail(e);
        } catch (IOException e) {
            request.fail(Kind.FAILED, "the connection to the server broke before it answered");
        } catch (RuntimeException e) {
            request.fail(Kind.FAILED, "the server's response cannot be read");
        } finally {
            Arrays.fill(message, (byte) 0);
            flight.end();
        }
    }

    private void fail(HttpFailureException e) {
        UpstreamException why = new UpstreamException(Kind.FAILED, e.what(), e.isUnreachable());
        if (e.isUnreachable()) {
            request.failHopelessly(why);
        } else {
            request.fail(why);
        }
    }

    /** A tool whose marks are wrong is not to be called (2026-07-28, Streamable HTTP, "Custom Headers from Tool Parameters"). */
    private boolean mayBeCalled() {
        return link.era() != Era.MODERN
                || request.inputSchema() == null
                || HeaderParameters.of(request.inputSchema()).isValid();
    }

    /** What a modern server wants repeated in headers: what is called, and the parameters that the tool marks. */
    private Map<String, String> mirrored() {
        JsonValue params = link.era() == Era.MODERN ? Message.parse(message).body() : null;
        if (params == null) {
            return Map.of();
        }
        Map<String, String> headers = new LinkedHashMap<>();
        String member = switch (request.method()) {
            case "tools/call", "prompts/get" -> "name";
            case "resources/read" -> "uri";
            case "tasks/get", "tasks/update", "tasks/cancel" -> "taskId";
            default -> null;
        };
        String name = member == null ? null : params.string(member);
        if (name != null) {
            headers.put(HeaderNames.NAME, HeaderValue.encode(name));
        }
        if (request.inputSchema() != null) {
            headers.putAll(HeaderParameters.of(request.inputSchema()).headers(params.member("arguments")));
        }
        return headers;
    }

    private void read(HttpResponse<InputStream> response) throws IOException, HttpFailureException {
        int status = response.statusCode();
        if (status >= 400) {
            refused(response);
            return;
        }
        if (request.method().equals("initialize")) {
            link.sessionFrom(response);
        }
        String type = response.headers().firstValue("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        if (type.startsWith("text/event-stream")) {
            stream(response.body());
        } else if (link.isOlderTransport()) {
            // The answer comes on the other stream.
            response.body().close();
        } else {
            byte[] body = readBody(response.body(), link.limits().maxMessageBytes());
            if (body == null) {
                request.fail(Kind.FAILED, "the server's answer is larger than the limit");
            } else if (body.length > 0) {
                link.inbox().message(body, request);
            }
            request.fail(Kind.FAILED, "the server took the request and did not answer it");
        }
    }

    /** Reads events until the answer has come, over as many connections as the server makes of it. */
    private void stream(InputStream first) throws IOException, HttpFailureException {
        EventStream events = new EventStream(link.limits().maxMessageBytes(), new EventStream.Sink() {
            @Override
            public void event(String type, byte[] data) {
                if (type.isEmpty()) {
                    link.inbox().message(data, request);
                    closeSoonIfAnswered();
                }
            }

            @Override
            public void oversized(TopLevelScan scan) {
                link.inbox().oversized(scan, request);
            }
        });
        boolean broken = !readAll(events, first);
        while (!request.isDone() && !events.lastEventId().isEmpty() && link.era() == Era.LEGACY) {
            flight = new HttpSender.Flight();
            if (!broken) {
                link.inbox().paused(request, Duration.ofMillis(retryMillis(events)));
            }
            if (endedBefore(events) || request.isDone()) {
                return;
            }
            HttpResponse<InputStream> resumed = link.get(events.lastEventId(), flight);
            if (resumed.statusCode() != 200) {
                break;
            }
            broken = !readAll(events, resumed.body());
        }
        request.fail(
                Kind.FAILED,
                broken
                        ? "the connection to the server broke before it answered"
                        : "the server ended the stream before it answered");
    }

    private static boolean readAll(EventStream events, InputStream body) {
        try (body) {
            events.readAll(body);
            return true;
        } catch (IOException broken) {
            return false;
        }
    }

    private static long retryMillis(EventStream events) {
        return events.retryMillis() < 0 ? FIRST_RETRY_MILLIS : Math.min(events.retryMillis(), LONGEST_RETRY_MILLIS);
    }

    /** Waits as long as the server asks before a stream is taken up again. */
    private boolean endedBefore(EventStream events) {
        try {
            return ended.await(retryMillis(events), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** After the answer the server ends the stream, which keeps the connection; one that does not is cut off. */
    private void closeSoonIfAnswered() {
        if (request.isDone()) {
            HttpSender.Flight answered = flight;
            CompletableFuture.delayedExecutor(TRAILING_MILLIS, TimeUnit.MILLISECONDS)
                    .execute(() -> Thread.ofVirtual().start(answered::end));
        }
    }

    private void refused(HttpResponse<InputStream> response) throws IOException {
        int status = response.statusCode();
        byte[] body = readBody(response.body(), MAX_ERROR_BYTES);
        Message error = error(body);
        boolean namesNoRequest =
                error != null && (error.id() == null || error.id().is(JsonValue.Kind.NULL));
        if (link.hasSession() && (status == 404 || (status == 400 && namesNoRequest))) {
            request.neverArrived();
            link.sessionIsOver();
        } else if (status == 401 || status == 403) {
            request.failHopelessly(new UpstreamException(
                    Kind.FAILED,
                    "the server does not accept the credentials (HTTP " + status + ")"
                            + link.sender().remedy(),
                    true));
        } else if (mayBeOlder(status, error) && link.turnToOlderTransport()) {
            HttpExchange again = new HttpExchange(link, request, message.clone());
            again.run();
        } else if (error != null && body != null) {
            link.inbox().message(body, request);
            request.fail(Kind.FAILED, "the server's answer is not a valid message");
        } else {
            request.fail(Kind.FAILED, "the server answered with HTTP status " + status);
        }
    }

    /**
     * These answers to {@code initialize} call for a GET, unless they carry an error that only a modern server gives
     * (2026-07-28, Streamable HTTP, "HTTP+SSE Transport").
     */
    private boolean mayBeOlder(int status, @Nullable Message error) {
        return request.method().equals("initialize")
                && !link.isOlderTransport()
                && (status == 400 || status == 404 || status == 405)
                && (error == null || !Handshake.isModernError(error));
    }

    private static @Nullable Message error(byte @Nullable [] body) {
        try {
            Message message = body == null ? null : Message.parse(body);
            return message != null && message.type() == Message.Type.ERROR ? message : null;
        } catch (MalformedMessageException e) {
            return null;
        }
    }

    /** The body; null if it is larger than the limit. */
    private static byte @Nullable [] readBody(InputStream stream, int maxBytes) throws IOException {
        try (stream) {
            byte[] body = stream.readNBytes(maxBytes);
            return body.length == maxBytes && stream.read() >= 0 ? null : body;
        }
    }
}
