package dev.postern.scrub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.JsonStrings;
import dev.postern.secret.SecretValue;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** S10, S12: what a server may repeat as often as it likes costs no more than its length, and no stack. */
class LongChainTest {
    private static final String VALUE = "Zq7w/R+9kT2mXv4bZq7w/R+9kT2mXv4b";

    private static String scrubbed(String text) {
        return scrubbed(VALUE, text);
    }

    private static String scrubbed(String value, String text) {
        try (Scrubber scrubber =
                Scrubber.of(List.of(new LiveSecret("{{vault:x}}", new SecretValue(value.getBytes(UTF_8)))))) {
            return new String(scrubber.scrub(JsonStrings.quote(text).getBytes(UTF_8)), UTF_8);
        }
    }

    @Test
    @DisplayName("S15: the last part of a value is found behind any number of colour codes")
    void behindManyColourCodes() {
        String part = VALUE.substring(12);
        assertThat(scrubbed("\u001b[0m".repeat(50_000) + part + " x"))
                .doesNotContain(part)
                .contains("{{vault:x}} x");
    }

    @Test
    @Timeout(60)
    @DisplayName(
            "S12: a backslash that stands for a backslash that stands for another, and so on, is followed a few times only")
    void chainsOfEscapedBackslashes() {
        // Followed to its end from each of its places, this takes hours.
        String chain = "\\u005c".repeat(300_000);
        assertThat(scrubbed(chain + VALUE + " x")).doesNotContain(VALUE).contains("{{vault:x}}");
    }

    @Test
    @Timeout(60)
    @DisplayName(
            "S12: a long value of one letter costs no more than a short one, in a text of that letter, escaped twice")
    void longValuesOfOneLetter() {
        // If each place where the value may have begun is followed by itself, this takes minutes.
        assertThat(scrubbed("a".repeat(1_000), "%2561".repeat(100_000))).isEqualTo("\"{{vault:x}}\"");
    }
}
