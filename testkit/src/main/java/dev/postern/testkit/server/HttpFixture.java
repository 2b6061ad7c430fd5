package dev.postern.testkit.server;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An MCP server over HTTP, in this process, that does what the called tool's name says. Text is ISO 8859-1, a character
 * a byte. Everything it was sent stays in {@link #received()}.
 */
public final class HttpFixture implements AutoCloseable {
    /** What it speaks. */
    public enum Speech {
        LEGACY,
        MODERN,
        /** HTTP+SSE of 2024-11-05: a stream by GET, answers on it. */
        OLDER
    }

    /**
     * One request that came in.
     *
     * @param headers with the names in lower case
     */
    public record Received(String method, String path, Map<String, String> headers, String body) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Speech speech;
    private final List<Received> received = new ArrayList<>();
    private final Set<String> sessions = ConcurrentHashMap.newKeySet();
    private final BlockingQueue<String> unasked = new LinkedBlockingQueue<>();
    /** The older transport's streams, by what the endpoint they name has as its query. */
    private final Map<String, BlockingQueue<String>> streams = new ConcurrentHashMap<>();

    private final ConcurrentLinkedQueue<String> held = new ConcurrentLinkedQueue<>();
    private final BlockingQueue<String> clientAnswers = new LinkedBlockingQueue<>();
    private final AtomicInteger openStreams = new AtomicInteger();
    private final CountDownLatch dropped = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile int chunkBytes = Integer.MAX_VALUE;
    private volatile String lineEnd = "\n";
    private volatile @Nullable URI redirect;
    private volatile int redirectStatus;

    /** Starts one on a free port of the loopback. */
    public HttpFixture(Speech speech) throws IOException {
        this.speech = speech;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/mcp");
    }

    /** What came in so far, in its order. */
    public List<Received> received() {
        synchronized (received) {
            return List.copyOf(received);
        }
    }

    public Set<String> sessions() {
        return sessions;
    }

    /** Streams leave in pieces of so many bytes. */
    public HttpFixture cutting(int bytes, String newLineEnd) {
        chunkBytes = bytes;
        lineEnd = newLineEnd;
        return this;
    }

    /** Answers everything under {@code /mcp} with a redirect. */
    public HttpFixture redirecting(int status, URI target) {
        redirect = target;
        redirectStatus = status;
        return this;
    }

    /** Says something on the stream the client opened. */
    public void say(String message) {
        unasked.add(message);
    }

    /** How many streams, opened by GET, clients keep open. */
    public int openStreams() {
        return openStreams.get();
    }

    /** Waits until a client has dropped a response stream. */
    public boolean awaitDrop() throws InterruptedException {
        return dropped.await(60, TimeUnit.SECONDS);
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            Map<String, String> headers = new ConcurrentHashMap<>();
            exchange.getRequestHeaders()
                    .forEach((name, values) ->
                            headers.put(name.toLowerCase(java.util.Locale.ROOT), String.join(", ", values)));
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1);
            Received request = new Received(
                    exchange.getRequestMethod(), exchange.getRequestURI().getPath(), headers, body);
            synchronized (received) {
                received.add(request);
            }
            URI target = redirect;
            if (target != null && exchange.getRequestURI().getPath().equals("/mcp")) {
                exchange.getResponseHeaders().set("Location", target.toString());
                exchange.sendResponseHeaders(redirectStatus, -1);
                return;
            }
            switch (exchange.getRequestMethod()) {
                case "POST" -> post(exchange, headers, body);
                case "GET" -> get(exchange, headers);
                case "DELETE" -> {
                    sessions.remove(headers.getOrDefault("mcp-session-id", ""));
                    status(exchange, speech == Speech.LEGACY ? 200 : 405);
                }
                default -> status(exchange, 405);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void post(HttpExchange exchange, Map<String, String> headers, String body)
            throws IOException, InterruptedException {
        if (speech == Speech.OLDER && exchange.getRequestURI().getPath().equals("/mcp")) {
            status(exchange, 404);
            return;
        }
        Map<String, String> message = Members.of(body);
        String id = message.get("id");
        String method = message.containsKey("method") ? Members.unquote(message.get("method")) : "";
        String params = message.getOrDefault("params", "{}");
        if (method.isEmpty() || id == null) {
            if (method.isEmpty()) {
                clientAnswers.add(body);
            }
            status(exchange, 202);
            return;
        }
        Answer answer = new Answer(exchange, id);
        if (speech == Speech.MODERN) {
            modern(answer, headers, method, params);
        } else if (method.equals("initialize")) {
            String session = "session-" + System.nanoTime();
            if (speech == Speech.LEGACY) {
                sessions.add(session);
                exchange.getResponseHeaders().set("Mcp-Session-Id", session);
            }
            answer.result("{\"protocolVersion\":\"" + (speech == Speech.OLDER ? "2024-11-05" : "2025-06-18")
                    + "\",\"capabilities\":{},\"serverInfo\":{\"name\":\"fixture\",\"version\":\"1\"}}");
        } else if (speech == Speech.LEGACY && !headers.containsKey("mcp-session-id")) {
            answer.status(
                    400,
                    "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32000,\"message\":\"Bad Request: Server not initialized\"},\"id\":null}");
        } else if (speech == Speech.LEGACY && !sessions.contains(headers.get("mcp-session-id"))) {
            answer.status(
                    404,
                    "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32001,\"message\":\"Session not found\"},\"id\":null}");
        } else {
            act(answer, method, params);
        }
    }

    private void modern(Answer answer, Map<String, String> headers, String method, String params)
            throws IOException, InterruptedException {
        String meta = Members.of(params).getOrDefault("_meta", "{}");
        String version = Members.of(meta).get("io.modelcontextprotocol/protocolVersion");
        if (method.equals("initialize")) {
            answer.status(404, answer.message("\"error\":{\"code\":-32601,\"message\":\"no\"}"));
        } else if (version == null
                || !Members.unquote(version).equals(headers.get("mcp-protocol-version"))
                || !method.equals(headers.get("mcp-method"))) {
            answer.status(400, answer.message("\"error\":{\"code\":-32020,\"message\":\"Header mismatch\"}"));
        } else if (method.equals("server/discover")) {
            answer.result("{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{}}");
        } else {
            act(answer, method, params);
        }
    }

    private void act(Answer answer, String method, String params) throws IOException, InterruptedException {
        Map<String, String> members = Members.of(params);
        Map<String, String> arguments = Members.of(members.getOrDefault("arguments", "{}"));
        String name = members.containsKey("name") ? Members.unquote(members.get("name")) : method;
        switch (name) {
            case "mirror" -> answer.result("{\"seen\":" + params + "}");
            case "say" ->
                answer.body(
                        200,
                        Members.unquote(arguments.getOrDefault("text", "0")).replace("$ID", answer.id));
            case "say-events" ->
                answer.events(
                        Members.unquote(arguments.getOrDefault("text", "0")).replace("$ID", answer.id));
            case "mirror-events" -> {
                answer.event("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"n\":1.0}}");
                answer.event(answer.message("\"result\":{\"seen\":" + params + "}"));
            }
            case "status" -> answer.status(Integer.parseInt(arguments.getOrDefault("code", "0")), "plain words");
            case "error" ->
                answer.status(
                        Integer.parseInt(arguments.getOrDefault("code", "0")),
                        answer.message("\"error\":{\"code\":-32601,\"message\":\"no\"}"));
            case "accept" -> answer.status(202, "");
            case "cut-off" -> answer.event("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}");
            case "resume" -> {
                held.add(answer.message("\"result\":{\"resumed\":true}"));
                answer.events("id: e-1" + lineEnd + "retry: 10" + lineEnd + "data:" + lineEnd + lineEnd);
            }
            case "hang" -> over.await();
            case "hang-events" -> answer.keepAliveUntilDropped();
            case "large" ->
                answer.result("\"" + "x".repeat(Integer.parseInt(arguments.getOrDefault("bytes", "0"))) + "\"");
            case "large-event" ->
                answer.event(answer.message(
                        "\"result\":\"" + "x".repeat(Integer.parseInt(arguments.getOrDefault("bytes", "0"))) + "\""));
            case "ask" -> {
                answer.event(
                        "{\"jsonrpc\":\"2.0\",\"id\":\"ask-1\",\"method\":\"elicitation/create\",\"params\":{\"odd\":1e400}}");
                String said = clientAnswers.poll(20, TimeUnit.SECONDS);
                answer.event(answer.message("\"result\":{\"answer\":" + said + "}"));
            }
            case "forget" -> {
                sessions.clear();
                answer.result("{}");
            }
            default ->
                answer.status(
                        speech == Speech.MODERN ? 404 : 200,
                        answer.message("\"error\":{\"code\":-32601,\"message\":\"no\"}"));
        }
    }

    private void get(HttpExchange exchange, Map<String, String> headers) throws IOException, InterruptedException {
        if (speech == Speech.MODERN) {
            status(exchange, 405);
            return;
        }
        Answer stream = new Answer(exchange, "none");
        if (headers.containsKey("last-event-id")) {
            String answer = held.poll();
            if (answer == null) {
                status(exchange, 400);
            } else {
                stream.event(answer);
            }
            return;
        }
        BlockingQueue<String> messages = unasked;
        String greeting = ":" + lineEnd;
        if (speech == Speech.OLDER) {
            messages = new LinkedBlockingQueue<>();
            String query = "s=" + System.nanoTime();
            streams.put(query, messages);
            greeting = "event: endpoint" + lineEnd + "data: /messages?" + query + lineEnd + lineEnd;
        }
        openStreams.incrementAndGet();
        try {
            stream.events(greeting);
            while (over.getCount() > 0) {
                String message = messages.poll(50, TimeUnit.MILLISECONDS);
                stream.events(message == null ? ":" + lineEnd : stream.framed(message));
            }
        } finally {
            openStreams.decrementAndGet();
        }
    }

    private static void status(HttpExchange exchange, int status) throws IOException {
        exchange.sendResponseHeaders(status, -1);
    }

    @Override
    public void close() {
        over.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    /** The response to one request; a stream once the first event is sent. */
    private final class Answer {
        private final HttpExchange exchange;
        private final String id;
        private @Nullable OutputStream stream;

        Answer(HttpExchange exchange, String id) {
            this.exchange = exchange;
            this.id = id;
        }

        String message(String member) {
            return "{\"jsonrpc\":\"2.0\",\"id\":" + id + "," + member + "}";
        }

        void result(String result) throws IOException {
            body(200, message("\"result\":" + result));
        }

        void status(int status, String text) throws IOException {
            body(status, text);
        }

        void body(int status, String text) throws IOException {
            if (speech == Speech.OLDER) {
                streams.getOrDefault(exchange.getRequestURI().getQuery(), unasked)
                        .add(text);
                exchange.sendResponseHeaders(202, -1);
                return;
            }
            byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
            Headers headers = exchange.getResponseHeaders();
            headers.set("Content-Type", "application/json; charset=utf-8");
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            if (bytes.length > 0) {
                exchange.getResponseBody().write(bytes);
            }
        }

        String framed(String message) {
            return "data: " + message + lineEnd + lineEnd;
        }

        void event(String message) throws IOException {
            events(framed(message));
        }

        void events(String text) throws IOException {
            OutputStream out = stream;
            if (out == null) {
                exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
                exchange.sendResponseHeaders(200, 0);
                out = exchange.getResponseBody();
                stream = out;
            }
            byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
            for (int at = 0; at < bytes.length; ) {
                int length = Math.min(chunkBytes, bytes.length - at);
                out.write(bytes, at, length);
                out.flush();
                at += length;
            }
        }

        void keepAliveUntilDropped() throws InterruptedException {
            try {
                while (!over.await(20, TimeUnit.MILLISECONDS)) {
                    events(":" + lineEnd);
                }
            } catch (IOException gone) {
                dropped.countDown();
            }
        }
    }
}
