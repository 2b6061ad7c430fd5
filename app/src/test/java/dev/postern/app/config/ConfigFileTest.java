package dev.postern.app.config;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.postern.gate.detect.DetectionMode;
import dev.postern.gate.detect.DetectionModes;
import dev.postern.gate.vault.ArgumentPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The formats people already have, and errors that name place and remedy. */
class ConfigFileTest {
    private static final Map<String, String> VARIABLES = Map.of("HOME", "/home/kim", "EMPTY", "", "TOKEN", "t0ken");

    @Test
    void readsTheFormatOfClaudeAndCursorWithCommentsAndTrailingCommas() {
        List<ConfiguredServer> servers = read("""
                \uFEFF// what I use
                { "mcpServers": {
                    "files": { "command": "npx", "args": ["-y", "fs // not a comment", "${HOME}/x",], /* here */
                               "env": { "T": "${env:TOKEN}", "PORT": 8080 }, "timeout": 1500 },
                    "off": { "command": "x", "disabled": true },
                    "web": { "type": "http", "url": "https://h/mcp", "headers": { "Authorization": "Bearer {{vault:t}}" }, },
                }, }
                """);
        assertThat(servers).extracting(ConfiguredServer::name).containsExactly("files", "web");
        ConfiguredServer.Command files =
                (ConfiguredServer.Command) servers.getFirst().launch();
        assertThat(files.command().text()).isEqualTo("npx");
        assertThat(files.arguments())
                .extracting(Setting::text)
                .containsExactly("-y", "fs // not a comment", "/home/kim/x");
        assertThat(requireNonNull(files.environment().get("T")).text()).isEqualTo("t0ken");
        assertThat(requireNonNull(files.environment().get("PORT")).text()).isEqualTo("8080");
        assertThat(servers.getFirst().timeout()).isEqualTo(Duration.ofMillis(1500));
        ConfiguredServer.Url web = (ConfiguredServer.Url) servers.get(1).launch();
        assertThat(requireNonNull(web.headers().get("Authorization")).text()).isEqualTo("Bearer {{vault:t}}");
    }

    @Test
    void readsTheFormatOfVsCode() {
        List<ConfiguredServer> servers = read("""
                { "inputs": [ { "id": "apiKey", "type": "promptString", "password": true },
                              { "id": "region", "type": "promptString", "default": "eu" } ],
                  "servers": { "s": { "type": "stdio", "command": "run",
                                      "env": { "KEY": "${input:apiKey}", "REGION": "${input:region}" } } } }
                """);
        ConfiguredServer.Command command =
                (ConfiguredServer.Command) servers.getFirst().launch();
        assertThat(requireNonNull(command.environment().get("KEY")).text()).isEqualTo("{{vault:apikey}}");
        assertThat(requireNonNull(command.environment().get("REGION")).text()).isEqualTo("eu");
    }

    @ParameterizedTest
    @CsvSource({
        "${TOKEN}, t0ken",
        "a${TOKEN}b${HOME}, at0kenb/home/kim",
        "${NONE:-d:-e}, d:-e",
        "${EMPTY:-d}, d",
        "${TOKEN:-d}, t0ken",
        "${NONE:-}, ''",
        "$TOKEN and $$, $TOKEN and $$"
    })
    void expandsVariables(String text, String expected) {
        assertThat(new Variables(VARIABLES::get, id -> null).expand(text, "here"))
                .isEqualTo(expected);
    }

