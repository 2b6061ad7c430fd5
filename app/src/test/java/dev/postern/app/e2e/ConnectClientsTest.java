package dev.postern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postern.testkit.server.NodeServers;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Published clients start {@code postern connect} as the server they know nothing of, and list and call a published server
 * through it; the server asks them for a person's input and for a model's words.
 */
@Timeout(600)
class ConnectClientsTest {
    @TempDir
    private Path data = Path.of("");

    private static void configure(Path data) throws IOException {
        Optional<List<String>> everything = NodeServers.command("server-everything", "stdio");
        assumeTrue(everything.isPresent());
        RunningGateway.configure(data, Map.of("all", everything.get()));
    }

    @Test
    void theTypeScriptClientListsCallsAndIsAsked() throws Exception {
        configure(data);
        try (RunningGateway gateway = RunningGateway.start(data)) {
            List<String> arguments = new ArrayList<>(List.of("stdio", "all__"));
            arguments.addAll(connect(data));
            String said = run(gateway, NodeServers.tool("../client.mjs", arguments.toArray(String[]::new)));
            assertThat(said)
                    .contains("\"all__echo\"", "\"vault_list\"")
                    .contains("Echo: hello")
                    .contains("sampled")
                    .contains("elicited")
                    .contains("\"progress\":[1,2],\"late\":0");
        }
    }

    @Test
    void theInspectorListsAndCalls() throws Exception {
        configure(data);
        try (RunningGateway gateway = RunningGateway.start(data)) {
            assertThat(run(gateway, inspector(gateway, "--method", "tools/list")))
                    .contains("\"all__echo\"");
            assertThat(run(
                            gateway,
                            inspector(
                                    gateway,
                                    "--method",
                                    "tools/call",
                                    "--tool-name",
                                    "all__echo",
                                    "--tool-arg",
                                    "message=hello")))
                    .contains("Echo: hello");
        }
    }

    @Test
    void theJavaClientListsCallsAndIsAsked() throws Exception {
        configure(data);
        try (RunningGateway gateway = RunningGateway.start(data)) {
            List<String> command = connect(data);
            ServerParameters parameters = ServerParameters.builder(command.getFirst())
                    .args(command.subList(1, command.size()))
                    .addEnvVar("POSTERN_AGENT_KEY", gateway.key())
                    .build();
            try (McpSyncClient client = McpClient.sync(
                            new StdioClientTransport(parameters, McpJsonDefaults.getMapper()))
                    .requestTimeout(Duration.ofSeconds(60))
                    .capabilities(
                            McpSchema.ClientCapabilities.builder().elicitation().build())
                    .elicitation(request -> McpSchema.ElicitResult.builder(McpSchema.ElicitResult.Action.ACCEPT)
                            .content(Map.of("name", "elicited"))
                            .build())
                    .build()) {
                client.initialize();
                assertThat(client.listTools().tools())
                        .extracting(McpSchema.Tool::name)
                        .contains("all__echo");
                assertThat(call(client, "all__echo", Map.of("message", "hello")))
                        .contains("Echo: hello");
                assertThat(call(client, "all__trigger-elicitation-request", Map.of()))
                        .contains("elicited");
            }
        }
    }

    private static String call(McpSyncClient client, String tool, Map<String, Object> arguments) {
        return client.callTool(McpSchema.CallToolRequest.builder(tool)
                        .arguments(arguments)
                        .build())
                .content()
                .toString();
    }

    private static List<String> connect(Path data) {
        return PosternProcess.builder("connect", "--data", data.toString()).command();
    }

    private Optional<List<String>> inspector(RunningGateway gateway, String... arguments) {
        List<String> all = new ArrayList<>(List.of("--cli", "-e", "POSTERN_AGENT_KEY=" + gateway.key()));
        all.addAll(List.of(arguments));
        all.add("--");
        all.addAll(connect(data));
        return NodeServers.tool(
                "@modelcontextprotocol/inspector/clients/launcher/build/index.js", all.toArray(String[]::new));
    }

    private static String run(RunningGateway gateway, Optional<List<String>> command)
            throws IOException, InterruptedException {
        assumeTrue(command.isPresent());
        ProcessBuilder builder = new ProcessBuilder(command.get()).redirectErrorStream(true);
        builder.environment().put("POSTERN_AGENT_KEY", gateway.key());
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
