package dev.postern.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonUnescapeTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"\"",
                "\"plain\"",
                "\"\\b\\f\\n\\r\\t\\/\\\\\\\"\"",
                "\"\\u0000\\u007f\\u0080\\u07FF\\u0800\\uFFFF\"",
                "\"\\ud83d\\ude00 é€😀\""
            })
    void unescapesToTheBytesOfTheString(String token) {
        JsonValue value = JsonValue.parse(token.getBytes(StandardCharsets.UTF_8));
        assertThat(JsonStrings.unescape(value)).isEqualTo(value.string().getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aLoneSurrogateBecomesAQuestionMark() {
        JsonValue value = JsonValue.parse("\"a\\ud83dz\\ude00\\ud83d\\u0041\"".getBytes(StandardCharsets.UTF_8));
        assertThat(new String(JsonStrings.unescape(value), StandardCharsets.UTF_8))
                .isEqualTo("a?z??A");
    }
}
