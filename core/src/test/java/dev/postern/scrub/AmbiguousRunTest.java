package dev.postern.scrub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.secret.SecretValue;
import dev.postern.testkit.leak.Encoding;
import dev.postern.testkit.leak.LeakFinder;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * S3 where characters of base64 or hex are escaped, and chance makes those of one escape and what follows look like another
 * escape: every way to read them counts.
 */
class AmbiguousRunTest {
    private static final String PLACEHOLDER = "{{vault:x}}";

    /** A backslash before {@code %78} may be one before {@code x}, of which the digits are behind. */
    @Test
    void backslashesBeforePercentEncodedCharacters() {
        String value = "pw;alxh1.:+<alxh9";
        String escaped = value.replace(";", "\\;").replace("<", "\\u003c");
        int ambiguous = 0;
        for (int before = 0; before < 6; before++) {
            String encoded = Base64.getEncoder().encodeToString(("u".repeat(before) + escaped).getBytes(UTF_8));
            String text = encoded.replace("x4a", "\\%784a");
            ambiguous += text.equals(encoded) ? 0 : 1;
            assertThat(scrubbed(value, "token " + text)).contains(PLACEHOLDER);
        }
        assertThat(ambiguous).isPositive();
    }

    /** A percent sign before hex digits is an escape or is none, be they escaped or not and whatever stands before it. */
    @Test
    void aPercentSignBeforeHexOfWhichDigitsAreEscaped() {
        String value = "1.:+<^>_";
        LeakFinder finder = new LeakFinder(List.of(value), List.of(PLACEHOLDER));
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 200; i++) {
            String hex = HexFormat.of()
                    .formatHex(Encoding.PERCENT_ANY.apply(value, random).getBytes(UTF_8));
            for (String before : List.of("\\u0020", "\\n", " ", "\\u0041", "abc", "")) {
                String text = before + "%" + hex.substring(0, 2) + Encoding.JSON_ANY.apply(hex.substring(2), random);
                assertThat(finder.inText(scrubbed(value, text).getBytes(UTF_8)))
                        .as(text)
                        .isEmpty();
            }
        }
    }

    private static String scrubbed(String value, String text) {
        try (Scrubber scrubber =
                Scrubber.of(List.of(new LiveSecret(PLACEHOLDER, new SecretValue(value.getBytes(UTF_8)))))) {
            return new String(scrubber.scrubText(text.getBytes(UTF_8)), UTF_8);
        }
    }
}
