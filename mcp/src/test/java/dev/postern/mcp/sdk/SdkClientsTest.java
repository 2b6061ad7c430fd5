package dev.postern.mcp.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.JsonValue;
import dev.postern.mcp.fixture.Gateway;
import dev.postern.mcp.fixture.ScriptedServer;
import io.modelcontextprotocol.modern.client.transport.HttpClientMcpTransport;
import io.modelcontextprotocol.modern.client.transport.McpHttpRequestCustomizer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The official Java SDK's clients list and call through both endpoints, with servers of both eras behind them: tools,
 * a secret, an elicitation, and a sampling where the client offers that.
 */
class SdkClientsTest {
    private static final String TOOLS =
            "\"tools\":[{\"name\":\"ask\",\"description\":\"asks\",\"inputSchema\":{\"type\":\"object\"}}]";
    private static final String ELICITATION =
            "{\"mode\":\"form\",\"message\":\"who?\",\"requestedSchema\":{\"type\":\"object\","
                    + "\"properties\":{\"name\":{\"type\":\"string\"}}}}";

    private static final String SAMPLING =
            "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"p\"}}],\"maxTokens\":10}";

    private static ScriptedServer legacy() {
        return ScriptedServer.legacy("{\"tools\":{\"listChanged\":true}}")
                .on("tools/list", "\"result\":{" + TOOLS + "}")
                .on("tools/call", asked -> {
                    String answer = asked.ask("\"e\"", "elicitation/create", ELICITATION);
                    String sampled = !samples(asked) ? "{}" : asked.ask("\"s\"", "sampling/createMessage", SAMPLING);
                    return said(
                            asked.params(),
                            content(answer, "result", "content", "name"),
                            content(sampled, "result", "content", "text"));
                });
    }

    private static ScriptedServer modern() {
        return ScriptedServer.modern("{\"tools\":{}}")
                .on(
                        "tools/list",
                        "\"result\":{\"resultType\":\"complete\"," + TOOLS + ",\"ttlMs\":0,\"cacheScope\":\"private\"}")
                .on(
                        "tools/call",
                        asked -> asked.params().contains("inputResponses")
                                ? said(
                                        asked.params(),
                                        content(asked.params(), "inputResponses", "q", "content", "name"),
                                        content(asked.params(), "inputResponses", "s", "content", "text"))
                                : "\"result\":{\"resultType\":\"input_required\",\"requestState\":\"s\",\"inputRequests\":{\"q\":"
                                        + "{\"method\":\"elicitation/create\",\"params\":" + ELICITATION + "}"
                                        + (samples(asked)
                                                ? ",\"s\":{\"method\":\"sampling/createMessage\",\"params\":" + SAMPLING
                                                        + "}"
                                                : "")
                                        + "}}");
    }

    private static boolean samples(ScriptedServer.Asked asked) {
        return asked.params().contains("\"model\":true");
    }

    /** Echoes what the tool got, what it was told, and what the client's model said. */
    private static String said(String params, String name, String sampled) {
        String got = content(params, "arguments", "secret");
        return "\"result\":{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"got " + got
                + " from " + name + ", " + sampled + "\"}]}";
    }

    private static String content(String message, String... path) {
        JsonValue value =
                JsonValue.parse(message.getBytes(StandardCharsets.UTF_8)).path(path);
        return value == null ? "nothing" : value.string();
    }

    private static Gateway gateway() throws Exception {
        Map<String, ScriptedServer> servers = new LinkedHashMap<>();
        servers.put("old", legacy());
        servers.put("new", modern());
        Gateway gateway = Gateway.over(servers);
        gateway.addSecret("db", "correct-horse");
        return gateway;
    }

    @ParameterizedTest
    @ValueSource(strings = {"2.1.0", "2.2.0"})
    @DisplayName("a legacy client with servers of both eras: the server got the value, the client sees the reference")
    void aLegacyClientWithServersOfBothEras(String version) throws Exception {
        try (Gateway gateway = gateway();
                OlderSdk older = OlderSdk.of("2.1.0")) {
            BiFunction<List<String>, List<String>, List<String>> client =
                    version.equals("2.1.0") ? older.sessionClient() : new SessionClient();
            ClassLoader usual = Thread.currentThread().getContextClassLoader();
            Thread.currentThread().setContextClassLoader(client.getClass().getClassLoader());
            try {
                for (String path : List.of("/mcp", "/mcp/old", "/mcp/new")) {
                    List<String> tools = expected(path);
                    List<String> said = client.apply(List.of(gateway.uri("/").toString(), path, Gateway.KEY), tools);
                    assertThat(said).containsAll(tools);
                    assertThat(said.subList(said.size() - tools.size(), said.size()))
                            .containsOnly("got {{vault:db}} from Ann, sampled");
                }
            } finally {
                Thread.currentThread().setContextClassLoader(usual); // this one is closed now
            }
        }
    }

    @Test
    @DisplayName("a modern client with servers of both eras: the server got the value, the client sees the reference")
    void aModernClientWithServersOfBothEras() throws Exception {
        try (Gateway gateway = gateway()) {
            for (String path : List.of("/mcp", "/mcp/old", "/mcp/new")) {
                var transport = HttpClientMcpTransport.builder(gateway.uri(path))
                        .requestCustomizer(McpHttpRequestCustomizer.fromSync(
                                (request, headers, context) -> headers.set("Authorization", "Bearer " + Gateway.KEY)))
                        .build();
                var client = io.modelcontextprotocol.modern.client.McpClient.sync(transport)
                        .formElicitation(request ->
                                io.modelcontextprotocol.modern.McpSchema.ElicitResult.accept(Map.of("name", "Ann")))
                        .build();
                assertThat(client.discover().supportedVersions()).contains("2026-07-28", "2025-11-25");
                List<String> tools = new ArrayList<>();
                client.listTools().list().tools().forEach(tool -> tools.add(tool.name()));
                assertThat(tools).containsAll(expected(path));
                for (String tool : expected(path)) {
                    var result = client.tool(tool)
                            .arguments(Map.of("secret", "{{vault:db}}"))
                            .call();
                    assertThat(result.content().toString()).contains("got {{vault:db}} from Ann, nothing");
                }
            }
        }
    }

    private static List<String> expected(String path) {
        return path.equals("/mcp") ? List.of("old__ask", "new__ask") : List.of("ask");
    }
}
