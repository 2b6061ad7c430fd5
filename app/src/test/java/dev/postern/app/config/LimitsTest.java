package dev.postern.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.json.JsonValue;
import dev.postern.mcp.client.ConnectionLimits;
import dev.postern.mcp.relay.RelaySettings;
import dev.postern.mcp.server.McpServer;
import dev.postern.mcp.server.McpSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code limits} and {@code tls} of the configuration. */
class LimitsTest {
    private static ConfigFile file(String text) {
        return ConfigFile.parse(Path.of("/x/postern.json"), text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void whatIsLeftOutIsAsUsual() {
        ConfiguredLimits limits = file("{\"limits\":{\"sessions\":7,\"serverMessageBytes\":2048}}")
                .limits();
        assertThat(limits.agents().maxSessionsPerAgent()).isEqualTo(7);
        assertThat(limits.agents().maxBodyBytes()).isEqualTo(McpSettings.DEFAULTS.maxBodyBytes());
        assertThat(limits.servers().maxMessageBytes()).isEqualTo(2048);
        assertThat(file("{}").limits().agents()).isEqualTo(McpSettings.DEFAULTS);
    }

    @Test
    void everyLimitThatIsSetIsTaken() {
        ConfiguredLimits limits = file("{\"limits\":{\"messageBytes\":2000,\"openResponses\":3,\"sessions\":4,"
                        + "\"requestsPerSecond\":5,\"serverMessageBytes\":6000}}")
                .limits();
        assertThat(limits.agents()).isEqualTo(new McpSettings(2_000, McpSettings.DEFAULTS.heartbeat(), 3, 4, 5));
        assertThat(limits.servers()).isEqualTo(ConnectionLimits.standard().withMaxMessageBytes(6_000));
    }

    @Test
    void theDocumentSaysWhatIsUsual() throws IOException {
        McpSettings agents = McpSettings.DEFAULTS;
        ConnectionLimits servers = ConnectionLimits.standard();
        assertThat(Files.readString(Path.of("..", "docs", "configuration.md")))
                .contains("\"messageBytes\": " + agents.maxBodyBytes())
                .contains("| `messageBytes` | " + agents.maxBodyBytes() / (double) (1 << 20) + " MiB |")
                .contains("| `openResponses` | %,d |".formatted(agents.maxOpenPerAgent()))
                .contains("| `sessions` | %,d |".formatted(agents.maxSessionsPerAgent()))
                .contains("| `requestsPerSecond` | %,d |".formatted(agents.maxRequestsPerSecond()))
                .contains("| `serverMessageBytes` | " + (servers.maxMessageBytes() >> 20) + " MiB |")
                .contains("| nesting of a message, from either side | " + JsonValue.DEFAULT_MAX_DEPTH + " levels |")
                .contains(McpServer.IDLE.toSeconds() + " s of silence")
                .contains("a write that makes no way for " + McpServer.IDLE.toSeconds() + " s")
                .contains(
                        "| what waits for a child that does not read | " + (servers.maxQueuedBytes() >> 20) + " MiB |")
                .contains("| requests of one server that wait for the client | " + servers.maxServerRequests() + " |")
                .contains("| " + servers.probe().toSeconds() + " s, "
                        + servers.handshake().toSeconds() + " s |")
                .contains("| " + servers.longestRequest().toHours() + " h |")
                .contains("| " + servers.exit().toSeconds() + " s each |")
                .contains("| " + servers.stderrLinesPerSecond() + " lines a second, "
                        + (servers.maxStderrLineBytes() >> 10) + " KiB a line |")
                .contains("| " + RelaySettings.DEFAULTS.idleSession().toMinutes() + " min, "
                        + RelaySettings.DEFAULTS.idleConnection().toMinutes() + " min |");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"limits\":3}|not an object",
                "{\"limits\":{\"speed\":1}}|there are messageBytes",
                "{\"limits\":{\"sessions\":0}}|/limits/sessions",
                "{\"limits\":{\"messageBytes\":\"much\"}}|/limits/messageBytes",
                "{\"limits\":{\"requestsPerSecond\":1e99}}|/limits/requestsPerSecond",
            })
    void aWrongLimitIsAnErrorThatNamesThePlace(String text, String said) {
        assertThatThrownBy(() -> file(text).limits())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(said);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"tls\":true}|PEM files",
                "{\"tls\":{\"certificate\":\"a.pem\"}}|PEM files",
                "{\"tls\":{\"certificate\":\"a.pem\",\"key\":3}}|/tls/key",
                "{\"tls\":{\"keystore\":\"a.p12\",\"password\":\"${NONE}\"}}|NONE",
            })
    void wrongTlsIsAnErrorThatNamesThePlace(String text, String said) {
        assertThatThrownBy(() -> file(text).tls(name -> null))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(said);
    }
}
