package dev.postern.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.config.ConfigImport.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Interfaces, {@code postern import}: servers of other clients, with a backup and a dry run. */
final class ConfigImportTest {
    private static final LocalDateTime NOW = LocalDateTime.of(2026, 7, 28, 12, 30, 5);

    @TempDir
    private Path folder;

    private Path source = Path.of("");
    private Path target = Path.of("");

    @BeforeEach
    void files() throws IOException {
        source = folder.resolve("mcp.json");
        target = folder.resolve("postern.json");
        Files.writeString(source, """
                {
                  // other clients' members stay theirs
                  "servers": {
                    "files": {"type": "stdio", "command": "npx", "args": ["-y", "x"], "cwd": "work"},
                    "old": {"type": "sse", "url": "https://example.com/sse",
                            "headers": {"Authorization": "Bearer ${input:Old_Key}"}},
                    "unknown": {"command": "x", "env": {"A": "${NOT_SET_HERE}"}},
                    "postern": {"command": "/opt/bin/postern", "args": ["connect"]},
                    "taken": {"command": "y"},
                  },
                }
                """);
        Files.writeString(target, "{\n  \"mcpServers\": {\n    \"taken\": {\"command\": \"z\"} // mine\n  }\n}\n");
    }

    @Test
    void aDryRunOnlySaysWhatWouldBeDone() throws IOException {
        String before = Files.readString(target);
        List<Step> steps = ConfigImport.plan(List.of(source), target, ConfigImportTest::none);
        assertThat(steps)
                .extracting(step -> step.name() + (step.definition() == null ? " left out" : " added"))
                .containsExactly("files added", "old added", "unknown left out", "postern left out", "taken left out");
        assertThat(steps.get(1).note()).isEqualTo("add its values: postern secret add old_key");
        assertThat(steps.get(2).note()).contains("NOT_SET_HERE");
        assertThat(Files.readString(target)).isEqualTo(before);
    }

    @Test
    void whatIsAddedStartsFromHereAndTheFileAsItWasIsKept() throws IOException {
        String before = Files.readString(target);
        Path copy = ConfigImport.apply(ConfigImport.plan(List.of(source), target, ConfigImportTest::none), target, NOW);
        assertThat(copy).isEqualTo(folder.resolve("postern.json.backup-20260728-123005"));
        assertThat(copy).hasContent(before);
        assertThat(Files.readString(target)).contains("// mine", "{{vault:old_key}}");
        List<ConfiguredServer> servers = ConfigFile.read(target).servers(ConfigImportTest::none);
        assertThat(servers).extracting(ConfiguredServer::name).containsExactly("taken", "files", "old");
        assertThat(servers.get(1).launch())
                .isInstanceOfSatisfying(
                        ConfiguredServer.Command.class,
                        command -> assertThat(command.directory()).isEqualTo(folder.resolve("work")));
    }

    @Test
    void nothingToAddChangesNothing() throws IOException {
        Path again = folder.resolve("again.json");
        Files.writeString(again, "{\"mcpServers\":{\"taken\":{\"command\":\"y\"}}}");
        assertThat(ConfigImport.apply(ConfigImport.plan(List.of(again), target, ConfigImportTest::none), target, NOW))
                .isNull();
        try (var files = Files.list(folder)) {
            assertThat(files).hasSize(3);
        }
    }

    @Test
    void clientsFilesAreFoundWhereTheyKeepThem() throws IOException {
        Path cursor = Files.createDirectories(folder.resolve("home/.cursor")).resolve("mcp.json");
        Path code = Files.createDirectories(folder.resolve("project/.vscode")).resolve("mcp.json");
        Path claude = folder.resolve("home/.claude.json");
        for (Path file : List.of(cursor, code, claude)) {
            Files.writeString(file, "{}");
        }
        Path home = folder.resolve("home");
        Path project = folder.resolve("project");
        assertThat(ConfigImport.files("cursor", home, project)).containsExactly(cursor);
        assertThat(ConfigImport.files("vscode", home, project)).containsExactly(code);
        assertThat(ConfigImport.files("claude", home, project)).containsExactly(claude);
        assertThat(ConfigImport.files("other", home, project)).isEmpty();
    }

    private static @Nullable String none(String variable) {
        return null;
    }
}
