package dev.postern.mcp.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postern.mcp.fixture.Gateway;
import dev.postern.testkit.server.NodeServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The TypeScript SDK's client and the Inspector's command line list and call through both endpoints. */
@Timeout(300)
final class NodeClientsTest {
    @ParameterizedTest
    @CsvSource({"/mcp/s,''", "/mcp,s__"})
    void theTypeScriptClientCallsAndIsAsked(String path, String prefix) throws Exception {
        try (ConformanceServer server = new ConformanceServer();
                ConformanceGateway gateway = new ConformanceGateway(0, server.endpoint())) {
            String said = run(NodeServers.tool(
                    "../client.mjs", "http", gateway.endpoint().resolve(path).toString(), Gateway.KEY, prefix));
            assertThat(said)
                    .contains("\"" + prefix + "test_simple_text\"")
                    .contains("This is a simple text response for testing.")
                    .contains("LLM response: sampled")
                    .contains("elicited")
                    .contains("\"progress\":[0,50,100],\"late\":0");
        }
    }

    @ParameterizedTest
    @CsvSource({"/mcp/s,''", "/mcp,s__"})
    void theInspectorListsAndCalls(String path, String prefix) throws Exception {
        try (ConformanceServer server = new ConformanceServer();
                ConformanceGateway gateway = new ConformanceGateway(0, server.endpoint())) {
            String url = gateway.endpoint().resolve(path).toString();
            assertThat(run(inspector(url, "--method", "tools/list"))).contains("\"" + prefix + "test_simple_text\"");
            assertThat(run(inspector(url, "--method", "tools/call", "--tool-name", prefix + "test_simple_text")))
                    .contains("This is a simple text response for testing.");
        }
    }

    private static Optional<List<String>> inspector(String url, String... arguments) {
        String[] all = new String[arguments.length + 6];
        all[0] = "--cli";
        all[1] = url;
        all[2] = "--transport";
        all[3] = "http";
        all[4] = "--header";
        all[5] = "Authorization: Bearer " + Gateway.KEY;
        System.arraycopy(arguments, 0, all, 6, arguments.length);
        return NodeServers.tool("@modelcontextprotocol/inspector/clients/launcher/build/index.js", all);
    }

    private static String run(Optional<List<String>> command) throws IOException, InterruptedException {
        assumeTrue(command.isPresent());
        Process process =
                new ProcessBuilder(command.get()).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
