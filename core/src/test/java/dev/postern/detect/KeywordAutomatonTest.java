package dev.postern.detect;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class KeywordAutomatonTest {
    private static final int LONGEST = 6;

    @Property
    void findsWhatLookingAtEachPlaceFinds(
            @ForAll @Size(max = 12)
                    Set<@StringLength(min = 2, max = 6) @CharRange(from = 'a', to = 'c') @Chars('~') String> keywords,
            @ForAll @StringLength(max = 60) @CharRange(from = 'a', to = 'c') @Chars({'~', 'A', 'B', '!'}) String text) {
        check(List.copyOf(keywords), text);
    }

    @Property
    void inTextOfAnyKind(
            @ForAll @Size(max = 12) Set<@StringLength(min = 2, max = 5) @AlphaChars String> keywords,
            @ForAll @StringLength(max = 40) String text) {
        List<String> lower = keywords.stream()
                .map(keyword -> keyword.toLowerCase(Locale.ROOT))
                .distinct()
                .toList();
        check(lower, text + String.join(text, keywords));
    }

    @Test
    void atTheVeryEnd() {
        check(List.of("ab", "abc", "bcd", "abcde"), "xxABCDE");
        check(List.of("ab"), "ab");
        check(List.of(), "ab");
    }

    private static void check(List<String> keywords, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        List<String> expected = new ArrayList<>();
        for (int at = 0; at < bytes.length; at++) {
            for (int end = at + 1; end <= Math.min(bytes.length, at + LONGEST); end++) {
                String word = new String(bytes, at, end - at, StandardCharsets.ISO_8859_1);
                StringBuilder lower = new StringBuilder();
                word.chars().forEach(c -> lower.append((char) (c >= 'A' && c <= 'Z' ? c + 32 : c)));
                if (keywords.contains(lower.toString())) {
                    expected.add(lower + " to " + end);
                }
            }
        }

        List<String> found = new ArrayList<>();
        new KeywordAutomaton(keywords.stream().map(Ascii::bytes).toList())
                .scan(bytes, 0, bytes.length, (keyword, end) -> found.add(keywords.get(keyword) + " to " + end));

        assertThat(found).isEqualTo(expected);
    }
}
