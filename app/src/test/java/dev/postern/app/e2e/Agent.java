package dev.postern.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** An agent over HTTP, in either era, that keeps every byte it receives. Messages are written out, so that odd ones can be. */
abstract class Agent implements AutoCloseable {
    enum Era {
        LEGACY,
        MODERN;

        Agent connect(RunningGateway gateway, String key, String path) throws IOException, InterruptedException {
            return this == LEGACY ? new Legacy(gateway, key, path) : new Modern(gateway, key, path);
        }

        Agent connect(RunningGateway gateway) throws IOException, InterruptedException {
            return connect(gateway, gateway.key(), "/mcp");
        }
    }

    private final HttpClient http = HttpClient.newHttpClient();
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private final AtomicInteger ids = new AtomicInteger();
    private final URI endpoint;
    private final String key;

    private Agent(RunningGateway gateway, String key, String path) {
        this.endpoint = URI.create(gateway.url() + path);
        this.key = key;
    }

    /** Calls a tool and gives the result; fails on a JSON-RPC error. */
    final JsonValue call(String tool, String arguments) throws IOException, InterruptedException {
        JsonValue response = callRaw(tool, arguments);
        JsonValue result = response.member("result");
        if (result == null) {
            throw new AssertionError("an error instead of a result: " + response.spelling());
        }
        return result;
    }

