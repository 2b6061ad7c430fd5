package dev.postern.gate.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Patterns of the policy: what they match, and in what time. */
class GlobTest {
    @ParameterizedTest
    @CsvSource({
        "files__*, files__read, true",
        "files__*, files__, true",
        "files__*, web__read, false",
        "files__read, files__read, true",
        "files__read, FILES__read, false",
        "/srv/*, /srv/a, true",
        "/srv/*, /srv/a/b, false",
        "/srv/**, /srv/a/b, true",
        "/srv/**/x, /srv/a/b/x, true",
        "a?c, abc, true",
        "a?c, a/c, false",
        "a?c, ac, false",
        "*, '', true",
        "'a\\*b', 'a*b', true",
        "'a\\*b', 'axb', false",
        "*é*, caf\u00e9!, true",
        "SELECT **, 'SELECT a/b FROM t', true",
    })
    void matchesTheWholeText(String pattern, String text, boolean expected) {
        assertThat(Glob.of(pattern).matches(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/srv/../etc/passwd",
                "/srv/a/..",
                "/srv/./../x",
                "/srv/a\\..\\..\\etc",
                "/srv/%2e%2e/etc",
                "/srv/..%2fetc",
                "/srv/%252e%252e/etc",
                "/srv/a\0.txt",
            })
    @DisplayName("A text that leads elsewhere than it looks matches no path pattern")
    void aPathThatLeadsElsewhereDoesNotMatch(String text) {
        assertThat(Glob.of("/srv/**").matches(text)).isFalse();
        assertThat(Glob.of("**").matches(text)).as("no path is claimed").isTrue();
    }

    @Test
    void aPatternTooLongOrCutShortIsNone() {
        assertThatIllegalArgumentException().isThrownBy(() -> Glob.of("a".repeat(Glob.MAX_LENGTH + 1)));
        assertThatIllegalArgumentException().isThrownBy(() -> Glob.of("a\\"));
    }

    @Test
    @DisplayName("Against a slow oracle, for every kind of pattern")
    void agreesWithASlowOracle() {
        Random random = new Random(11);
        for (int round = 0; round < 50_000; round++) {
            String pattern = text(random, "ab/?*", 7);
            String text = text(random, "ab/", 8);
            assertThat(Glob.of(pattern).matches(text))
                    .as("%s on %s", pattern, text)
                    .isEqualTo(slow(pattern, text));
        }
    }

    @Test
    @DisplayName("S12: a pattern made to be slow is not")
    void timeIsLinear() {
        Glob glob = Glob.of("*a".repeat(100) + "b");
        assertThat(glob.matches("a".repeat(200_000))).isFalse();
    }

    private static String text(Random random, String alphabet, int most) {
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(most); left > 0; left--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    /** Tries everything. */
    private static boolean slow(String pattern, String text) {
        if (pattern.isEmpty()) {
            return text.isEmpty();
        }
        if (pattern.startsWith("**")) {
            return slow(pattern.substring(2), text) || (!text.isEmpty() && slow(pattern, text.substring(1)));
        }
        char first = pattern.charAt(0);
        if (first == '*') {
            return slow(pattern.substring(1), text)
                    || (!text.isEmpty() && text.charAt(0) != '/' && slow(pattern, text.substring(1)));
        }
        return !text.isEmpty()
                && (first == '?' ? text.charAt(0) != '/' : first == text.charAt(0))
                && slow(pattern.substring(1), text.substring(1));
    }
}
