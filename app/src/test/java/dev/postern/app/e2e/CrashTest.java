package dev.postern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Json;
import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.testkit.Await;
import dev.postern.testkit.server.ScriptedServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** L2, L3, A3: {@code kill -9} at any step leaves no delivery without a durable intent, and a chain that verifies. */
class CrashTest {
    private static final String CALL = "{\"a\":\"{{vault:db}}\"}";

    @TempDir
    private Path data = Path.of("");

    @Test
    void aCrashWhileAPersonIsAskedDeliversNothing() throws Exception {
        RunningGateway.configure(data, Map.of("s", ScriptedServer.command()));
        try (RunningGateway gateway = RunningGateway.start(data);
                Agent agent = Agent.Era.MODERN.connect(gateway)) {
            gateway.addSecret("db", "a value that is long enough");
            var _ = agent.callLater("s__mirror", CALL);
            gateway.awaitApproval();
            gateway.kill();
        }
        assertThat(export()).isEmpty();
        verifies();
        try (RunningGateway again = RunningGateway.start(data)) {
            assertThat(again.ask("secret.list", Map.of()).elements()).hasSize(1);
        }
        verifies();
    }

    @Test
    void aCrashWhileTheToolRunsReadsOutcomeUnknown() throws Exception {
        RunningGateway.configure(data, Map.of("s", ScriptedServer.command()));
        String arguments;
        try (RunningGateway gateway = RunningGateway.start(data);
                Agent agent = Agent.Era.MODERN.connect(gateway)) {
            gateway.addSecret("db", "a value that is long enough");
            Path called = data.resolve("called");
            arguments = "{\"a\":\"{{vault:db}}\",\"file\":" + JsonStrings.quote(called.toString()) + "}";
            var _ = agent.callLater("s__hang", arguments);
            gateway.approveNext();
            Await.file(called);
            gateway.kill();
        }
        verifies();
        List<JsonValue> lines = export();
        assertThat(lines).isNotEmpty().anySatisfy(line -> {
            assertThat(line.string("code")).isEqualTo("OUTCOME_UNKNOWN");
            assertThat(line.string("error")).isEqualTo("outcome unknown");
            assertThat(Json.at(line, "arguments").spelling()).isEqualTo(arguments);
        });
        try (RunningGateway again = RunningGateway.start(data)) {
            assertThat(export()).hasSameSizeAs(lines);
        }
        verifies();
    }

    @Test
    void theKillSwitchSurvivesARestart() throws Exception {
        try (RunningGateway gateway = RunningGateway.start(data)) {
            gateway.ask("kill", Map.of("on", true));
            gateway.kill();
        }
        try (RunningGateway again = RunningGateway.start(data)) {
            assertThat(Json.at(again.ask("status", Map.of()), "killed").spelling())
                    .isEqualTo("true");
        }
    }

    private void verifies() throws Exception {
        PosternProcess.Finished verify = PosternProcess.run(data, "ledger", "verify");
        assertThat(verify.exitCode()).as(verify.err()).isZero();
    }

    private List<JsonValue> export() throws Exception {
        PosternProcess.Finished export = PosternProcess.run(data, "ledger", "export");
        assertThat(export.exitCode()).as(export.err()).isZero();
        return export.out()
                .lines()
                .map(line -> JsonValue.parse(PosternProcess.utf8(line)))
                .toList();
    }
}
