package dev.postern.mcp.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.JsonValue;
import dev.postern.mcp.catalog.Names;
import dev.postern.mcp.fixture.EventReader;
import dev.postern.mcp.fixture.Gateway;
import dev.postern.mcp.fixture.LegacyAgent;
import dev.postern.mcp.fixture.ModernClient;
import dev.postern.mcp.fixture.ScriptedServer;
import dev.postern.mcp.fixture.ScriptedServer.Asked;
import dev.postern.testkit.Await;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client and a server may do that few do: it works through the gateway as it does without. */
@Timeout(600)
class OddTrafficTest {
    private static final String ALL =
            "{\"tools\":{\"listChanged\":true},\"prompts\":{},\"resources\":{\"subscribe\":true},\"logging\":{}}";
    private static final String DONE = "\"result\":{\"content\":[]}";

    private static String request(String id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\"" + params + "}";
    }

    private static String call(String id, String tool) {
        return request(id, "tools/call", ",\"params\":{\"name\":\"" + tool + "\",\"arguments\":{}}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-1",
                "12345678901234567890123456789",
                "1.5",
                "1e3",
                "\"\"",
                "\"a b\"",
                "\"\\u0041\\/\\\"\"",
                "\"\u00e4\u20ac\ud83d\ude00\""
            })
    void anIdComesBackAsItWasSpelled(String id) throws Exception {
        ScriptedServer server = ScriptedServer.legacy(ALL).on("tools/call", DONE);
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s");
                LegacyAgent all = LegacyAgent.initialized(gateway, "/mcp")) {
            assertThat(agent.post(call(id, "t")).body()).contains("\"id\":" + id + ",\"result\"");
            assertThat(all.post(call(id, "s__t")).body()).contains("\"id\":" + id + ",\"result\"");
            assertThat(agent.post(request(id, "ping", "")).body()).contains("\"id\":" + id + ",");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"5|5", "\"a/A\"|\"\\u0061\\/A\"", "\"5\"|\"5\""})
    void aRequestIsCancelledByItsIdHoweverThatIsSpelled(String id, String spelled) throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        ScriptedServer server = ScriptedServer.legacy(ALL).on("tools/call", asked -> {
            running.countDown();
            asked.untilCancelled();
            return DONE;
        });
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            CompletableFuture<HttpResponse<String>> called = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> {
                try {
                    called.complete(agent.post(call(id, "t")));
                } catch (Exception e) {
                    called.completeExceptionally(e);
                }
            });
            running.await();
            agent.post("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":"
                    + spelled + "}}");
            assertThat(called.get(60, TimeUnit.SECONDS).body()).doesNotContain("\"result\"");
        }
    }

    /** Requests of one session run side by side, and the first that is done is answered first. */
    @Test
    void requestsOfOneSessionRunSideBySide() throws Exception {
        CyclicBarrier together = new CyclicBarrier(20);
        ScriptedServer server = ScriptedServer.legacy(ALL).on("tools/call", asked -> {
            try {
                together.await(60, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new IllegalStateException("they did not run side by side", e);
            }
            return "\"result\":{\"content\":[],\"seen\":" + asked.params() + "}";
        });
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp");
                ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                String id = Integer.toString(i);
                answers.add(each.submit(() -> agent.post(call(id, "s__t" + id)).body()));
            }
            for (int i = 0; i < 20; i++) {
                assertThat(answers.get(i).get()).contains("\"id\":" + i + ",", "\"name\":\"t" + i + "\"");
            }
        }
    }

    /** Modern requests share a connection to their server; their tokens are their own all the same. */
    @ParameterizedTest
    @ValueSource(strings = {"7", "\"7\"", "\"\u20ac\"", "1.0"})
    void equalProgressTokensOfTwoRequestsStayApart(String token) throws Exception {
        CyclicBarrier together = new CyclicBarrier(2);
        ScriptedServer server = ScriptedServer.modern(ALL).on("tools/call", asked -> {
            try {
                together.await(60, TimeUnit.SECONDS);
                asked.notify(
                        "notifications/progress",
                        "{\"progressToken\":" + token + ",\"progress\":1,\"message\":\""
                                + (asked.params().contains("\"one\"") ? "one" : "two") + "\"}");
                together.await(60, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new IllegalStateException("they did not run side by side", e);
            }
            return DONE;
        });
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                ModernClient client = new ModernClient(gateway, "/mcp/s");
                ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> bodies = new ArrayList<>();
            for (String name : List.of("one", "two")) {
                String params = "{" + client.meta(",\"progressToken\":" + token) + ",\"name\":\"" + name
                        + "\",\"arguments\":{}}";
                bodies.add(each.submit(() -> client.send(client.request(client.message("tools/call", params)))
                        .body()));
            }
            assertThat(bodies.getFirst().get())
                    .contains("\"progressToken\":" + token, "\"message\":\"one\"")
                    .doesNotContain("\"two\"");
            assertThat(bodies.getLast().get())
                    .contains("\"progressToken\":" + token, "\"message\":\"two\"")
                    .doesNotContain("\"one\"");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "\\\"'&=?%00", "\\u0000\\n\\t", "\u00e4\u20ac\ud83d\ude00", ""})
    void aServersCursorComesBackAsItGaveIt(String cursor) throws Exception {
        ScriptedServer server = ScriptedServer.legacy(ALL)
                .on(
                        "tools/list",
                        asked -> asked.params().contains("cursor")
                                ? "\"result\":{\"tools\":[{\"name\":\"second\"}]}"
                                : "\"result\":{\"tools\":[{\"name\":\"first\"}],\"nextCursor\":\"" + cursor + "\"}");
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp")) {
            String first = agent.post(request("1", "tools/list", "")).body();
            assertThat(first).contains("s__first", "nextCursor");
            String next = first.replaceAll("(?s).*\"nextCursor\":\"([^\"]*)\".*", "$1");
            assertThat(agent.post(request("2", "tools/list", ",\"params\":{\"cursor\":\"" + next + "\"}"))
                            .body())
                    .contains("s__second");
            String asked = server.asked("tools/list").getLast().params();
            assertThat(JsonValue.parse(asked.getBytes(StandardCharsets.UTF_8)).string("cursor"))
                    .isEqualTo(JsonValue.parse(("\"" + cursor + "\"").getBytes(StandardCharsets.UTF_8))
                            .string());
        }
    }

    /** A name that had to be cut is found on whichever page of the server's list it stands. */
    @Test
    void aLongNameOnALaterPageIsFound() throws Exception {
        String name = "a-name-that-is-much-too-long-".repeat(4);
        ScriptedServer server = ScriptedServer.legacy(ALL);
        for (String kind : List.of("tools", "prompts")) {
            server.on(
                    kind + "/list",
                    asked -> asked.params().contains("cursor")
                            ? "\"result\":{\"" + kind + "\":[{\"name\":\"" + name + "\"}]}"
                            : "\"result\":{\"" + kind + "\":[{\"name\":\"x\"}],\"nextCursor\":\"2\"}");
        }
        server.on("tools/call", DONE).on("prompts/get", "\"result\":{\"messages\":[]}");
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp")) {
            String cut = Names.qualified("s", name);
            assertThat(cut).hasSize(60);
            assertThat(agent.post(call("1", cut)).body()).contains("\"content\":[]");
            assertThat(server.asked("tools/call").getFirst().params()).contains("\"" + name + "\"");
            assertThat(agent.post(request("2", "prompts/get", ",\"params\":{\"name\":\"" + cut + "\"}"))
                            .body())
                    .contains("\"messages\":[]");
            assertThat(server.asked("prompts/get").getFirst().params()).contains("\"" + name + "\"");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",\"params\":{}", ",\"params\":{\"_meta\":{}}", ",\"params\":{\"x\":null}"})
    void paramsMayBeEmptyOrMissing(String params) throws Exception {
        ScriptedServer server = ScriptedServer.legacy(ALL)
                .on(
                        "x/unknown",
                        asked -> "\"result\":{\"seen\":\"" + asked.params().length() + "\"}");
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            int length = params.isEmpty() ? 0 : params.length() - ",\"params\":".length();
            assertThat(agent.post(request("1", "x/unknown", params)).body()).contains("\"seen\":\"" + length + "\"");
        }
    }

    @Test
    void aLevelThatIsNoneIsRefused() throws Exception {
        ScriptedServer server = ScriptedServer.legacy(ALL)
                .on("logging/setLevel", "\"error\":{\"code\":-32602,\"message\":\"the server's own words\"}");
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent all = LegacyAgent.initialized(gateway, "/mcp");
                LegacyAgent one = LegacyAgent.initialized(gateway, "/mcp/s")) {
            String silly = request("1", "logging/setLevel", ",\"params\":{\"level\":\"silly\"}");
            assertThat(all.post(silly).body()).contains("-32602", "emergency");
            assertThat(one.post(silly).body()).contains("-32602", "the server's own words");
        }
    }

    /** What a server offers after it died and was started again may be something else; nobody else would tell. */
    @Test
    void aServerThatStartsAgainIsAskedAnewForWhatItHadPromised() throws Exception {
        ScriptedServer server = ScriptedServer.legacy(ALL)
                .on("tools/call", DONE)
                .on("tools/list", "\"result\":{\"tools\":[{\"name\":\"t\"}]}")
                .on("logging/setLevel", "\"result\":{}")
                .on("resources/subscribe", "\"result\":{}")
                .on("resources/unsubscribe", "\"result\":{}");
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            EventReader events = new EventReader(agent.stream(agent.request().GET()));
            agent.post(request("1", "logging/setLevel", ",\"params\":{\"level\":\"debug\"}"));
            agent.post(request("2", "resources/subscribe", ",\"params\":{\"uri\":\"x://a\"}"));
            agent.post(request("3", "resources/subscribe", ",\"params\":{\"uri\":\"x://b\"}"));
            agent.post(request("4", "resources/unsubscribe", ",\"params\":{\"uri\":\"x://b\"}"));
            server.lastConnection().crash();
            assertThat(agent.post(call("5", "t")).body()).contains("\"content\":[]");
            assertThat(events.next()).contains("notifications/tools/list_changed");
            assertThat(events.next()).contains("notifications/prompts/list_changed");
            assertThat(events.next()).contains("notifications/resources/list_changed");
            Await.until(
                    "the new process knows what is wanted",
                    () -> askedOf(server, "resources/subscribe") == 1 && askedOf(server, "logging/setLevel") == 1);
            assertThat(server.asked("resources/subscribe").getLast().params()).contains("x://a");
            server.lastConnection().say("notifications/resources/updated", "{\"uri\":\"x://a\"}", null);
            assertThat(events.next()).contains("notifications/resources/updated");
        }
    }

    private static long askedOf(ScriptedServer server, String method) {
        return server.asked(method).stream()
                .map(Asked::connection)
                .filter(server.lastConnection()::equals)
                .count();
    }

    @Test
    void aModernClientHearsOfAServerThatStartedAgain() throws Exception {
        ScriptedServer server = ScriptedServer.legacy(ALL).on("tools/call", DONE);
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                ModernClient client = new ModernClient(gateway, "/mcp")) {
            String wanted = ",\"notifications\":{\"toolsListChanged\":true}";
            EventReader events = new EventReader(
                    client.stream(client.request(client.message("subscriptions/listen", client.params(wanted)))));
            assertThat(events.next()).contains("acknowledged");
            server.lastConnection().crash();
            assertThat(client.call("tools/call", ",\"name\":\"s__t\",\"arguments\":{}")
                            .body())
                    .contains("\"content\":[]");
            assertThat(events.next()).contains("notifications/tools/list_changed");
        }
    }

    /** The call fails, and the client need not ask its user any more. */
    @Test
    void aServerThatDiesWhileTheClientIsAskedTakesItsQuestionBack() throws Exception {
        ScriptedServer server = ScriptedServer.legacy(ALL);
        server.on("tools/call", asked -> {
            Thread.ofVirtual().start(() -> asked.ask("\"q\"", "elicitation/create", "{\"message\":\"?\"}"));
            asked.untilCancelled();
            return DONE;
        });
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            EventReader listening = new EventReader(agent.stream(agent.request().GET()));
            EventReader events =
                    new EventReader(agent.stream(agent.request().POST(BodyPublishers.ofString(call("1", "t")))));
            String question = events.next();
            assertThat(question).contains("elicitation/create");
            String id = question.replaceAll(".*\"id\":(\\d+).*", "$1");
            server.lastConnection().crash();
            assertThat(listening.next()).contains("notifications/cancelled", "\"requestId\":" + id);
        }
    }

    /** The server that listed it first does not have it any more; another one has. */
    @Test
    void aResourceThatMovedToAnotherServerIsFoundThere() throws Exception {
        ScriptedServer first = ScriptedServer.legacy(ALL)
                .on("resources/list", "\"result\":{\"resources\":[{\"uri\":\"x://moved\",\"name\":\"m\"}]}")
                .on("resources/read", "\"result\":{\"contents\":[],\"by\":\"first\"}");
        ScriptedServer second = ScriptedServer.legacy(ALL)
                .on("resources/list", "\"result\":{\"resources\":[]}")
                .on("resources/read", "\"error\":{\"code\":-32002,\"message\":\"not here\"}");
        Map<String, ScriptedServer> servers = new LinkedHashMap<>();
        servers.put("a", first);
        servers.put("b", second);
        try (Gateway gateway = Gateway.over(servers);
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp")) {
            String read = request("2", "resources/read", ",\"params\":{\"uri\":\"x://moved\"}");
            agent.post(request("1", "resources/list", ""));
            assertThat(agent.post(read).body()).contains("\"by\":\"first\"");
            first.on("resources/read", "\"error\":{\"code\":-32002,\"message\":\"gone from here\"}");
            assertThat(agent.post(read).body()).contains("gone from here");
            second.on("resources/read", "\"result\":{\"contents\":[],\"by\":\"second\"}");
            assertThat(agent.post(read).body()).contains("\"by\":\"second\"");
        }
    }

    @Test
    void oneAgentsRequestsDeclareOnlySoManyDifferentCapabilities() throws Exception {
        ScriptedServer server = ScriptedServer.modern(ALL).on("tools/call", DONE);
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                ModernClient client = new ModernClient(gateway, "/mcp/s");
                ModernClient other = new ModernClient(gateway, "/mcp/s").as(gateway.addAgent("other"))) {
            String call = ",\"name\":\"t\",\"arguments\":{}";
            for (int i = 0; i < 64; i++) {
                client.can("{\"x\":" + i + "}");
                assertThat(client.call("tools/call", call).body()).contains("\"content\":[]");
            }
            assertThat(client.can("{\"x\":64}").call("tools/call", call).body())
                    .contains("\"error\"", "64 different client capabilities");
            assertThat(client.can("{\"x\":63}").call("tools/call", call).body()).contains("\"content\":[]");
            assertThat(other.can("{\"x\":64}").call("tools/call", call).body()).contains("\"content\":[]");
            assertThat(server.connections()).hasSize(65);
        }
    }

    /** More than fits is left out, the oldest first; a question stays until it is answered. */
    @Test
    void whatNobodyListensToIsKeptUpToALimit() throws Exception {
        ScriptedServer server = ScriptedServer.legacy(ALL).on("tools/call", DONE);
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            CompletableFuture<String> answer =
                    server.lastConnection().asking("\"q\"", "elicitation/create", "{\"message\":\"?\"}", null);
            String large = "z".repeat(1 << 20);
            for (int i = 0; i < 40; i++) {
                server.lastConnection()
                        .say(
                                "notifications/resources/updated",
                                "{\"uri\":\"" + i + "\",\"x\":\"" + large + "\"}",
                                null);
            }
            EventReader events = new EventReader(agent.stream(agent.request().GET()));
            List<String> heard = new ArrayList<>();
            while (heard.isEmpty() || !heard.getLast().contains("\"uri\":\"39\"")) {
                heard.add(events.next());
            }
            assertThat(heard).hasSizeBetween(10, 17);
            String question = heard.stream()
                    .filter(message -> message.contains("elicitation/create"))
                    .findFirst()
                    .orElseThrow();
            String id = question.replaceAll(".*\"id\":(\\d+).*", "$1");
            agent.post("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"action\":\"decline\"}}");
            assertThat(answer.get(60, TimeUnit.SECONDS)).contains("decline");
        }
    }
}
