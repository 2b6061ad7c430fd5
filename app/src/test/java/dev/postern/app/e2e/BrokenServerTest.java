package dev.postern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.testkit.server.ScriptedServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A broken server harms only its own call: the agent is told plainly, and the next call starts the server again. */
class BrokenServerTest {
    @TempDir
    private static Path data = Path.of("");

    @SuppressWarnings("NullAway.Init")
    private static RunningGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        List<String> command = ScriptedServer.command();
        Map<String, Object> server = server(command, 60_000);
        Map<String, Object> hasty = server(command, 4_000);
        Map<String, Object> missing = Map.of("command", "/nowhere/server");
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
        Files.write(
                data.resolve("postern.json"),
                dev.postern.json.JsonWriter.write(
                        Map.of("mcpServers", Map.of("s", server, "hasty", hasty, "missing", missing))));
        gateway = RunningGateway.start(data);
    }

    private static Map<String, Object> server(List<String> command, int timeoutMillis) {
        return Map.of(
                "command", command.getFirst(), "args", command.subList(1, command.size()), "timeout", timeoutMillis);
    }

    @AfterAll
    static void stop() throws Exception {
        gateway.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "s__exit|{}|FAILED",
                "hasty__hang|{}|TIMED_OUT",
                "s__close-output|{}|FAILED",
                "hasty__say|{\"text\":\"this is no JSON\"}|TIMED_OUT",
                "s__large|{\"bytes\":52428800}|FAILED",
                "missing__any|{}|FAILED",
            })
    void harmsOnlyItsOwnCall(String tool, String arguments, String code) throws Exception {
        try (Agent agent = Agent.Era.LEGACY.connect(gateway)) {
            JsonValue broken = agent.call(tool, arguments);
            assertThat(Agent.code(broken)).isEqualTo(code);
            assertThat(Agent.text(broken)).startsWith(code + ": ");
            String mirror = tool.startsWith("hasty") ? "hasty__mirror" : "s__mirror";
            assertThat(agent.call(mirror, "{\"a\":1}").spelling()).contains("{\"a\":1}");
        }
    }

    @Test
    void aFloodOfStandardErrorStopsNothing() throws Exception {
        try (Agent agent = Agent.Era.LEGACY.connect(gateway)) {
            assertThat(Agent.code(agent.call("s__flood", "{\"lines\":100000}"))).isNull();
            assertThat(gateway.standardError().length()).isLessThan(3_000_000);
        }
    }

    @Test
    void aHangingCallHoldsUpNoOther() throws Exception {
        try (Agent agent = Agent.Era.MODERN.connect(gateway)) {
            CompletableFuture<JsonValue> hanging = agent.callLater("hasty__hang", "{}");
            String line = "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"content\":[]}}";
            assertThat(Agent.code(agent.call("hasty__say", "{\"text\":" + JsonStrings.quote(line) + "}")))
                    .isNull();
            assertThat(Agent.code(hanging.get(60, TimeUnit.SECONDS))).isEqualTo("TIMED_OUT");
        }
    }
}
