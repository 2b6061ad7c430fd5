package dev.postern.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ProgressTokensTest {
    private final ProgressTokens tokens = new ProgressTokens();
    private final OpenRequest first = new OpenRequest(1, "tools/call", null, "first");
    private final OpenRequest second = new OpenRequest(2, "tools/call", null, "second");

    @ParameterizedTest
    @ValueSource(
            strings = {"{}", "{\"_meta\":{}}", "{\"_meta\":{\"progressToken\":null}}", "{\"progressToken\":1}", "[1]"})
    void withoutATokenParamsStayTheSameArray(String params) {
        byte[] bytes = bytes(params);
        assertThat(tokens.claim(bytes, first)).isSameAs(bytes);
    }

    @Test
    void aFreeTokenStaysAndATakenOneIsReplacedAndGivenBack() {
        byte[] params = bytes("{ \"_meta\" : {\"progressToken\" : 7.0 } , \"x\":1.50}");
        assertThat(tokens.claim(params, first)).isSameAs(params);
        String replaced = text(tokens.claim(bytes("{ \"_meta\" : {\"progressToken\" : 7 } , \"x\":1.50}"), second));
        assertThat(replaced).isEqualTo("{ \"_meta\" : {\"progressToken\" : \"postern-progress-1\" } , \"x\":1.50}");

        assertThat(tokens.owner(token("{\"progressToken\":7}"))).isSameAs(first);
        assertThat(tokens.owner(token("{\"progressToken\":\"7\"}"))).isNull();
        JsonValue ours = token("{\"progressToken\":\"postern-progress-\\u0031\", \"progress\":1.0}");
        assertThat(tokens.owner(ours)).isSameAs(second);
        assertThat(text(tokens.restore(ours.text(), ours))).isEqualTo("{\"progressToken\":7, \"progress\":1.0}");

        tokens.release(first);
        tokens.release(second);
        assertThat(tokens.owner(token("{\"progressToken\":7}"))).isNull();
        assertThat(tokens.claim(params, second)).isSameAs(params);
    }

    @Test
    void aTokenThatLooksLikeOursIsNotTakenForIt() {
        assertThat(tokens.claim(bytes("{\"_meta\":{\"progressToken\":\"postern-progress-1\"}}"), first))
                .isNotNull();
        assertThat(tokens.claim(bytes("{\"_meta\":{\"progressToken\":1e999999999}}"), first))
                .isNotNull();
        assertThat(text(tokens.claim(bytes("{\"_meta\":{\"progressToken\":\"postern-progress-1\"}}"), second)))
                .contains("postern-progress-2");
    }

    private static JsonValue token(String params) {
        return Objects.requireNonNull(JsonValue.parse(bytes(params)).member("progressToken"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
