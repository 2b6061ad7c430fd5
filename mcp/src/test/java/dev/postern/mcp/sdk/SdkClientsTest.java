package dev.postern.mcp.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.JsonValue;
import dev.postern.mcp.fixture.Gateway;
import dev.postern.mcp.fixture.ScriptedServer;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.modern.client.transport.HttpClientMcpTransport;
import io.modelcontextprotocol.modern.client.transport.McpHttpRequestCustomizer;
import io.modelcontextprotocol.spec.McpSchema;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The official Java SDK's clients list and call through both endpoints, with servers of both eras behind them: tools,
 * a secret, an elicitation, progress.
 */
class SdkClientsTest {
    private static final String TOOLS =
            "\"tools\":[{\"name\":\"ask\",\"description\":\"asks\",\"inputSchema\":{\"type\":\"object\"}}]";
    private static final String ELICITATION =
            "{\"mode\":\"form\",\"message\":\"who?\",\"requestedSchema\":{\"type\":\"object\","
                    + "\"properties\":{\"name\":{\"type\":\"string\"}}}}";

    private static ScriptedServer legacy() {
        return ScriptedServer.legacy("{\"tools\":{\"listChanged\":true}}")
                .on("tools/list", "\"result\":{" + TOOLS + "}")
                .on("tools/call", asked -> {
                    String answer = asked.ask("\"e\"", "elicitation/create", ELICITATION);
                    return said(asked.params(), content(answer, "result", "content", "name"));
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
                                        content(asked.params(), "inputResponses", "q", "content", "name"))
                                : "\"result\":{\"resultType\":\"input_required\",\"requestState\":\"s\",\"inputRequests\":{\"q\":"
                                        + "{\"method\":\"elicitation/create\",\"params\":" + ELICITATION + "}}}");
    }

    /** Echoes what the tool got, and whom it was told. */
    private static String said(String params, String name) {
        String got = content(params, "arguments", "secret");
        return "\"result\":{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"got " + got
                + " from " + name + "\"}]}";
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

    @Test
    @DisplayName("a legacy client with servers of both eras: the server got the value, the client sees the reference")
    void aLegacyClientWithServersOfBothEras() throws Exception {
        try (Gateway gateway = gateway()) {
            for (String path : List.of("/mcp", "/mcp/old", "/mcp/new")) {
                List<Double> progress = new CopyOnWriteArrayList<>();
                var transport = HttpClientStreamableHttpTransport.builder(
                                gateway.uri("/").toString())
                        .endpoint(path)
                        .addHttpRequestCustomizer((builder, method, uri, body, context) ->
                                builder.setHeader("Authorization", "Bearer " + Gateway.KEY))
                        .build();
                try (McpSyncClient client = McpClient.sync(transport)
                        .requestTimeout(Duration.ofSeconds(30))
                        .capabilities(McpSchema.ClientCapabilities.builder()
                                .elicitation()
                                .build())
                        .elicitation(request -> McpSchema.ElicitResult.builder(McpSchema.ElicitResult.Action.ACCEPT)
                                .content(Map.of("name", "Ann"))
                                .build())
                        .progressConsumer(note -> progress.add(note.progress()))
                        .build()) {
                    client.initialize();
                    List<String> tools = client.listTools().tools().stream()
                            .map(McpSchema.Tool::name)
                            .toList();
                    assertThat(tools).containsAll(expected(path));
                    for (String tool : expected(path)) {
                        McpSchema.CallToolResult result = client.callTool(McpSchema.CallToolRequest.builder(tool)
                                .arguments(Map.of("secret", "{{vault:db}}"))
                                .build());
                        assertThat(result.content())
                                .singleElement()
                                .isInstanceOfSatisfying(
                                        McpSchema.TextContent.class,
                                        text -> assertThat(text.text()).isEqualTo("got {{vault:db}} from Ann"));
                    }
                }
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
                    assertThat(result.content().toString()).contains("got {{vault:db}} from Ann");
                }
            }
        }
    }

    private static List<String> expected(String path) {
        return path.equals("/mcp") ? List.of("old__ask", "new__ask") : List.of("ask");
    }
}
