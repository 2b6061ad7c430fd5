package dev.postern.mcp.sdk;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * The official Java SDK's client for sessions, at whatever version is on the class path that loads this class: lists the
 * tools, then calls each of its endpoint's.
 */
public final class SessionClient implements BiFunction<List<String>, List<String>, List<String>> {
    public SessionClient() {}

    /**
     * Connects, lists, and calls.
     *
     * @param where the gateway's root, the path, and the agent's key
     * @param tools the names to call
     * @return the names that were listed, and a text a call
     */
    @Override
    @SuppressWarnings("deprecation") // sampling, which the protocol still has
    public List<String> apply(List<String> where, List<String> tools) {
        var transport = HttpClientStreamableHttpTransport.builder(where.getFirst())
                .endpoint(where.get(1))
                .addHttpRequestCustomizer((builder, method, uri, body, context) ->
                        builder.setHeader("Authorization", "Bearer " + where.getLast()))
                .build();
        try (McpSyncClient client = McpClient.sync(transport)
                .requestTimeout(Duration.ofSeconds(30))
                .capabilities(McpSchema.ClientCapabilities.builder()
                        .elicitation()
                        .sampling()
                        .build())
                .elicitation(request -> McpSchema.ElicitResult.builder(McpSchema.ElicitResult.Action.ACCEPT)
                        .content(Map.of("name", "Ann"))
                        .build())
                .sampling(request -> McpSchema.CreateMessageResult.builder(McpSchema.Role.ASSISTANT, "sampled", "none")
                        .build())
                .build()) {
            client.initialize();
            List<String> said = new ArrayList<>();
            client.listTools().tools().forEach(tool -> said.add(tool.name()));
            for (String tool : tools) {
                McpSchema.CallToolResult result = client.callTool(McpSchema.CallToolRequest.builder(tool)
                        .arguments(Map.of("secret", "{{vault:db}}", "model", true))
                        .build());
                said.add(((McpSchema.TextContent) result.content().getFirst()).text());
            }
            return said;
        }
    }
}
