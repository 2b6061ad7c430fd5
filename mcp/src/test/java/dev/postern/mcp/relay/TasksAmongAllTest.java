package dev.postern.mcp.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.mcp.fixture.EventReader;
import dev.postern.mcp.fixture.Gateway;
import dev.postern.mcp.fixture.LegacyAgent;
import dev.postern.mcp.fixture.ModernClient;
import dev.postern.mcp.fixture.ScriptedServer;
import java.util.LinkedHashMap;
import java.util.List;
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

    @Test
    void tasksOfAllServersAreListedPageByPageAndFollowedWhereTheyAre() throws Exception {
        ScriptedServer first = ScriptedServer.legacy("{\"tools\":{},\"tasks\":{\"list\":{},\"cancel\":{}}}")
                .on(
                        "tasks/list",
                        asked -> asked.params().contains("more")
                                ? "\"result\":{\"tasks\":[{\"taskId\":\"a2\",\"name\":\"kept\"}]}"
                                : "\"result\":{\"tasks\":[{\"taskId\":\"a1\", \"odd\":1e400}],\"nextCursor\":\"more\"}");
        ScriptedServer second = ScriptedServer.legacy("{\"tools\":{},\"tasks\":{\"list\":{},\"cancel\":{}}}")
                .on("tasks/list", "\"result\":{\"tasks\":[{\"taskId\":\"b1\"}]}")
                .on("tasks/get", "\"result\":{\"taskId\":\"b1\",\"status\":\"working\"}")
                .on("tasks/cancel", "\"result\":{\"taskId\":\"b1\",\"status\":\"cancelled\"}");
        Map<String, ScriptedServer> servers = new LinkedHashMap<>();
        servers.put("a", first);
        servers.put("b", second);
        servers.put("c", other);
        try (Gateway gateway = Gateway.over(servers);
                LegacyAgent agent = new LegacyAgent(gateway.uri("/mcp"), Gateway.KEY)) {
            assertThat(agent.initialize("2025-11-25").body()).contains("\"tasks\":{");
            String page = agent.post("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tasks/list\"}")
                    .body();
            assertThat(page).contains("[{\"taskId\":\"a1\", \"odd\":1e400}]", "\"nextCursor\":\"");
            String cursor = page.replaceAll(".*\"nextCursor\":\"([^\"]*)\".*", "$1");
            assertThat(agent.post("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tasks/list\",\"params\":{\"cursor\":\""
                                    + cursor + "\"}}")
                            .body())
                    .contains("[{\"taskId\":\"a2\",\"name\":\"kept\"},{\"taskId\":\"b1\"}]")
                    .doesNotContain("nextCursor");
            for (String method : List.of("tasks/get", "tasks/cancel")) {
                assertThat(agent.post("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"" + method
                                        + "\",\"params\":{\"taskId\":\"b1\"}}")
                                .body())
                        .contains("\"taskId\":\"b1\"");
            }
            assertThat(first.asked("tasks/get")).isEmpty();
        }
    }

    @Test
    void everyMethodOfTheModernExtensionGoesToTheServerOfTheTask() throws Exception {
        String done = "\"result\":{\"resultType\":\"complete\",\"taskId\":\"7\",\"status\":\"working\"}";
        ScriptedServer server = ScriptedServer.modern(
                        "{\"tools\":{},\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}")
                .on("tools/call", "\"result\":{\"resultType\":\"task\",\"taskId\":\"7\",\"status\":\"working\"}")
                .on("tasks/get", done)
                .on("tasks/update", done)
                .on("tasks/cancel", done)
                .on("subscriptions/listen", asked -> {
                    asked.notify(
                            "notifications/subscriptions/acknowledged", "{\"notifications\":{\"taskIds\":[\"7\"]}}");
                    asked.notify("notifications/tasks", "{\"taskId\":\"7\",\"status\":\"completed\", \"odd\":1e400}");
                    asked.untilCancelled();
                    return "\"result\":{}";
                });
        try (Gateway gateway = Gateway.over(Map.of("a", other, "b", server));
                ModernClient client = new ModernClient(gateway, "/mcp")) {
            assertThat(client.call("server/discover", "").body()).contains("io.modelcontextprotocol/tasks");
            client.call("tools/call", CALL);
            for (String method : List.of("tasks/get", "tasks/update", "tasks/cancel")) {
                assertThat(client.call(method, ",\"taskId\":\"7\",\"x\":1e400").body())
                        .contains("\"taskId\":\"7\"");
                assertThat(server.asked(method).getLast().params()).contains("\"x\":1e400");
            }
            EventReader events = new EventReader(client.stream(client.request(client.message(
                    "subscriptions/listen", client.params(",\"notifications\":{\"taskIds\":[\"7\"]}")))));
            assertThat(events.next()).as("what was agreed comes first").contains("acknowledged", "\"taskIds\":[\"7\"]");
            assertThat(events.next())
                    .contains("notifications/tasks", "\"taskId\":\"7\",\"status\":\"completed\", \"odd\":1e400");
        }
    }
}
