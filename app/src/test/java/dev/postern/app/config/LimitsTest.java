package dev.postern.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.mcp.server.McpSettings;
import java.nio.charset.StandardCharsets;
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
