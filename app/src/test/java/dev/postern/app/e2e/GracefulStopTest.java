package dev.postern.app.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.JsonValue;
import dev.postern.testkit.Await;
import dev.postern.testkit.server.ScriptedServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** SIGTERM ends a gateway in order: nobody is left without an answer, and nothing of it is left. */
@Timeout(600)
class GracefulStopTest {
    private static final int MANY = 200;

    @TempDir
    private Path data = Path.of("");

    private JsonValue ledgerEntry(String tool) throws Exception {
        PosternProcess.Finished export = PosternProcess.run(data, "ledger", "export");
        assertThat(PosternProcess.run(data, "ledger", "verify").exitCode()).isZero();
        return export.out()
                .lines()
                .map(line -> JsonValue.parse(line.getBytes(StandardCharsets.UTF_8)))
                .filter(entry -> tool.equals(entry.string("tool")))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no entry of " + tool + " in " + export.out()));
    }

    @DisplayName("A call that runs is answered, L2: its entry is closed, and its server ends with the gateway")
    @ParameterizedTest
    @EnumSource
    void aRunningCallEndsAsItWould(Agent.Era era) throws Exception {
        RunningGateway.configure(data, Map.of("s", ScriptedServer.command()));
        Path called = data.resolve("called");
        List<ProcessHandle> processes;
        CompletableFuture<JsonValue> slow;
        try (RunningGateway gateway = RunningGateway.start(data);
                Agent agent = era.connect(gateway)) {
            agent.call("s__mirror", "{}");
            Path until = data.resolve("until");
            slow = agent.callLater("s__slow", "{\"file\":\"" + called + "\",\"until\":\"" + until + "\"}");
            Await.file(called);
            processes = gateway.processes();
            CompletableFuture<Integer> exit = gateway.terminateLater();
            Await.until("the gateway is stopping", () -> !gateway.isReady());
            Files.createFile(until);
            assertThat(exit.get(60, TimeUnit.SECONDS)).as("the exit code").isZero();
            assertThat(Agent.text(slow.get(60, TimeUnit.SECONDS))).isEqualTo("slow but done");
        }
        assertThat(processes).hasSizeGreaterThan(1).noneMatch(ProcessHandle::isAlive);
        assertThat(ledgerEntry("slow").string("disposition")).isEqualTo("EXECUTED");
    }

    @DisplayName("P7: a call that waits is told to come back, and what it asked stays asked over the restart")
    @ParameterizedTest
    @EnumSource
    void aWaitingCallIsToldToComeBack(Agent.Era era) throws Exception {
        RunningGateway.configure(data, Map.of("s", ScriptedServer.command()));
        String arguments = "{\"a\":\"{{vault:db}}\"}";
        String key;
        try (RunningGateway gateway = RunningGateway.start(data);
                Agent agent = era.connect(gateway)) {
            key = gateway.key();
            gateway.addSecret("db", "a value of the database");
            CompletableFuture<JsonValue> waiting = agent.callLater("s__mirror", arguments);
            gateway.awaitApproval();
            assertThat(gateway.terminate()).isZero();
            assertThat(Agent.code(waiting.get(60, TimeUnit.SECONDS))).isEqualTo("APPROVAL_PENDING");
        }
        try (RunningGateway gateway = RunningGateway.start(data);
                Agent agent = era.connect(gateway, key, "/mcp")) {
            String id = String.valueOf(gateway.awaitApproval().string("id"));
            assertThat(PosternProcess.run(data, "approve", id).exitCode()).isZero();
            assertThat(agent.call("s__mirror", arguments).spelling()).contains("{{vault:db}}");
        }
    }

    @DisplayName(
            "P7: hundreds of calls that wait are all told to come back, before any time that running calls get is over")
    @Test
    void manyWaitingCallsAreAllToldToComeBack() throws Exception {
        List<CompletableFuture<JsonValue>> calls = new ArrayList<>();
        try (RunningGateway gateway =
                        RunningGateway.start(data, "--approval-hold", "600", "--approval-timeout", "600");
                ManyCalls many = new ManyCalls(gateway)) {
            gateway.addSecret("db", "a value of the database");
            for (int i = 0; i < MANY; i++) {
                String arguments = "{\"text\":\"" + i + " {{vault:db}}\"}";
                calls.add(ManyCalls.later(
                        () -> requireNonNull(many.call(gateway.key(), "playground__sha256", arguments))));
            }
            ManyCalls.awaitWaiting(gateway, calls);
            assertThat(gateway.terminate()).as("the exit code").isZero();
            for (CompletableFuture<JsonValue> call : calls) {
                assertThat(Agent.code(call.get(60, TimeUnit.SECONDS))).isEqualTo("APPROVAL_PENDING");
            }
            assertThat(gateway.log()).isEmpty();
        }
        PosternProcess.Finished export = PosternProcess.run(data, "ledger", "export");
        assertThat(export.out().lines())
                .hasSize(MANY)
                .allSatisfy(line -> assertThat(line).contains("\"code\":\"APPROVAL_PENDING\""));
        try (RunningGateway gateway = RunningGateway.start(data)) {
            assertThat(gateway.ask("approvals.list", Map.of()).elements()).hasSize(MANY);
        }
    }

    @DisplayName("A call that never ends is cut off after the grace, and the ledger knows how it ended")
    @ParameterizedTest
    @EnumSource
    void aCallThatNeverEndsIsCutOff(Agent.Era era) throws Exception {
        RunningGateway.configure(data, Map.of("s", ScriptedServer.command("--stay")));
        Path called = data.resolve("called");
        List<ProcessHandle> processes;
        try (RunningGateway gateway = RunningGateway.start(data, "--stop-grace", "1");
                Agent agent = era.connect(gateway)) {
            CompletableFuture<JsonValue> hanging = agent.callLater("s__hang", "{\"file\":\"" + called + "\"}");
            Await.file(called);
            processes = gateway.processes();
            assertThat(gateway.terminate()).isZero();
            JsonValue answer = hanging.get(60, TimeUnit.SECONDS);
            assertThat(Agent.code(answer)).isEqualTo("CANCELLED");
            assertThat(Agent.text(answer)).contains("the gateway stopped while the server worked on this call");
        }
        assertThat(processes).hasSizeGreaterThan(1).noneMatch(ProcessHandle::isAlive);
        JsonValue entry = ledgerEntry("hang");
        assertThat(entry.string("disposition")).isEqualTo("CANCELLED");
    }
}
