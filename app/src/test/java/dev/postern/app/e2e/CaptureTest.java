package dev.postern.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import dev.postern.testkit.server.ScriptedServer;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * D6, with nothing configured: a server makes a key that nobody told the gateway about, the agent passes it to another
 * server without ever reading it, and it is nowhere else: not in what the agent received, not on the gateway's disk, not
 * in its log.
 */
class CaptureTest {
    private static final String REFERENCE = "{{vault:captured.1}}";

    @TempDir
    private Path data = Path.of("");

    @TempDir
    private Path files = Path.of("");

    @ParameterizedTest
    @EnumSource(Agent.Era.class)
    void aFreshKeyIsPassedOnUnread(Agent.Era era) throws Exception {
        List<String> server = ScriptedServer.command("--era=dual");
        RunningGateway.configure(data, Map.of("keys", server, "store", server));
        Path made = files.resolve("made");
        Path kept = files.resolve("kept");
        ByteArrayOutputStream seen = new ByteArrayOutputStream();
        Leaks leaks;
        try (RunningGateway gateway = RunningGateway.start(data);
                Agent agent = era.connect(gateway)) {
            JsonValue created = agent.call("keys__new-key", "{\"file\":" + JsonStrings.quote(made.toString()) + "}");
            leaks = new Leaks(Files.readString(made));
            assertThat(Agent.text(created)).isEqualTo("Your key: " + REFERENCE);
            assertThat(requireNonNull(created.path("structuredContent", "key")).string())
                    .isEqualTo(REFERENCE);

            CompletableFuture<JsonValue> keeping = agent.callLater(
                    "store__keep",
                    "{\"file\":" + JsonStrings.quote(kept.toString()) + ",\"text\":\"" + REFERENCE + "\"}");
            JsonValue approval = gateway.approveNext();
            seen.writeBytes(approval.bytes());
            JsonValue secret =
                    requireNonNull(approval.member("secrets")).elements().getFirst();
            assertThat(secret.string("name")).isEqualTo("captured.1");
            assertThat(secret.string("website")).isEqualTo("captured from keys__new-key, api_key (aws_access_key_id)");
            assertThat(Agent.text(keeping.get(60, TimeUnit.SECONDS))).isEqualTo(REFERENCE);
            assertThat(Files.readString(kept)).isEqualTo(Files.readString(made));

            assertThat(Agent.text(agent.call("vault_list", "{}")))
                    .contains("\"name\":\"captured.1\"", "captured from keys");
            leaks.assertAbsent("what the agent received", agent.received());
            leaks.assertAbsent("the approvals", seen.toByteArray());
            leaks.assertAbsentUnder(data);
            gateway.stop();
            assertThat(gateway.standardError()).contains("created the key");
            leaks.assertAbsent("standard error", gateway.standardError().getBytes(UTF_8));
        }
        leaks.assertAbsentUnder(data);
        leaks.assertFindsAllIn(Files.readAllBytes(kept));

        List<JsonValue> ledger = ledger();
        JsonValue finding =
                requireNonNull(ledger.getFirst().member("findings")).elements().getFirst();
        assertThat(finding.string("direction")).isEqualTo("result");
        assertThat(finding.string("rule")).isEqualTo("aws_access_key_id");
        assertThat(finding.string("action")).isEqualTo("capture");
        assertThat(finding.string("reference")).isEqualTo(REFERENCE);
        JsonValue passing = ledger.stream()
                .filter(line -> "keep".equals(line.string("tool")))
                .findFirst()
                .orElseThrow();
        assertThat(requireNonNull(passing.path("arguments", "text")).string()).isEqualTo(REFERENCE);
        assertThat(passing.string("approver")).isEqualTo("operator");
        assertThat(requireNonNull(passing.member("secret_refs")).elements()).hasSize(1);
        assertThat(PosternProcess.run(data, "ledger", "verify").exitCode()).isZero();
    }

    @Test
    @DisplayName("D6: modes by server and direction, changed while the gateway runs")
    void modesByServer() throws Exception {
        configure("off", Map.of("results", "mask"));
        try (RunningGateway gateway = RunningGateway.start(data);
                Agent agent = Agent.Era.MODERN.connect(gateway)) {
            String text = "{\"text\":\"the key is AKIAQ3EGUHPZLMKWXRT7\"}";
            assertThat(agent.call("one__mirror", text).spelling()).contains("the key is AKIAQ3EGUHPZLMKWXRT7");
            assertThat(agent.call("two__mirror", text).spelling()).contains("the key is [REDACTED:api_key]");

            configure("off", Map.of("arguments", "mask", "results", "off"));
            String kept = "";
            for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
                    !kept.contains("REDACTED") && System.nanoTime() < end; ) {
                agent.call("two__keep", arguments("and AKIAZ7MPLQWXTRYUH3GE"));
                kept = Files.readString(files.resolve("kept"));
            }
            assertThat(kept).isEqualTo("and [REDACTED:api_key]");
        }
        JsonValue last = ledger().getLast();
        assertThat(requireNonNull(last.path("arguments", "text")).string()).isEqualTo("and [REDACTED:api_key]");
        JsonValue finding = requireNonNull(last.member("findings")).elements().getFirst();
        assertThat(finding.string("direction")).isEqualTo("arguments");
        assertThat(finding.string("action")).isEqualTo("mask");
    }

    @Test
    @DisplayName("D6: the names of captured values are not for the vault")
    void names() throws Exception {
        try (RunningGateway gateway = RunningGateway.start(data);
                Agent agent = Agent.Era.MODERN.connect(gateway)) {
            assertThat(Agent.text(agent.call("playground__echo", "{\"text\":\"AKIAQ3EGUHPZLMKWXRT7\"}")))
                    .isEqualTo(REFERENCE);
            assertThat(Agent.text(agent.call("vault_list", "{}"))).contains("captured.1");
            assertThatThrownBy(() -> gateway.addSecret("captured.7", "x-value-of-mine"))
                    .hasMessageContaining("choose another");
        }
    }

    private String arguments(String text) {
        return "{\"file\":" + JsonStrings.quote(files.resolve("kept").toString()) + ",\"text\":"
                + JsonStrings.quote(text) + "}";
    }

    private void configure(Object one, Object two) throws Exception {
        List<String> command = ScriptedServer.command("--era=dual");
        Map<String, Object> servers = new LinkedHashMap<>();
        Map.of("one", one, "two", two)
                .forEach((name, detect) -> servers.put(
                        name,
                        Map.of(
                                "command",
                                command.getFirst(),
                                "args",
                                command.subList(1, command.size()),
                                "detect",
                                detect)));
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
        Files.write(data.resolve("postern.json"), JsonWriter.write(Map.of("mcpServers", servers)));
    }

    private List<JsonValue> ledger() throws Exception {
        return PosternProcess.run(data, "ledger", "export")
                .out()
                .lines()
                .map(line -> JsonValue.parse(line.getBytes(UTF_8)))
                .toList();
    }
}
