package dev.postern.scrub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.JsonStrings;
import dev.postern.secret.SecretValue;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** S3: base64 and hex over several lines, as {@code base64 -w} and {@code xxd -p} print them; and what shells escape. */
class WrappedTest {
    private static final String VALUE = "ghq_Zx81kLmQ0pRtUvWy3456AbCdEfGhIjKlMnOpQr";

    @ParameterizedTest
    @ValueSource(ints = {13, 16, 20, 28, 30, 32, 48, 60, 64, 76})
    void linesOfAnyUsualWidthAreJoined(int width) {
        for (String lineEnd : List.of("\n", "\r\n", "\n  ")) {
            for (int before = 0; before < 20; before++) {
                byte[] text = ("x".repeat(before) + VALUE + "tail").getBytes(UTF_8);
                for (String encoded : List.of(
                        Base64.getEncoder().encodeToString(text),
                        HexFormat.of().formatHex(text),
                        HexFormat.of().withUpperCase().formatHex(text))) {
                    isFound(wrap(encoded, width, lineEnd), before);
                }
            }
        }
    }

    /** Escaped first, then encoded, then wrapped: no line of it is as long as the value, nor where a tool cuts it. */
    @ParameterizedTest
    @ValueSource(ints = {13, 16, 20, 28, 30, 64, 76})
    void linesOfWhatWasEscapedAndEncodedAreJoined(int width) {
        String value = "p\u00e4ss;w\u00f6rd \u03b1\u03b2\u03b3;9";
        String escaped = "user " + value.replace(";", "\\;") + " and more of it";
        try (Scrubber scrubber = scrubber(value)) {
            for (int before = 0; before < 12; before++) {
                byte[] text = ("x".repeat(before) + escaped).getBytes(UTF_8);
                for (String encoded : List.of(
                        Base64.getEncoder().encodeToString(text), HexFormat.of().formatHex(text))) {
                    String wrapped = wrap(encoded, width, "\n");
                    assertThat(new String(scrubber.scrubText(wrapped.getBytes(UTF_8)), UTF_8))
                            .contains("{{vault:x}}");
                }
            }
        }
    }

    private static void isFound(String wrapped, int before) {
        try (Scrubber scrubber = scrubber(VALUE)) {
            String json = "{\"a\":" + " ".repeat(before) + JsonStrings.quote(wrapped) + "}";
            assertThat(new String(scrubber.scrub(json.getBytes(UTF_8)), UTF_8)).contains("{{vault:x}}");
            assertThat(new String(scrubber.scrubText(wrapped.getBytes(UTF_8)), UTF_8))
                    .contains("{{vault:x}}");
        }
    }

    private static String wrap(String text, int width, String lineEnd) {
        return text.replaceAll("(?s)(.{" + width + "})", "$1" + lineEnd);
    }

    @Test
    void whatAShellEscapesIsUndone() {
        try (Scrubber scrubber = scrubber("my secret pass/word \u00e9 99")) {
            for (String printed :
                    List.of("my\\ secret\\ pass/word\\ \u00e9\\ 99", "my\\ secret\\ pass\\/word\\ \\\u00e9\\ 99")) {
                assertThat(new String(scrubber.scrubText(printed.getBytes(UTF_8)), UTF_8))
                        .isEqualTo("{{vault:x}}");
            }
        }
    }

    private static Scrubber scrubber(String value) {
        return Scrubber.of(List.of(new LiveSecret("{{vault:x}}", new SecretValue(value.getBytes(UTF_8)))));
    }
}
