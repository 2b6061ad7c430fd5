package dev.postern.app.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.gate.agent.Permission;
import dev.postern.mcp.oauth.ResourceServerSettings;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OAuthReaderTest {
    private static @Nullable ResourceServerSettings read(String json) {
        return ConfigFile.parse(Path.of("postern.json"), json.getBytes(UTF_8)).oauth("http://127.0.0.1:7437");
    }

    @Test
    void withoutTheMemberNoTokenIsTaken() {
        assertThat(read("{}")).isNull();
    }

    @Test
    void whatIsLeftOutIsTheCarefulWay() {
        assertThat(read("{\"oauth\":{\"issuer\":\"https://a.example\"}}"))
                .isEqualTo(new ResourceServerSettings(
                        "https://a.example",
                        null,
                        "http://127.0.0.1:7437",
                        ResourceServerSettings.USUAL_ALGORITHMS,
                        Map.of(),
                        java.util.List.of(),
                        false));
    }

    @Test
    void everythingIsRead() {
        ResourceServerSettings settings = read("""
                {"oauth":{"issuer":"http://localhost:1/r","jwksUri":"https://a.example/k","resource":"https://p.example",
                "algorithms":["ES384"],"scopes":{"secret.use":"s"},"others":"add",
                "agents":[{"subject":"u","client":"c","agent":"a"}]}}""");
        assertThat(settings).isNotNull().satisfies(read -> {
            assertThat(read.resource()).isEqualTo("https://p.example");
            assertThat(read.algorithms()).containsExactly("ES384");
            assertThat(read.scopes()).isEqualTo(Map.of(Permission.SECRET_USE, "s"));
            assertThat(read.agents()).containsExactly(new ResourceServerSettings.AgentRule("u", "c", "a"));
            assertThat(read.addsUnknown()).isTrue();
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[]|/oauth: this is not an object",
                "{}|\"issuer\" is missing",
                "{\"issuer\":\"http://a.example\"}|/oauth/issuer: this is no https address",
                "{\"issuer\":\"https://a.example\",\"algorithms\":[\"none\"]}|none of the signatures",
                "{\"issuer\":\"https://a.example\",\"algorithms\":[\"HS256\"]}|none of the signatures",
                "{\"issuer\":\"https://a.example\",\"resource\":\"https://p.example/mcp\"}|has a path",
                "{\"issuer\":\"https://a.example\",\"agents\":[{\"agent\":\"a\"}]}|an entry has",
                "{\"issuer\":\"https://a.example\",\"others\":\"all\"}|neither",
                "{\"issuer\":\"https://a.example\",\"audience\":\"x\"}|correct or remove"
            })
    void aMistakeIsNamedWithItsPlace(String oauth, String said) {
        assertThatThrownBy(() -> read("{\"oauth\":" + oauth + "}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("postern.json line 1, /oauth")
                .hasMessageContaining(said);
    }
}
