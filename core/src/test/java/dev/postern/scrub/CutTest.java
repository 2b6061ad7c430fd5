package dev.postern.scrub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.JsonStrings;
import dev.postern.secret.SecretValue;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** S15: a value that was escaped, once or twice over, and then cut anywhere, in the middle of an escape as well. */
class CutTest {
    private static final String VALUE = "Zq\"w<&'x/+=9p k#;u7@n!~R";
    /** How many characters of it count at least. */
    private static final int PART = VALUE.length() / 2;

    private static final Map<String, Function<Character, String>> ESCAPES = Map.of(
            "JSON", c -> "\\u%04x".formatted((int) c),
            "percent", c -> "%%%02X".formatted((int) c),
            "HTML decimal", c -> "&#%d;".formatted((int) c),
            "HTML hexadecimal", c -> "&#x%x;".formatted((int) c),
            "backslash", c -> Character.isLetterOrDigit(c) ? "" + c : "\\" + c,
            "hexadecimal", c -> "\\x%02x".formatted((int) c));

    private static List<List<String>> chains() {
        return ESCAPES.keySet().stream()
                .flatMap(inner -> ESCAPES.keySet().stream().map(outer -> List.of(inner, outer)))
                .toList();
    }

    private static String escaped(String text, String name) {
        Function<Character, String> escape = ESCAPES.getOrDefault(name, String::valueOf);
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            escaped.append(escape.apply(text.charAt(i)));
        }
        return escaped.toString();
    }

    @ParameterizedTest
    @MethodSource("chains")
    void theFirstPartIsFoundWhereverTheRestWasCut(List<String> chain) {
        try (Scrubber scrubber = scrubber()) {
            String whole = escaped(escaped(VALUE, chain.get(0)), chain.get(1));
            String part = escaped(escaped(VALUE.substring(0, PART), chain.get(0)), chain.get(1));
            for (int end = part.length(); end <= whole.length(); end++) {
                assertThat(scrubbed(scrubber, "see: " + whole.substring(0, end)))
                        .as("%s, cut %d characters before its end", chain, whole.length() - end)
                        .isEqualTo("see: {{vault:x}}");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("chains")
    void theLastPartIsFoundWhereverItStarts(List<String> chain) {
        try (Scrubber scrubber = scrubber()) {
            String whole = escaped(escaped(VALUE, chain.get(0)), chain.get(1));
            String part = escaped(escaped(VALUE.substring(VALUE.length() - PART), chain.get(0)), chain.get(1));
            for (int start = 0; start <= whole.length() - part.length(); start++) {
                assertThat(scrubbed(scrubber, whole.substring(start) + " was it"))
                        .as("%s, cut %d characters after its start", chain, start)
                        .isEqualTo("{{vault:x}} was it");
            }
        }
    }

    private static Scrubber scrubber() {
        return Scrubber.of(List.of(new LiveSecret("{{vault:x}}", new SecretValue(VALUE.getBytes(UTF_8)))));
    }

    private static String scrubbed(Scrubber scrubber, String text) {
        String json = new String(scrubber.scrub(JsonStrings.quote(text).getBytes(UTF_8)), UTF_8);
        return json.substring(1, json.length() - 1);
    }
}
