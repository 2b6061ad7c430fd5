package dev.postern.app.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;

/** An agent that calls tools over MCP while a person sits at the portal. */
final class PortalAgent implements AutoCloseable {
    private final HttpClient http = HttpClient.newHttpClient();
    private final URI endpoint;
    private final String key;
    private final String session;
    private final AtomicInteger ids = new AtomicInteger();

    PortalAgent(String url, String key) throws IOException, InterruptedException {
        this.endpoint = URI.create(url + "/mcp");
        this.key = key;
        HttpResponse<String> greeted = post(
                "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
                        + "\"capabilities\":{},\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}}");
        this.session = greeted.headers().firstValue("Mcp-Session-Id").orElseThrow();
        post("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", "Mcp-Session-Id", session);
    }

    /** What the tools are now, as a client asks from time to time. */
    String list() throws IOException, InterruptedException {
        return post(
                        "{\"jsonrpc\":\"2.0\",\"id\":" + ids.incrementAndGet()
                                + ",\"method\":\"tools/list\",\"params\":{}}",
                        "Mcp-Session-Id",
                        session)
                .body();
    }

    /** Calls a tool on a thread of its own; gives the result as it was written. */
    CompletableFuture<String> call(String tool, String arguments) {
        CompletableFuture<String> result = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                result.complete(post(
                                "{\"jsonrpc\":\"2.0\",\"id\":" + ids.incrementAndGet()
                                        + ",\"method\":\"tools/call\",\"params\":{\"name\":"
                                        + JsonStrings.quote(tool) + ",\"arguments\":" + arguments + "}}",
                                "Mcp-Session-Id",
                                session)
                        .body());
            } catch (IOException | InterruptedException e) {
                result.completeExceptionally(new CompletionException(e));
            }
        });
        return result;
    }

    /** Has the built-in echo repeat a text. */
    CompletableFuture<String> echo(String text) {
        return call("playground__echo", "{\"text\":" + JsonStrings.quote(text) + "}");
    }

    /** The text of the first block of an answer, whatever it was wrapped in. */
    static String text(String answer) {
        String json = answer;
        for (String line : answer.split("\n", -1)) {
            if (line.startsWith("data:") && !line.substring(5).isBlank()) {
                json = line.substring(5).strip();
            }
        }
        JsonValue content = JsonValue.parse(json.getBytes(UTF_8)).path("result", "content");
        return content == null
                ? json
                : String.valueOf(content.elements().getFirst().string("text"));
    }

    private HttpResponse<String> post(String message, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint)
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(BodyPublishers.ofString(message));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
