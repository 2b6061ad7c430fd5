package dev.postern.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.json.JsonValue;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Calls of the 2026-07-28 era that wait at the same time, each on a connection and a virtual thread of its own, for as long as it takes. */
final class ManyCalls implements AutoCloseable {
    private static final int UNAUTHORIZED = 401;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicInteger ids = new AtomicInteger();
    private final URI endpoint;

    ManyCalls(RunningGateway gateway) {
        this.endpoint = URI.create(gateway.url() + "/mcp");
    }

    /** Calls a tool and gives its result; null where the gateway does not know the agent any more. */
    @Nullable
    JsonValue call(String key, String tool, String arguments) throws IOException, InterruptedException {
        return call(key, tool, arguments, "{}", "");
    }

    /**
     * As {@link #call(String, String, String)}, with what the client can do, and further members of the params, each with a comma
     * before it.
     */
    @Nullable
    JsonValue call(String key, String tool, String arguments, String capabilities, String members)
            throws IOException, InterruptedException {
        String request = "{\"jsonrpc\":\"2.0\",\"id\":" + ids.incrementAndGet()
                + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool + "\",\"arguments\":" + arguments
                + members
                + ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"test\",\"version\":\"1\"},"
                + "\"io.modelcontextprotocol/clientCapabilities\":" + capabilities + "}}}";
        HttpResponse<byte[]> answer = http.send(
                HttpRequest.newBuilder(endpoint)
                        .header("Authorization", "Bearer " + key)
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .header("MCP-Protocol-Version", "2026-07-28")
                        .header("Mcp-Method", "tools/call")
                        .header("Mcp-Name", tool)
                        .POST(BodyPublishers.ofByteArray(request.getBytes(UTF_8)))
                        .build(),
                BodyHandlers.ofByteArray());
        if (answer.statusCode() == UNAUTHORIZED) {
            return null;
        }
        JsonValue response = Agent.responseIn(answer);
        JsonValue result = response.member("result");
        if (result == null) {
            throw new AssertionError("an error instead of a result: " + response.spelling());
        }
        return result;
    }

    /** Runs something that calls on a virtual thread. */
    static <T> CompletableFuture<T> later(Callable<T> calling) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                result.complete(calling.call());
            } catch (Exception | AssertionError e) {
                result.completeExceptionally(new CompletionException(e));
            }
        });
        return result;
    }

    /** Waits until all of these wait for approval; one that ends before fails the test with what it ended with. */
    static void awaitWaiting(RunningGateway gateway, List<? extends CompletableFuture<?>> calls) {
        CompletableFuture<Boolean> waiting = later(() -> {
            gateway.awaitApprovals(calls.size());
            return true;
        });
        List<CompletableFuture<?>> either = new ArrayList<>(calls);
        either.add(waiting);
        Object first = CompletableFuture.anyOf(either.toArray(CompletableFuture[]::new))
                .join();
        if (!waiting.isDone()) {
            throw new AssertionError("a call was not held: " + first);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
