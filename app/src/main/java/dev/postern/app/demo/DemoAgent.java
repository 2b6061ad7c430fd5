package dev.postern.app.demo;

import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import dev.postern.mcp.wire.HeaderNames;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.MetaKeys;
import dev.postern.mcp.wire.ProtocolVersion;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** A small MCP client of protocol 2026-07-28: one POST a call, whose answer is JSON or a stream of events. */
final class DemoAgent implements AutoCloseable {
    private final HttpClient http = HttpClient.newHttpClient();
    private final URI endpoint;
    private final String key;

    DemoAgent(String endpoint, String key) {
        this.endpoint = URI.create(endpoint);
        this.key = key;
    }

    /** Calls a tool and gives its result. */
    JsonValue call(String tool, Map<String, String> arguments) throws IOException, InterruptedException {
        Map<String, Object> meta = new LinkedHashMap<>();
        meta.put(MetaKeys.PROTOCOL_VERSION, ProtocolVersion.MODERN);
        meta.put(MetaKeys.CLIENT_INFO, Map.of("name", "postern-demo", "version", "1"));
        meta.put(MetaKeys.CLIENT_CAPABILITIES, Map.of());
        meta.put(MetaKeys.PROGRESS_TOKEN, "demo");
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("name", tool);
        params.put("arguments", arguments);
        params.put(MetaKeys.META, meta);
        byte[] request =
                JsonRpc.request("1".getBytes(StandardCharsets.US_ASCII), "tools/call", JsonWriter.write(params));
        HttpResponse<byte[]> response = http.send(
                HttpRequest.newBuilder(endpoint)
                        .timeout(Duration.ofMinutes(6))
                        .header("Authorization", "Bearer " + key)
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .header(HeaderNames.PROTOCOL_VERSION, ProtocolVersion.MODERN)
                        .header(HeaderNames.METHOD, "tools/call")
                        .header(HeaderNames.NAME, tool)
                        .POST(BodyPublishers.ofByteArray(request))
                        .build(),
                BodyHandlers.ofByteArray());
        JsonValue answer = JsonValue.parse(message(response));
        JsonValue result = answer.member("result");
        if (result == null) {
            throw new IOException("the gateway answered with an error (HTTP " + response.statusCode() + ").");
        }
        return result;
    }

    /** The answer itself: progress notifications come before it in a stream. */
    private static byte[] message(HttpResponse<byte[]> response) {
        boolean stream =
                response.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream");
        if (!stream) {
            return response.body();
        }
        String last = "";
        for (String line : new String(response.body(), StandardCharsets.UTF_8).split("\n", -1)) {
            if (line.startsWith("data:")) {
                last = line.substring("data:".length()).strip();
            }
        }
        return last.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        http.close();
    }
}
