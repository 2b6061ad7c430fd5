package dev.postern.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.call.Disposition;
import dev.postern.mcp.fixture.EventReader;
import dev.postern.mcp.fixture.Gateway;
import dev.postern.mcp.fixture.LegacyAgent;
import dev.postern.mcp.fixture.ScriptedServer;
import dev.postern.mcp.relay.RelaySettings;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Interfaces, "Agent side (MCP)"; R8. */
class LegacyHttpTest {
    private static final String TOOLS = "{\"tools\":{\"listChanged\":true}}";
    private static final String ODD =
            "{\"n\": 1e400, \"n\": 1.0, \"s\":\"\\u0041\\/\",\n\t\"deep\":[ {} , [ ] ],\"é\":\"\\ud83d\\ude00\"}";

    private final ScriptedServer echo = ScriptedServer.legacy(TOOLS)
            .on(
                    "tools/list",
                    "\"result\":{\"tools\":[{\"name\":\"echo\",\"x-odd\": 1.50,\"inputSchema\":{\"type\":\"object\"}}],\"x-more\":\"\\u0041\"}")
            .on("tools/call", "\"result\":{\"content\":[ ], \"odd\": 1E+2 , \"structuredContent\":" + ODD + "}");

    @Test
    @DisplayName("R8: a call without references and its result are the same bytes on both sides")
    void aCallWithoutReferencesPassesByteForByte() throws Exception {
        try (Gateway gateway = Gateway.over(Map.of("echo", echo));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/echo")) {
            String params = "{\"name\":\"echo\" ,\"arguments\": " + ODD + ",\"x-unknown\":{\"a\":1e400}}";
            HttpResponse<String> answer = agent.post(
                    "{\"jsonrpc\":\"2.0\",\"id\":\"a-7\",\"method\":\"tools/call\",\"params\":" + params + "}");
            assertThat(echo.asked("tools/call").getFirst().params()).isEqualTo(params);
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
            assertThat(answer.body())
                    .isEqualTo("{\"jsonrpc\":\"2.0\", \"id\":\"a-7\",\"result\":{\"content\":[ ], \"odd\": 1E+2 , "
                            + "\"structuredContent\":" + ODD + "}}");
        }
    }

    @Test
    void anAnswerThatTakesItsTimeComesOnAStreamThatHasBegunBefore() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        echo.on("tools/call", asked -> {
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return "\"result\":{\"content\":[ ]}";
        });
        try (Gateway gateway = Gateway.over(Map.of("echo", echo), RelaySettings.DEFAULTS, McpSettings.DEFAULTS);
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/echo")) {
            HttpResponse<Stream<String>> answer = agent.stream(agent.request()
                    .POST(BodyPublishers.ofString("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
                            + "\"params\":{\"name\":\"echo\",\"arguments\":{}}}")));
            assertThat(answer.headers().firstValue("Content-Type")).contains("text/event-stream");
            goOn.countDown();
            assertThat(new EventReader(answer).next()).endsWith("\"id\":1,\"result\":{\"content\":[ ]}}");
        }
    }

    @Test
    void oneServerIsGreetedListedAndCalledUnderItsOwnNames() throws Exception {
        try (Gateway gateway = Gateway.over(Map.of("echo", echo));
                LegacyAgent agent = new LegacyAgent(gateway.uri("/mcp/echo"), Gateway.KEY)) {
            HttpResponse<String> greeting = agent.initialize("2025-06-18");
            assertThat(greeting.body())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocolVersion\":\"2025-06-18\","
                            + "\"capabilities\":" + TOOLS + ",\"serverInfo\":{\"name\":\"scripted\",\"version\":\"1\"},"
                            + "\"x-unknown\":  1e400}}");
            assertThat(echo.lastConnection().face().capabilities().spelling()).contains("\"elicitation\"");
            assertThat(answer(agent, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}"))
                    .isEqualTo(
                            "{\"jsonrpc\":\"2.0\", \"id\":1,\"result\":{\"tools\":[{\"name\":\"echo\",\"x-odd\": 1.50,"
                                    + "\"inputSchema\":{\"type\":\"object\"}}],\"x-more\":\"\\u0041\"}}");
        }
    }

    @Test
    void allServersAreOneUnderPrefixedNamesNextToOurOwnTools() throws Exception {
        Map<String, ScriptedServer> servers = new LinkedHashMap<>();
        servers.put("zeta", echo);
        servers.put(
                "alpha",
                ScriptedServer.legacy(TOOLS)
                        .on("tools/list", "\"result\":{\"tools\":[{\"description\":\"d\" ,\"name\":\"e__x\"}]}")
                        .on("tools/call", "\"result\":{\"content\":[]}"));
        ScriptedServer broken = ScriptedServer.legacy(TOOLS);
        broken.breakDown("it does not start");
        servers.put("broken", broken);
        try (Gateway gateway = Gateway.over(servers);
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp")) {
            String list = answer(agent, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
            assertThat(list).contains("{\"name\":\"vault_list\"", "{\"name\":\"secret_search\"");
            assertThat(list)
                    .endsWith(",{\"name\":\"zeta__echo\",\"x-odd\": 1.50,\"inputSchema\":{\"type\":\"object\"}},"
                            + "{\"description\":\"d\" ,\"name\":\"alpha__e__x\"}]}}");
            agent.post("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"arguments\":{ },"
                    + "\"name\" : \"alpha__e__x\"}}");
            assertThat(servers.get("alpha").asked("tools/call").getFirst().params())
                    .isEqualTo("{\"arguments\":{ },\"name\" : \"e__x\"}");
        }
    }

    @Test
    @DisplayName("contract 2: a refused call is a result that says what to do")
    void aRefusedCallIsAResultThatSaysWhatToDo() throws Exception {
        try (Gateway gateway = Gateway.over(Map.of("echo", echo));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/echo")) {
            String body = answer(
                    agent,
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
                            + "{\"name\":\"echo\",\"arguments\":{\"a\":\"{{vault:nope}}\"}}}");
            assertThat(body)
                    .startsWith("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"")
                    .contains("\"text\":\"SECRET_UNRESOLVED: ", "\"isError\":true", "\"dev.postern/refusal\":{")
                    .contains("\"disposition\":\"SECRET_UNRESOLVED\"");
            assertThat(echo.asked("tools/call")).isEmpty();
            assertThat(gateway.ledger().getFirst().disposition()).isEqualTo(Disposition.SECRET_UNRESOLVED);
        }
    }

    @Test
    void aSecretReachesTheServerInPlaceOfItsReference() throws Exception {
        try (Gateway gateway = Gateway.over(Map.of("echo", echo));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp")) {
            gateway.addSecret("db", "correct-horse");
            agent.post("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
                    + "{\"name\":\"echo__echo\", \"arguments\" : {\"a\":\"{{vault:db}}\" }, \"x\":1}}");
            assertThat(echo.asked("tools/call").getFirst().params())
                    .isEqualTo("{\"name\":\"echo\", \"arguments\" : {\"a\":\"correct-horse\" }, \"x\":1}");
            assertThat(echo.asked().getFirst().method())
                    .as("listed before the first call")
                    .isEqualTo("tools/list");
        }
    }

    /** The answer's bytes, in a stream of events where it took its time. */
    private static String answer(LegacyAgent agent, String request) throws IOException, InterruptedException {
        return LegacyAgent.messages(agent.post(request)).getLast();
    }
}
