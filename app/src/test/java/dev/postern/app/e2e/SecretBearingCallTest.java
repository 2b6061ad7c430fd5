package dev.postern.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.testkit.server.NodeServers;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The main job: an agent uses a secret it never sees, on real servers. The tool got the value; nothing else that left the
 * gateway or lies on its disk holds it, in any form a search can find (S1, S9, V1, L1, P8).
 */
class SecretBearingCallTest {
    /** Hostile to JSON, URLs, shells and regular expressions, and not ASCII. */
    private static final String VALUE = "pä\"ss\\w/rd+9 %25&$(x)✓{}";

    @TempDir
    private Path data = Path.of("");

    @TempDir
    private Path files = Path.of("");

    @ParameterizedTest
    @EnumSource(Agent.Era.class)
    void aSecretReachesRealServersAndNothingElse(Agent.Era era) throws Exception {
        Optional<List<String>> filesystem = NodeServers.command("server-filesystem", files.toString());
        Optional<List<String>> everything = NodeServers.command("server-everything", "stdio");
        assumeTrue(filesystem.isPresent() && everything.isPresent());
        RunningGateway.configure(data, Map.of("files", filesystem.get(), "all", everything.get()));
        Leaks leaks = new Leaks(VALUE);
        ByteArrayOutputStream seen = new ByteArrayOutputStream();
        Path written = files.resolve("config.env");
        try (RunningGateway gateway = RunningGateway.start(data);
                Agent agent = era.connect(gateway)) {
            gateway.addSecret("db", VALUE);

            CompletableFuture<JsonValue> write = agent.callLater(
                    "files__write_file",
                    "{\"path\":" + JsonStrings.quote(written.toString()) + ",\"content\":\"TOKEN={{vault:db}}\\n\"}");
            seen.writeBytes(gateway.approveNext().bytes());
            assertThat(write.get(60, TimeUnit.SECONDS).member("isError")).isNull();
            assertThat(Files.readString(written)).isEqualTo("TOKEN=" + VALUE + "\n");

            JsonValue read =
                    agent.call("files__read_text_file", "{\"path\":" + JsonStrings.quote(written.toString()) + "}");
            assertThat(Agent.text(read)).isEqualTo("TOKEN={{vault:db}}\n");

            CompletableFuture<JsonValue> echo = agent.callLater("all__echo", "{\"message\":\"<{{vault:db}}>\"}");
            seen.writeBytes(gateway.approveNext().bytes());
            assertThat(Agent.text(echo.get(60, TimeUnit.SECONDS))).contains("<{{vault:db}}>");

            leaks.assertAbsent("what the agent received", agent.received());
            leaks.assertAbsent("the approvals", seen.toByteArray());
            leaks.assertAbsent("standard error", gateway.standardError().getBytes(UTF_8));
            leaks.assertAbsentUnder(data);
            gateway.stop();
            leaks.assertAbsent("standard error", gateway.standardError().getBytes(UTF_8));
        }
        leaks.assertAbsentUnder(data);
        leaks.assertFindsAllIn(Files.readAllBytes(written));
    }
}