    @Test
    @DisplayName("P9: where tools lead is declared by tool: one argument, several, or none")
    void destinationArguments() {
        ConfiguredServer server = read("""
                {"mcpServers":{"a":{"command":"x","destinationArguments":
                  {"fetch":"url","relay":["/request/target","proxy"],"note":[]}}}}""").getFirst();
        assertThat(server.destinationArguments())
                .containsOnly(
                        entry("fetch", List.of(new ArgumentPath(List.of("url")))),
                        entry(
                                "relay",
                                List.of(
                                        new ArgumentPath(List.of("request", "target")),
                                        new ArgumentPath(List.of("proxy")))),
                        entry("note", List.of()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"mcpServers\":\\n{\"a\":{\"command\":\"${NONE}\"}}}|postern.json line 2, /mcpServers/a/command|NONE is not set",
                "{\"mcpServers\":{\"a\":{\"command\":\"${a b}\"}}}|/mcpServers/a/command|a variable is written",
                "{\"mcpServers\":{\"a\":{\"command\":\"${x\"}}}|/mcpServers/a/command|not closed",
                "{\"mcpServers\":{\"a\":{\"command\":\"${input:x}\"}}}|/mcpServers/a/command|no such input",
                "{\"mcpServers\":{\"a__b\":{\"command\":\"x\"}}}|/mcpServers/a__b|rename it",
                "{\"mcpServers\":{\"postern\":{\"command\":\"x\"}}}|/mcpServers/postern|another name",
                "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"destinationArguments\":[]}}}|/mcpServers/a/destinationArguments|by tool",
                "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"destinationArguments\":{\"t\":7}}}}|/mcpServers/a/destinationArguments/t|write its name",
                "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"destinationArguments\":{\"t\":[\"a\",\"a//b\"]}}}}|/mcpServers/a/destinationArguments/t/1|write its name",
                "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"destinationArguments\":{\"t\":[],\"t\":[]}}}}|/mcpServers/a/destinationArguments/t|twice",
                "{\"mcpServers\":{\"a\":{}}}|/mcpServers/a|needs \"command\"",
                "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"url\":\"y\"}}}|/mcpServers/a|exclude each other",
                "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"args\":\"y\"}}}|/mcpServers/a/args|not an array",
                "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"env\":{\"K\":null}}}}|/mcpServers/a/env/K|not a string",
                "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"type\":\"http\"}}}|/mcpServers/a/type|the type is",
                "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"timeout\":0}}}|/mcpServers/a/timeout|milliseconds",
                "{\"mcpServers\":{\"a\":{\"command\":\"x\"},\"a\":{\"command\":\"x\"}}}|/mcpServers/a|twice",
                "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"detect\":\"hide\"}}}|/mcpServers/a/detect|the mode is \"off\"",
                "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"detect\":{\"result\":\"off\"}}}}|/mcpServers/a/detect|\"results\"",
                "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"detect\":{\"results\":1}}}}|/mcpServers/a/detect/results|the mode is",
                "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"detect\":{\"rules\":\"r\"}}}}|/mcpServers/a/detect|the whole gateway's",
                "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"detect\":[]}}}|/mcpServers/a/detect|neither a mode",
                "{\"detect\":true,\"mcpServers\":{}}|postern.json line 1, /detect|neither a mode",
                "{\"mcpServers\":[]}|/mcpServers|not an object",
                "{\\n\\n\"a\":}|postern.json line 3|misspelt",
                "[]|postern.json line 1|not a JSON object"
            })
    void whatIsWrongIsNamedWithItsPlace(String text, String place, String reason) {
        assertThatThrownBy(() -> read(text.replace("\\n", "\n")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(place)
                .hasMessageContaining(reason);
    }

    @Test
    @DisplayName("D6: a server's modes, else the gateway's, else the defaults; they need no new start")
    void readsWhatIsDetected() {
        List<ConfiguredServer> servers = read("""
                { "detect": { "arguments": "mask", "rules": "rules.json" },
                  "mcpServers": { "a": { "command": "x" }, "b": { "command": "x", "detect": "off" },
                                  "c": { "command": "x", "detect": { "results": "report" } } } }
                """);
        assertThat(servers)
                .extracting(ConfiguredServer::detect)
                .containsExactly(
                        new DetectionModes(DetectionMode.MASK, DetectionMode.CAPTURE),
                        DetectionModes.OFF,
                        new DetectionModes(DetectionMode.MASK, DetectionMode.REPORT));
        ConfiguredServer before =
                read("{\"mcpServers\":{\"b\":{\"command\":\"x\"}}}").getFirst();
        ConfiguredServer after = read("{\"mcpServers\":{\"b\":{\"command\":\"x\",\"detect\":\"off\"}}}")
                .getFirst();
        assertThat(before.detect()).isEqualTo(DetectionModes.DEFAULTS);
        assertThat(before.timeout()).isEqualTo(after.timeout());
    }

    @Test
    @DisplayName("D6: the gateway's rule file lies beside the configuration, and a mistake in it is named")
    void readsTheRuleFile(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("postern.json");
        Files.writeString(file, "{\"detect\":{\"rules\":\"rules.json\"}}");
        assertThatThrownBy(() -> ConfigFile.read(file).detectionRules())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("/detect/rules: the rule file cannot be read");
        Files.writeString(directory.resolve("rules.json"), "{\"allow\":[{}]}");
        assertThatThrownBy(() -> ConfigFile.read(file).detectionRules())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("neither rule, path nor value");
        Files.writeString(directory.resolve("rules.json"), "{\"rules\":[{\"name\":\"env_secret\",\"disabled\":true}]}");
        assertThat(ConfigFile.read(file).detectionRules().names()).doesNotContain("env_secret");
    }

    @Test
    void noErrorQuotesASetting() {
        assertThatThrownBy(() -> read("{\"mcpServers\":{\"a\":{\"command\":\"hunter2 ${NONE}\"}}}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageNotContaining("hunter2");
        assertThat(new Setting("hunter2", "here").toString()).doesNotContain("hunter2");
    }

    @Test
    void aMissingFileHasNoServers() {
        assertThat(ConfigFile.read(Path.of("/nowhere/postern.json")).servers(VARIABLES::get))
                .isEmpty();
    }

    private static List<ConfiguredServer> read(String text) {
        return ConfigFile.parse(Path.of("/data/postern.json"), text.getBytes(StandardCharsets.UTF_8))
                .servers(VARIABLES::get);
    }
}
