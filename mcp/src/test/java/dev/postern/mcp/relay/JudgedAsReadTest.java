package dev.postern.mcp.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.call.Disposition;
import dev.postern.mcp.fixture.Gateway;
import dev.postern.mcp.fixture.LegacyAgent;
import dev.postern.mcp.fixture.ModernClient;
import dev.postern.mcp.fixture.ScriptedServer;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No server is led to make another call than was judged, nor one that was not judged at all: servers read JSON and JSON-RPC more
 * leniently than each other.
 */
class JudgedAsReadTest {
    private final ScriptedServer server = ScriptedServer.legacy("{\"tools\":{}}")
            .on("tools/list", "\"result\":{\"tools\":[]}")
            .on("tools/call", "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"../../etc/shadow\"}]}");
    private Gateway gateway;

    @BeforeEach
    void start() throws Exception {
        gateway = Gateway.over(Map.of("s", server));
        gateway.policies().apply("""
                        {"tools":{"s__drop":"DENY"},
                         "agents":{"tester":{"allow":["s__say","postern__**",
                           {"tool":"s__read","where":{"/path":"/srv/*"}}]}}}""".getBytes(UTF_8), "operator");
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    /** Readers that match members without case take the last that fits: Go's, .NET's and Jackson's, where told to. */
    @ParameterizedTest
    @DisplayName("P10: a member of params in another case is refused, wherever it stands")
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"name\":\"say\",\"Name\":\"drop\",\"arguments\":{}}|'name'",
                "{\"NAME\":\"drop\",\"name\":\"say\",\"arguments\":{}}|'name'",
                "{\"name\":\"say\",\"\\u004eame\":\"drop\",\"arguments\":{}}|'name'",
                "{\"name\":\"read\",\"arguments\":{\"path\":\"/srv/a\"},\"Arguments\":{\"path\":\"/etc\"}}|'arguments'",
                "{\"name\":\"read\",\"arguments\":{\"path\":\"/srv/a\"},\"argument\\u017f\":{\"path\":\"/etc\"}}|'arguments'",
                "{\"name\":\"say\",\"_meta\":{},\"_META\":{}}|'_meta'",
                "{\"name\":\"say\",\"Task\":{}}|'task'",
                "{\"name\":\"say\",\"requestState\":\"a\",\"requeststate\":\"b\"}|'requestState'",
                "{\"name\":\"say\",\"requestState\":\"a\",\"requestState\":\"b\"}|params.requestState",
            })
    void membersInAnotherCase(String params, String said) throws Exception {
        try (LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            String answer = agent.post(
                            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":" + params + "}")
                    .body();
            assertThat(answer).contains("-32602", said);
        }
        assertThat(server.asked("tools/call")).isEmpty();
    }

    @ParameterizedTest
    @DisplayName(
            "P10: what an argument must look like holds for members in another case too; the right one must be there")
    @ValueSource(
            strings = {
                "{\"path\":\"/srv/a\",\"Path\":\"/etc\"}",
                "{\"PATH\":\"/etc\",\"path\":\"/srv/a\"}",
                "{\"Path\":\"/srv/a\"}",
            })
    void argumentsInAnotherCase(String arguments) throws Exception {
        try (LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            assertThat(agent.post(
                                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"read\","
                                            + "\"arguments\":" + arguments + "}}")
                            .body())
                    .contains("POLICY_DENIED", "'/path'");
        }
        assertThat(server.asked("tools/call")).isEmpty();
    }

    @Test
    @DisplayName("P10: what an argument must look like holds for what an earlier step puts into it")
    void argumentsThatAStepFills() throws Exception {
        try (ModernClient agent = new ModernClient(gateway, "/mcp")) {
            String answer = agent.call(
                            "tools/call",
                            ",\"name\":\"execute_tools\",\"arguments\":{\"steps\":[{\"tool\":\"s__say\"},"
                                    + "{\"tool\":\"s__read\",\"arguments\":{\"path\":\"/srv/{{step:1}}\"}}]}")
                    .body();
            assertThat(answer).contains("POLICY_DENIED", "'/path'");
        }
        assertThat(server.asked("tools/call")).hasSize(1);
        assertThat(gateway.ledger())
                .anySatisfy(entry -> assertThat(entry.disposition()).isEqualTo(Disposition.POLICY_DENIED));
    }

    /** Many a server does what a message asks for, and only then looks whether somebody wants to hear of it. */
    @ParameterizedTest
    @DisplayName("L1, P10: a call without an id reaches no server, by whichever way it comes")
    @ValueSource(strings = {"tools/call", "tools/list", "TOOLS/CALL", "prompts/get", "x"})
    void callsThatAreNotifications(String method) throws Exception {
        String call =
                "{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\",\"params\":{\"name\":\"drop\",\"arguments\":{}}}";
        for (String path : new String[] {"/mcp", "/mcp/s"}) {
            try (LegacyAgent agent = LegacyAgent.initialized(gateway, path);
                    LegacyAgent batching = new LegacyAgent(gateway.uri(path), Gateway.KEY);
                    ModernClient modern = new ModernClient(gateway, path)) {
                agent.post("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
                assertThat(agent.post(call).statusCode()).isEqualTo(400);
                batching.initialize("2025-03-26");
                batching.post("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
                assertThat(batching.post("[" + call + "]").body()).contains("give a request an id");
                assertThat(batching.post("[{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}," + call + "]")
                                .statusCode())
                        .isEqualTo(400);
                modern.call("tools/list", "");
                assertThat(modern.send(modern.request(
                                        call.replace("\"params\":{", "\"params\":{" + modern.meta("") + ",")))
                                .statusCode())
                        .isEqualTo(400);
            }
        }
        assertThat(server.told()).noneMatch(told -> told.startsWith(method + " "));
    }

    @ParameterizedTest
    @DisplayName("P10: a call whose method is spelled otherwise is none")
    @ValueSource(strings = {"tools/Call", "TOOLS/CALL", "tools/call ", " tools/call", "tool\u017f/call"})
    void methodsInAnotherSpelling(String method) throws Exception {
        try (LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            assertThat(agent.post("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method
                                    + "\",\"params\":{\"name\":\"drop\",\"arguments\":{}}}")
                            .body())
                    .contains("-32601");
        }
        assertThat(server.asked(method)).isEmpty();
    }
}