    /** Calls a tool on a thread of its own. */
    final CompletableFuture<JsonValue> callLater(String tool, String arguments) {
        CompletableFuture<JsonValue> result = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                result.complete(call(tool, arguments));
            } catch (Exception | AssertionError e) {
                result.completeExceptionally(new CompletionException(e));
            }
        });
        return result;
    }

    /** Calls a tool and gives the whole response. */
    final JsonValue callRaw(String tool, String arguments) throws IOException, InterruptedException {
        return request("tools/call", tool, "\"name\":\"" + tool + "\",\"arguments\":" + arguments);
    }

    /** Sends a request of any kind and gives the whole response. */
    final JsonValue request(String method, String name, String params) throws IOException, InterruptedException {
        return responseIn(send(method, name, params));
    }

    /**
     * Sends a request of any kind.
     *
     * @param name the tool, prompt or URI it names; empty for none
     * @param params its members, without braces
     */
    abstract HttpResponse<byte[]> send(String method, String name, String params)
            throws IOException, InterruptedException;

    /** All that came from the gateway, headers included. */
    final synchronized byte[] received() {
        return received.toByteArray();
    }

    final int nextId() {
        return ids.incrementAndGet();
    }

    /** Opens a stream of what the gateway says by itself, whose body is read as it comes. */
    abstract HttpResponse<InputStream> listen() throws IOException, InterruptedException;

    /** As {@link #send}, with a body that is read as it comes; for a request whose answer takes time. */
    abstract HttpResponse<InputStream> streamed(String method, String name, String params)
            throws IOException, InterruptedException;

    final HttpResponse<InputStream> stream(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(
                request.uri(endpoint).header("Authorization", "Bearer " + key).build(), BodyHandlers.ofInputStream());
    }

    final HttpResponse<byte[]> post(String message, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint)
                .timeout(Duration.ofSeconds(PosternProcess.PATIENCE_SECONDS))
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(BodyPublishers.ofByteArray(message.getBytes(UTF_8)));
        if (headers.length > 0) {
            request.headers(headers);
        }
        HttpResponse<byte[]> response = http.send(request.build(), BodyHandlers.ofByteArray());
        synchronized (this) {
            received.writeBytes(response.headers().map().toString().getBytes(UTF_8));
            received.writeBytes(response.body());
        }
        return response;
    }

    /** The response to a request, wherever it stands: in a JSON body, or last in a stream of events. */
    static JsonValue responseIn(HttpResponse<byte[]> response) {
        String body = new String(response.body(), UTF_8);
        if (response.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream")) {
            String last = "";
            for (String line : body.split("\n", -1)) {
                if (line.startsWith("data:") && !line.substring(5).isBlank()) {
                    last = line.substring(5).strip();
                }
            }
            body = last;
        }
        if (body.isEmpty()) {
            throw new AssertionError("no answer; HTTP " + response.statusCode());
        }
        return JsonValue.parse(body.getBytes(UTF_8));
    }

    /** The text of a result's first block. */
    static String text(JsonValue result) {
        JsonValue content = result.member("content");
        return content == null || content.elements().isEmpty()
                ? ""
                : String.valueOf(content.elements().getFirst().string("text"));
    }

    /** The code of a refusal; null where the result is none. */
    static @Nullable String code(JsonValue result) {
        JsonValue refusal = result.path("_meta", "dev.postern/refusal");
        return refusal == null ? null : refusal.string("code");
    }

    @Override
    public void close() {
        http.close();
    }

    /** 2025-11-25: initialize, then a session. */
    private static final class Legacy extends Agent {
        private final String session;

        Legacy(RunningGateway gateway, String key, String path) throws IOException, InterruptedException {
            super(gateway, key, path);
            HttpResponse<byte[]> response = post("""
                    {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
                    "capabilities":{},"clientInfo":{"name":"test","version":"1"}}}""");
            session = response.headers()
                    .firstValue("Mcp-Session-Id")
                    .orElseThrow(() -> new AssertionError("no session: HTTP " + response.statusCode()));
            post(
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
                    "Mcp-Session-Id",
                    session,
                    "MCP-Protocol-Version",
                    "2025-11-25");
        }

        @Override
        HttpResponse<byte[]> send(String method, String name, String params) throws IOException, InterruptedException {
            String request = "{\"jsonrpc\":\"2.0\",\"id\":" + nextId() + ",\"method\":\"" + method + "\",\"params\":{"
                    + params + "}}";
            return post(request, "Mcp-Session-Id", session, "MCP-Protocol-Version", "2025-11-25");
        }

        @Override
        HttpResponse<InputStream> streamed(String method, String name, String params)
                throws IOException, InterruptedException {
            String request = "{\"jsonrpc\":\"2.0\",\"id\":" + nextId() + ",\"method\":\"" + method + "\",\"params\":{"
                    + params + "}}";
            return stream(HttpRequest.newBuilder()
                    .header("Content-Type", "application/json")
                    .header("Accept", "application/json, text/event-stream")
                    .header("Mcp-Session-Id", session)
                    .header("MCP-Protocol-Version", "2025-11-25")
                    .POST(BodyPublishers.ofString(request)));
        }

        @Override
        HttpResponse<InputStream> listen() throws IOException, InterruptedException {
            return stream(HttpRequest.newBuilder()
                    .header("Accept", "text/event-stream")
                    .header("Mcp-Session-Id", session)
                    .header("MCP-Protocol-Version", "2025-11-25")
                    .GET());
        }
    }

    /** 2026-07-28: every request for itself. */
    private static final class Modern extends Agent {
        Modern(RunningGateway gateway, String key, String path) {
            super(gateway, key, path);
        }

        @Override
        HttpResponse<byte[]> send(String method, String name, String params) throws IOException, InterruptedException {
            String request = message(method, params);
            return name.isEmpty()
                    ? post(request, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method)
                    : post(request, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method, "Mcp-Name", name);
        }

        @Override
        HttpResponse<InputStream> streamed(String method, String name, String params)
                throws IOException, InterruptedException {
            HttpRequest.Builder request = HttpRequest.newBuilder()
                    .header("Content-Type", "application/json")
                    .header("Accept", "application/json, text/event-stream")
                    .header("MCP-Protocol-Version", "2026-07-28")
                    .header("Mcp-Method", method)
                    .POST(BodyPublishers.ofString(message(method, params)));
            return stream(name.isEmpty() ? request : request.header("Mcp-Name", name));
        }

        private String message(String method, String params) {
            return "{\"jsonrpc\":\"2.0\",\"id\":" + nextId() + ",\"method\":\"" + method + "\",\"params\":{"
                    + params + (params.isEmpty() ? "" : ",")
                    + "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                    + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"test\",\"version\":\"1\"},"
                    + "\"io.modelcontextprotocol/clientCapabilities\":{}}}}";
        }

        @Override
        HttpResponse<InputStream> listen() throws IOException, InterruptedException {
            return streamed("subscriptions/listen", "", "\"notifications\":{\"toolsListChanged\":true}");
        }
    }
}
