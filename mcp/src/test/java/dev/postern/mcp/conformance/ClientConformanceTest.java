package dev.postern.mcp.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postern.testkit.server.NodeServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The official suite's client scenarios, in which its server looks at what a client does: with a client of ours alone, and
 * with the same client behind the gateway, which then is the client. Every check that succeeds alone has to succeed through the
 * gateway. Prints a table of both.
 */
@Timeout(900)
final class ClientConformanceTest {
    private static final Map<String, List<String>> SCENARIOS = Map.of(
            "2025-11-25",
            List.of(
                    "initialize",
                    "tools_call",
                    "elicitation-sep1034-client-defaults",
                    "sse-retry",
                    "json-schema-2020-12-preservation"),
            "2026-07-28",
            List.of(
                    "tools_call",
                    "request-metadata",
                    "sep-2322-client-request-state",
                    "http-standard-headers",
                    "http-custom-headers",
                    "http-invalid-tool-headers",
                    "json-schema-ref-no-deref",
                    "json-schema-2020-12-preservation"));

    @Test
    void whatAClientDoesRightAloneItDoesRightThroughTheGateway(@TempDir Path folder) throws Exception {
        assumeTrue(NodeServers.tool("../scenario-client.mjs").isPresent());
        Outcomes alone = new Outcomes();
        Outcomes through = new Outcomes();
        try (ScenarioGateways gateways = new ScenarioGateways();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            String via = gateways.address().toString();
            for (Map.Entry<String, List<String>> scenarios : SCENARIOS.entrySet()) {
                String version = scenarios.getKey();
                for (String scenario : scenarios.getValue()) {
                    Path mine = folder.resolve(version + scenario);
                    Future<Outcomes> direct = threads.submit(
                            () -> run(scenario, version, "direct", Files.createDirectories(mine.resolve("direct"))));
                    Future<Outcomes> behind = threads.submit(
                            () -> run(scenario, version, via, Files.createDirectories(mine.resolve("through"))));
                    alone.add(direct.get(), version);
                    through.add(behind.get(), version);
                }
            }
        }
        System.out.println(Outcomes.table("client scenarios, suite 0.2.0-alpha.12", alone, through));
        assertThat(alone.failures()).as("failures without a gateway").isEmpty();
        assertThat(alone.successes()).as("successes without a gateway").isGreaterThan(80);
        assertThat(through.lostFrom(alone)).as("lost through the gateway").isEmpty();
    }

    private static Outcomes run(String scenario, String version, String via, Path results)
            throws IOException, InterruptedException {
        List<String> client = NodeServers.tool("../scenario-client.mjs", via).orElseThrow();
        Optional<List<String>> suite = NodeServers.tool(
                "conformance-2026/dist/index.js",
                "client",
                "--command",
                String.join(" ", client),
                "--scenario",
                scenario,
                "--spec-version",
                version,
                "-o",
                results.toString());
        Process process = new ProcessBuilder(suite.orElseThrow())
                .redirectErrorStream(true)
                .redirectOutput(results.resolve("output.txt").toFile())
                .start();
        if (!process.waitFor(240, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        return Outcomes.read(results);
    }
}
