package dev.postern.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Edits leave comments, order and layout of everything else alone. */
class ConfigEditTest {
    private static final String FILE = """
            {
              // mine
              "mcpServers": {
                "a": { "command": "x", }, // first, with a comma
                "b": { "command": "y" } /* last */
              }
            }
            """;

    @TempDir
    private Path directory = Path.of("");

    private Path file = Path.of("");

    @BeforeEach
    void name() {
        file = directory.resolve("postern.json");
    }

    @Test
    void makesTheFile() throws IOException {
        ConfigEdit.add(file, "a", Map.of("command", "x"));
        assertThat(Files.readString(file)).isEqualTo("""
                {
                  "mcpServers": {
                    "a": {"command":"x"}
                  }
                }
                """);
    }

    @Test
    void addsAtTheEnd() throws IOException {
        Files.writeString(file, FILE);
        ConfigEdit.add(file, "c", Map.of("command", "z"));
        assertThat(Files.readString(file))
                .isEqualTo(FILE.replace(
                        "{ \"command\": \"y\" } /* last */",
                        "{ \"command\": \"y\" }, /* last */\n    \"c\": {\"command\":\"z\"}"));
    }

    @Test
    void addsAfterATrailingComma() throws IOException {
        Files.writeString(file, "{\"mcpServers\":{\"a\":{\"command\":\"x\"}, // , \n}}");
        ConfigEdit.add(file, "b", Map.of("command", "y"));
        assertThat(Files.readString(file))
                .isEqualTo("{\"mcpServers\":{\"a\":{\"command\":\"x\"}, // ,\n    \"b\": {\"command\":\"y\"} \n}}");
    }

    @Test
    void addsToAFileWithOtherMembersAndToVsCodesSection() throws IOException {
        Files.writeString(file, "{\"x\":1}");
        ConfigEdit.add(file, "b", Map.of("command", "y"));
        assertThat(ConfigFile.read(file).names()).containsExactly("b");
        Files.writeString(file, "{\"servers\":{\"a\":{\"command\":\"x\"}}}");
        ConfigEdit.add(file, "b", Map.of("command", "y"));
        assertThat(Files.readString(file)).doesNotContain("mcpServers");
        assertThat(ConfigFile.read(file).names()).containsExactly("a", "b");
    }

    @Test
    void removesFirstMiddleLastAndOnly() throws IOException {
        Files.writeString(file, FILE);
        assertThat(ConfigEdit.remove(file, "a")).isTrue();
        assertThat(Files.readString(file)).isEqualTo(FILE.replace("\n    \"a\": { \"command\": \"x\", },", ""));
        Files.writeString(file, FILE);
        assertThat(ConfigEdit.remove(file, "b")).isTrue();
        assertThat(Files.readString(file)).contains("// first, with a comma").doesNotContain("\"b\"");
        assertThat(ConfigFile.read(file).names()).containsExactly("a");
        assertThat(ConfigEdit.remove(file, "a")).isTrue();
        assertThat(ConfigFile.read(file).names()).isEmpty();
        assertThat(Files.readString(file)).contains("// mine");
        assertThat(ConfigEdit.remove(file, "a")).isFalse();
    }

    @Test
    void refusesATakenNameAndKeepsTheFile() throws IOException {
        Files.writeString(file, FILE);
        assertThatThrownBy(() -> ConfigEdit.add(file, "a", Map.of("command", "x")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("already");
        assertThatThrownBy(() -> ConfigEdit.add(file, "a b", Map.of("command", "x")))
                .isInstanceOf(ConfigException.class);
        assertThat(Files.readString(file)).isEqualTo(FILE);
    }

    @Test
    void keepsTheModeOfTheFile() throws IOException {
        Files.writeString(file, FILE);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        ConfigEdit.remove(file, "a");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r-----");
    }

    @Test
    void aChangeIsNoticed() throws Exception {
        SynchronousQueue<String> changes = new SynchronousQueue<>();
        try (ConfigWatch watch = new ConfigWatch(file, () -> {
            try {
                changes.put("changed");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        })) {
            ConfigEdit.add(file, "a", Map.of("command", "x"));
            assertThat(changes.poll(30, TimeUnit.SECONDS)).isEqualTo("changed");
            Files.delete(file);
            assertThat(changes.poll(30, TimeUnit.SECONDS)).isEqualTo("changed");
        }
    }
}
