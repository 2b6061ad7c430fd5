package dev.postern.mcp.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.JsonValue;
import dev.postern.mcp.fixture.Gateway;
import dev.postern.mcp.fixture.LegacyAgent;
import dev.postern.mcp.fixture.ModernClient;
import dev.postern.mcp.fixture.ScriptedServer;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What servers ask of clients: sampling, elicitation and roots, in each era and from one to the other. */
class ServerInitiatedTest {
    private static final String TOOLS = "{\"tools\":{}}";
    private static final String CALL =
            "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"t\","
                    + "\"arguments\":{\"a\": 1.0}}}";
    private static final String DONE = "\"result\":{\"resultType\":\"complete\",\"content\":[ ]}";

    private static String member(String message, String... path) {
        JsonValue value =
                JsonValue.parse(message.getBytes(StandardCharsets.UTF_8)).path(path);
        return value == null ? "" : value.is(JsonValue.Kind.STRING) ? value.string() : value.spelling();
    }

    @Test
    void aLegacyServersQuestionReachesTheClientAndTheAnswerTheServer() throws Exception {
        String[] answered = new String[1];
        ScriptedServer server = ScriptedServer.legacy(TOOLS).on("tools/call", asked -> {
            answered[0] = asked.ask("\"srv-1\"", "sampling/createMessage", "{\"x\": 1e400}");
            return "\"result\":{\"content\":[]}";
        });
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            List<String> messages = agent.converse(CALL, "{\"role\":\"assistant\", \"odd\":1.50}");
            assertThat(messages).hasSize(2);
            assertThat(messages.getFirst())
                    .isEqualTo(
                            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"sampling/createMessage\",\"params\":{\"x\": 1e400}}");
            assertThat(answered[0])
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"role\":\"assistant\", \"odd\":1.50}}");
        }
    }

    @Test
    void questionsOfTwoServersUnderTheSameIdStayApart() throws Exception {
        ScriptedServer.Script asking = asked -> {
            String answer = asked.ask("1", "elicitation/create", "{\"message\":\"m\"}");
            return "\"result\":{\"content\":[],\"heard\":" + member(answer, "result") + "}";
        };
        Map<String, ScriptedServer> servers = Map.of(
                "a", ScriptedServer.legacy(TOOLS).on("tools/call", asking),
                "b", ScriptedServer.legacy(TOOLS).on("tools/call", asking));
        try (Gateway gateway = Gateway.over(servers);
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp")) {
            String first = agent.converse(CALL.replace("\"t\"", "\"a__t\""), "{\"from\":1}")
                    .toString();
            String second = agent.converse(CALL.replace("\"t\"", "\"b__t\""), "{\"from\":2}")
                    .toString();
            assertThat(first).contains("\"id\":1,\"method\"", "\"heard\":{\"from\":1}");
            assertThat(second).contains("\"id\":2,\"method\"", "\"heard\":{\"from\":2}");
        }
    }

    @Test
    @DisplayName("S1: between modern sides the state travels as a handle and comes back as it was")
    void aModernServersStateComesBackAsItWas() throws Exception {
        ScriptedServer server = ScriptedServer.modern(TOOLS)
                .on(
                        "tools/call",
                        asked -> asked.params().contains("inputResponses")
                                ? DONE
                                : "\"result\":{\"resultType\":\"input_required\",\"requestState\":\"st\\u0061te\",\"inputRequests\":"
                                        + "{\"k\":{\"method\":\"roots/list\"}}}");
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                ModernClient client = new ModernClient(gateway, "/mcp/s").can("{\"roots\":{}}")) {
            String first = client.call("tools/call", ",\"name\":\"t\",\"arguments\":{}")
                    .body();
            String handle = member(first, "result", "requestState");
            assertThat(handle).startsWith("postern.");
            String further = ",\"name\":\"t\",\"arguments\":{},\"inputResponses\":{\"k\":{ }},\"requestState\":\"";
            HttpResponse<String> second = client.call("tools/call", further + handle + "\"");
            assertThat(server.asked("tools/call").getLast().params()).endsWith(further + "st\\u0061te\"}");
            assertThat(second.body()).contains("\"resultType\":\"complete\"");
            assertThat(client.call("tools/call", further + handle + "x\"").body())
                    .contains("\"code\":-32602");
        }
    }

    @Test
    @DisplayName("P7: a further round of an approved call needs no second approval, but another call does")
    void aFurtherRoundIsTheSameCall() throws Exception {
        ScriptedServer server = ScriptedServer.modern(TOOLS)
                .on("tools/list", "\"result\":{\"tools\":[{\"name\":\"t\"}]}")
                .on(
                        "tools/call",
                        asked -> asked.params().contains("inputResponses")
                                ? DONE
                                : "\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{}}");
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                ModernClient client = new ModernClient(gateway, "/mcp/s")) {
            gateway.addSecret("db", "correct-horse");
            String call = ",\"name\":\"t\",\"arguments\":{\"a\":\"{{vault:db}}\"}";
            String handle = member(client.call("tools/call", call).body(), "result", "requestState");
            gateway.approving(false);
            String round = ",\"inputResponses\":{},\"requestState\":\"" + handle + "\"";
            assertThat(client.call("tools/call", call + round).body()).contains("\"resultType\":\"complete\"");
            assertThat(server.asked("tools/call").getLast().params())
                    .contains("\"a\":\"correct-horse\"")
                    .as("the server gave no state")
                    .doesNotContain("requestState");
            assertThat(gateway.approvals().pending()).isEmpty();
            assertThat(gateway.ledger()).hasSize(2);
        }
    }

    @Test
    void aModernServersNeedBecomesQuestionsToALegacyClient() throws Exception {
        ScriptedServer server = ScriptedServer.modern(TOOLS)
                .on(
                        "tools/call",
                        asked -> asked.params().contains("inputResponses")
                                ? DONE
                                : "\"result\":{\"resultType\":\"input_required\",\"requestState\":\"s\\u0031\",\"inputRequests\":"
                                        + "{\"k\\u0031\":{\"method\":\"elicitation/create\",\"params\":{\"message\": \"m\"}},"
                                        + "\"k2\":{\"method\":\"roots/list\"}}}");
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            List<String> messages = agent.converse(CALL, "{\"ok\": 1.0}");
            assertThat(messages)
                    .containsExactly(
                            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"message\": \"m\"}}",
                            "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"roots/list\"}",
                            "{\"jsonrpc\":\"2.0\", \"id\":5," + DONE + "}");
            assertThat(server.asked("tools/call").getLast().params())
                    .isEqualTo(
                            "{\"inputResponses\":{\"k\\u0031\":{\"ok\": 1.0},\"k2\":{\"ok\": 1.0}},\"requestState\":\"s\\u0031\","
                                    + "\"name\":\"t\",\"arguments\":{\"a\": 1.0}}");
        }
    }

    @Test
    void aLegacyServersQuestionMakesAModernClientComeBack() throws Exception {
        ScriptedServer server = ScriptedServer.legacy(TOOLS).on("tools/call", asked -> {
            String answer = asked.ask("\"x\"", "elicitation/create", "{\"message\": \"m\"}");
            asked.notify("notifications/progress", "{\"progressToken\":\"old\",\"progress\":1}");
            return "\"result\":{\"content\":[],\"heard\":" + member(answer, "result") + "}";
        });
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                ModernClient client = new ModernClient(gateway, "/mcp/s").can("{\"elicitation\":{}}")) {
            String call = ",\"name\":\"t\",\"arguments\":{\"a\": 1.0}";
            String first = client.call("tools/call", call).body();
            assertThat(first)
                    .contains("\"resultType\":\"input_required\"")
                    .contains(
                            "\"inputRequests\":{\"input-1\":{\"method\":\"elicitation/create\",\"params\":{\"message\": \"m\"}}}");
            String handle = member(first, "result", "requestState");
            String round =
                    ",\"requestState\":\"" + handle + "\",\"inputResponses\":{\"input-1\":{\"action\": \"accept\"}}";
            assertThat(client.call("tools/call", call.replace("1.0", "2.0") + round)
                            .body())
                    .as("another call does not inherit the answer")
                    .contains("\"code\":-32602");
            HttpResponse<String> second = client.call("tools/call", call + round);
            assertThat(LegacyAgent.messages(second).getLast())
                    .contains("\"id\":3", "\"heard\":{\"action\": \"accept\"}", "\"resultType\":\"complete\"");
            assertThat(server.asked("tools/call")).as("one call at the server").hasSize(1);
        }
    }

    @Test
    void whatALegacyServerSaysWhileTheClientIsAwayIsSaidWhenItComesBack() throws Exception {
        CountDownLatch away = new CountDownLatch(1);
        CountDownLatch said = new CountDownLatch(1);
        ScriptedServer server = ScriptedServer.legacy(TOOLS).on("tools/call", asked -> {
            Thread.ofVirtual().start(() -> {
                await(away);
                for (int i = 1; i <= 3; i++) {
                    asked.notify("notifications/progress", "{\"progressToken\":\"p\",\"progress\":" + i + "}");
                }
                said.countDown();
            });
            asked.ask("\"x\"", "elicitation/create", "{\"message\": \"m\"}");
            asked.notify("notifications/progress", "{\"progressToken\":\"p\",\"progress\":4}");
            return "\"result\":{\"content\":[]}";
        });
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                ModernClient client = new ModernClient(gateway, "/mcp/s").can("{\"elicitation\":{}}")) {
            String call = ",\"name\":\"t\",\"arguments\":{}";
            String handle = member(client.call("tools/call", call).body(), "result", "requestState");
            away.countDown();
            said.await();
            List<String> messages = LegacyAgent.messages(client.call(
                    "tools/call",
                    call + ",\"requestState\":\"" + handle
                            + "\",\"inputResponses\":{\"input-1\":{\"action\":\"accept\"}}"));
            assertThat(messages.stream().map(message -> member(message, "params", "progress")))
                    .containsExactly("1", "2", "3", "4", "");
        }
    }

    @Test
    void aModernClientIsNotAskedWhatItCannotAnswer() throws Exception {
        ScriptedServer server = ScriptedServer.legacy(TOOLS)
                .on(
                        "tools/call",
                        asked -> "\"result\":{\"content\":[],\"heard\":"
                                + member(asked.ask("1", "sampling/createMessage", "{}"), "error", "code") + "}");
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                ModernClient client = new ModernClient(gateway, "/mcp/s").can("{\"elicitation\":{}}")) {
            assertThat(client.call("tools/call", ",\"name\":\"t\",\"arguments\":{}")
                            .body())
                    .contains("\"heard\":-32601");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
