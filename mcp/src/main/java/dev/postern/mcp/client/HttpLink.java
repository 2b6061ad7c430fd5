package dev.postern.mcp.client;

import dev.postern.gate.upstream.UpstreamException;
import dev.postern.gate.upstream.UpstreamException.Kind;
import dev.postern.mcp.wire.Era;
import dev.postern.mcp.wire.HeaderNames;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.ProtocolVersion;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server at a URL: Streamable HTTP of both eras, and the older HTTP+SSE where a server has nothing else. Each request
 * is a POST on a virtual thread of its own ({@link HttpExchange}); a legacy server also gets a stream to speak on by
 * itself ({@link ServerStream}).
 */
final class HttpLink implements Link {
    private static final Duration NOTIFICATION_PATIENCE = Duration.ofSeconds(30);
    private static final Duration GOODBYE_PATIENCE = Duration.ofSeconds(2);

    private final ServerSpec spec;
    private final URI endpoint;
    private final ConnectionLimits limits;
    private final HttpSender sender;
    private final Map<OpenRequest, HttpExchange> exchanges = new ConcurrentHashMap<>();
    private final Set<HttpSender.Flight> flights = ConcurrentHashMap.newKeySet();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Inbox inbox;
    private volatile Era era = Era.LEGACY;
    private volatile String version = ProtocolVersion.LEGACY;
    private volatile @Nullable String session;
    private volatile @Nullable ServerStream stream;
    /** Where to POST; elsewhere than the endpoint only with the older transport. */
    private volatile URI target;

    private volatile boolean closed;

    HttpLink(ServerSpec spec, ServerSpec.Http http, ConnectionLimits limits, HttpClient client) {
        this.spec = spec;
        this.endpoint = http.endpoint();
        this.target = http.endpoint();
        this.limits = limits;
        this.sender = new HttpSender(client, http.headers(), http.authorization());
    }

    @Override
    public void open(Inbox newInbox) {
        if (endpoint.getHost() == null || endpoint.getScheme() == null) {
            throw new UpstreamException(Kind.FAILED, "the server's address is no URL of a host", true);
        }
        inbox = newInbox;
    }

    @Override
    public void speak(Era newEra, String newVersion) {
        era = newEra;
        version = newVersion;
    }

    @Override
    public void ready() {
        if (era == Era.LEGACY && stream == null) {
            stream = listen();
        }
    }

    /** Opens the stream on which a legacy server speaks by itself. */
    ServerStream listen() {
        ServerStream opened = new ServerStream(this);
        start("listen", opened::run);
        return opened;
    }

    @Override
    public void send(OpenRequest request, byte[] message) {
        HttpExchange exchange = new HttpExchange(this, request, message);
        exchanges.put(request, exchange);
        start("request", () -> {
            try {
                exchange.run();
            } finally {
                exchanges.remove(request);
            }
        });
    }

    private void start(String what, Runnable work) {
        Thread thread = Thread.ofVirtual().name("postern-server-http-" + what).unstarted(() -> {
            try {
                work.run();
            } finally {
                threads.remove(Thread.currentThread());
            }
        });
        threads.add(thread);
        thread.start();
    }

    /** Notifications and answers keep their order with what the caller sends next: this waits until they are taken. */
    @Override
    public void send(byte[] message) {
        HttpSender.Flight flight = new HttpSender.Flight();
        Thread poster = Thread.ofVirtual().name("postern-server-http-notify").unstarted(() -> post(message, flight));
        threads.add(poster);
        poster.start();
        try {
            if (!poster.join(NOTIFICATION_PATIENCE)) {
                flight.end();
            }
        } catch (InterruptedException e) {
            flight.end();
            Thread.currentThread().interrupt();
        } finally {
            threads.remove(poster);
        }
    }

    private void post(byte[] message, HttpSender.Flight flight) {
        flights.add(flight);
        try {
            sender.send("POST", target, message, headers("", Map.of()), flight)
                    .body()
                    .close();
        } catch (HttpFailureException | java.io.IOException lost) {
            // A notification has no answer to fail; the next request shows what is wrong.
        } finally {
            flights.remove(flight);
            Arrays.fill(message, (byte) 0);
        }
    }

