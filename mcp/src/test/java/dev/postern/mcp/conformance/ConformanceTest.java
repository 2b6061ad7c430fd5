package dev.postern.mcp.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postern.testkit.server.NodeServers;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The official suites against the fixture, side by side: directly, and through {@code /mcp/SERVER}. Every check that
 * succeeds directly has to succeed through the gateway. Prints a table of both.
 */
@Timeout(900)
final class ConformanceTest {
    /** The suites, each at the revision it was made for. */
    enum Suite {
        SESSIONS("2025-11-25, suite 0.1.16", "conformance-2025", "--suite all"),
        SESSIONS_LATER("2025-11-25, suite 0.2.0-alpha.12", "conformance-2026", "--requirements 2025-11-25"),
        SINGLE_REQUESTS("2026-07-28, suite 0.2.0-alpha.12", "conformance-2026", "--requirements 2026-07-28");

        private final String title;
        private final String folder;
        private final String selection;

        Suite(String title, String folder, String selection) {
            this.title = title;
            this.folder = folder;
            this.selection = selection;
        }

        Optional<List<String>> command(URI endpoint, Path results) {
            List<String> arguments =
                    new ArrayList<>(List.of("server", "--url", endpoint.toString(), "-o", results.toString()));
            arguments.addAll(List.of(selection.split(" ")));
            return NodeServers.tool(folder + "/dist/index.js", arguments.toArray(String[]::new));
        }
    }

    @ParameterizedTest
    @EnumSource(Suite.class)
    void whatSucceedsDirectlySucceedsThroughTheGateway(
            Suite suite, @TempDir Path directResults, @TempDir Path gatewayResults) throws Exception {
        assumeTrue(suite.command(URI.create("http://localhost"), directResults).isPresent());
        try (ConformanceServer alone = new ConformanceServer();
                ConformanceServer behind = new ConformanceServer();
                ConformanceGateway gateway = new ConformanceGateway(0, behind.endpoint());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Outcomes> direct = threads.submit(() -> run(suite, alone.endpoint(), directResults));
            Future<Outcomes> through = threads.submit(() -> run(suite, gateway.endpoint(), gatewayResults));
            System.out.println(Outcomes.table(suite.title, direct.get(), through.get()));
            assertThat(direct.get().failures()).as("failures without a gateway").isEmpty();
            assertThat(direct.get().successes())
                    .as("successes without a gateway")
                    .isGreaterThan(40);
            assertThat(through.get().lostFrom(direct.get()))
                    .as("lost through the gateway")
                    .isEmpty();
        }
    }

    private static Outcomes run(Suite suite, URI endpoint, Path results) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(suite.command(endpoint, results).orElseThrow())
                .redirectErrorStream(true)
                .redirectOutput(results.resolve("output.txt").toFile())
                .start();
        process.waitFor();
        return Outcomes.read(results);
    }
}
