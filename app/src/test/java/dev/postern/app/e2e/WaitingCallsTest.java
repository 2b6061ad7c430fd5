package dev.postern.app.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Json;
import dev.postern.json.JsonValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** P5, P7: many calls wait on one gateway, and approving them loses none. {@code bench/waiting.sh} does it with 10,000. */
class WaitingCallsTest {
    private static final int CALLS = 500;
    private static final int AGENTS = 5;

    @TempDir
    private Path data = Path.of("");

    @Test
    @DisplayName("P5: hundreds of calls wait at once, are approved together, and each runs once")
    void approvingAllWaitingCallsLosesNone() throws Exception {
        try (RunningGateway gateway =
                        RunningGateway.start(data, "--approval-hold", "600", "--approval-timeout", "600");
                ManyCalls many = new ManyCalls(gateway)) {
            gateway.addSecret("db", "a value that is long enough");
            List<String> keys = new ArrayList<>();
            for (int i = 0; i < AGENTS; i++) {
                keys.add(String.valueOf(
                        gateway.ask("agent.add", Map.of("name", "agent" + i)).string("key")));
            }
            List<CompletableFuture<JsonValue>> calls = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                String text = "call " + i + " ";
                String key = keys.get(i % AGENTS);
                calls.add(ManyCalls.later(() -> requireNonNull(
                        many.call(key, "playground__sha256", "{\"text\":\"" + text + "{{vault:db}}\"}"))));
            }
            ManyCalls.awaitWaiting(gateway, calls);
            List<String> ids = gateway.ask("approvals.list", Map.of()).elements().stream()
                    .map(approval -> Json.at(approval, "id").string())
                    .toList();
            assertThat(ids).hasSize(CALLS);
            assertThat(Json.at(gateway.ask("approve", Map.of("ids", ids)), "decided")
                            .elements())
                    .hasSize(CALLS);
            for (int i = 0; i < CALLS; i++) {
                assertThat(Agent.text(calls.get(i).join()))
                        .isEqualTo(ApprovalTest.sha256("call " + i + " a value that is long enough"));
            }
            assertThat(gateway.stop()).isZero();
        }
        PosternProcess.Finished export = PosternProcess.run(data, "ledger", "export", "--disposition", "EXECUTED");
        Set<String> arguments = export.out()
                .lines()
                .map(line -> Json.at(JsonValue.parse(PosternProcess.utf8(line)), "arguments")
                        .spelling())
                .collect(Collectors.toSet());
        assertThat(arguments).hasSize(CALLS);
        assertThat(export.out().lines()).hasSize(CALLS);
    }
}