    @Override
    public void abandon(OpenRequest request) {
        HttpExchange exchange = exchanges.get(request);
        if (era == Era.LEGACY && !request.method().equals("initialize")) {
            // A dropped legacy stream says nothing.
            byte[] params = ("{\"requestId\":" + request.id() + "}").getBytes(StandardCharsets.US_ASCII);
            byte[] message = JsonRpc.notification("notifications/cancelled", params);
            start("cancel", () -> post(message, new HttpSender.Flight()));
        }
        if (exchange != null) {
            exchange.end();
        }
    }

    /** The headers of a POST; {@code method} is empty for what is no request, {@code mirrored} joins those of a modern one. */
    Map<String, String> headers(String method, Map<String, String> mirrored) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        headers.put("Accept", "application/json, text/event-stream");
        if (!method.equals("initialize")) {
            headers.put(HeaderNames.PROTOCOL_VERSION, version);
        }
        String current = session;
        if (era == Era.LEGACY && current != null) {
            headers.put(HeaderNames.SESSION_ID, current);
        }
        if (era == Era.MODERN && !method.isEmpty()) {
            headers.put(HeaderNames.METHOD, method);
            headers.putAll(mirrored);
        }
        return headers;
    }

    /** Opens an event stream by GET. */
    HttpResponse<InputStream> get(String lastEventId, HttpSender.Flight flight) throws HttpFailureException {
        Map<String, String> headers = headers("", Map.of());
        headers.remove("Content-Type");
        headers.put("Accept", "text/event-stream");
        if (!lastEventId.isEmpty()) {
            headers.put(HeaderNames.LAST_EVENT_ID, lastEventId);
        }
        return sender.send("GET", endpoint, null, headers, flight);
    }

    /** Keeps what an {@code initialize} response says of the session. */
    void sessionFrom(HttpResponse<?> response) {
        session = response.headers().firstValue(HeaderNames.SESSION_ID).orElse(null);
    }

    boolean hasSession() {
        return era == Era.LEGACY && session != null;
    }

    /** The server does not know the session any more: nothing more can be said in it. */
    void sessionIsOver() {
        session = null;
        inbox().ended("the server ended the session");
    }

    /**
     * Turns to the older transport, if the server speaks that: a GET whose first event names where to POST.
     *
     * @return whether it does
     */
    boolean turnToOlderTransport() {
        ServerStream opened = listen();
        stream = opened;
        URI named = opened.awaitEndpoint(limits.probe());
        if (named == null) {
            opened.end();
            stream = null;
            return false;
        }
        target = named;
        return true;
    }

    boolean isOlderTransport() {
        return !target.equals(endpoint);
    }

    Inbox inbox() {
        Inbox open = inbox;
        if (open == null) {
            throw new IllegalStateException("the link is not open");
        }
        return open;
    }

    URI endpoint() {
        return endpoint;
    }

    URI target() {
        return target;
    }

    HttpSender sender() {
        return sender;
    }

    ConnectionLimits limits() {
        return limits;
    }

    Era era() {
        return era;
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        exchanges.values().forEach(HttpExchange::end);
        flights.forEach(HttpSender.Flight::end);
        ServerStream open = stream;
        if (open != null) {
            open.end();
        }
        if (hasSession()) {
            sayGoodbye();
        }
        spec.wipe();
        for (Thread thread : threads) {
            try {
                if (thread != Thread.currentThread()) {
                    thread.join(GOODBYE_PATIENCE);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void sayGoodbye() {
        HttpSender.Flight flight = new HttpSender.Flight();
        CountDownLatch done = new CountDownLatch(1);
        Thread.ofVirtual().name("postern-server-http-goodbye").start(() -> {
            try {
                sender.send("DELETE", endpoint, null, headers("", Map.of()), flight)
                        .body()
                        .close();
            } catch (HttpFailureException | java.io.IOException unheard) {
                // The server will notice by itself.
            } finally {
                done.countDown();
            }
        });
        try {
            if (!done.await(GOODBYE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                flight.end();
            }
        } catch (InterruptedException e) {
            flight.end();
            Thread.currentThread().interrupt();
        }
    }
}
