package dev.postern.mcp.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.mcp.fixture.Gateway;
import dev.postern.mcp.fixture.LegacyAgent;
import dev.postern.mcp.fixture.ModernClient;
import dev.postern.mcp.fixture.ScriptedServer;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Interfaces, "Agent side (MCP)": tasks on the endpoint of all servers go to the server that made them. */
class TasksAmongAllTest {
    private static final String CALL = ",\"name\":\"b__t\",\"arguments\":{}";

    private final ScriptedServer other = ScriptedServer.legacy("{\"tools\":{}}");

    @Test
    void aModernTaskIsFollowedWhereItIs() throws Exception {
        ScriptedServer server = ScriptedServer.modern("{\"tools\":{}}")
                .on("tools/call", "\"result\":{\"resultType\":\"task\",\"taskId\":\"7\",\"status\":\"working\"}")
                .on("tasks/get", "\"result\":{\"resultType\":\"complete\",\"taskId\":\"7\",\"status\":\"completed\"}");
        try (Gateway gateway = Gateway.over(Map.of("a", other, "b", server));
                ModernClient client = new ModernClient(gateway, "/mcp")) {
            assertThat(client.call("tools/call", CALL).body()).contains("\"taskId\":\"7\"");
            assertThat(client.call("tasks/get", ",\"taskId\":\"7\"").body()).contains("\"completed\"");
            assertThat(client.call("tasks/get", ",\"taskId\":\"8\"").statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void aLegacyTaskIsFollowedWhereItIs() throws Exception {
        ScriptedServer server = ScriptedServer.legacy("{\"tools\":{}}")
                .on("tools/call", "\"result\":{\"task\":{\"taskId\":\"7\",\"status\":\"working\"}}")
                .on("tasks/result", "\"result\":{\"content\":[]}");
        try (Gateway gateway = Gateway.over(Map.of("a", other, "b", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp")) {
            agent.post("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"x\":1" + CALL + "}}");
            assertThat(agent.post(
                                    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tasks/result\",\"params\":{\"taskId\":\"7\"}}")
                            .body())
                    .contains("\"content\":[]");
        }
    }
}
