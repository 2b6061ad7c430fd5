package dev.postern.scrub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.JsonStrings;
import dev.postern.secret.SecretValue;
import dev.postern.testkit.leak.LeakFinder;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** S15: a value that was escaped, once or twice over, and then cut anywhere, in the middle of an escape as well. */
class CutTest {
    private static final String ASCII = "Zq\"w<&'x/+=9p k#;u7@n!~R";
    /** With characters of two, three and four bytes, and such as have another normal form, of more bytes than a key of the index. */
    private static final String COMPOSED =
            "\u01edZ\ud83d\ude00\u1e69\u01ed?\u00e9p[\u01d6\u20ac\u1ed9{7^\ud870\udf31\u01edu\u00df%x\u1ec7";

    /** With marks that stand on another character, or on each other, and count as characters by themselves. */
    private static final String MARKED = "A4\u00fdx-W\u030a\u030ay\u00ee\u0301z\u030a\u030a\u0301K\u0323p\u0302";

    private static final Map<String, IntFunction<String>> ESCAPES = Map.of(
            "JSON", c -> ofEach(Character.toString(c), "\\u%04x"),
            "percent", c -> ofEachByte(c, "%%%02X"),
            "HTML decimal", "&#%d;"::formatted,
            "HTML hexadecimal", "&#x%x;"::formatted,
            "HTML names",
                    c -> switch (c) {
                        case '"' -> "&quot;";
                        case '&' -> "&amp;";
                        case '<' -> "&lt;";
                        case '\'' -> "&apos;";
                        case 0xE9 -> "&eacute;";
                        case 0xDF -> "&szlig;";
                        default -> Character.toString(c);
                    },
            "backslash", c -> Character.isLetterOrDigit(c) ? Character.toString(c) : "\\" + Character.toString(c),
            "hexadecimal", c -> ofEachByte(c, "\\x%02x"));

    private static String ofEach(String text, String format) {
        return text.chars().mapToObj(format::formatted).collect(Collectors.joining());
    }

    private static String ofEachByte(int character, String format) {
        StringBuilder escaped = new StringBuilder();
        for (byte b : Character.toString(character).getBytes(UTF_8)) {
            escaped.append(format.formatted(b & 0xFF));
        }
        return escaped.toString();
    }

    private static Stream<Arguments> chains() {
        return Stream.of(ASCII, COMPOSED, MARKED)
                .flatMap(value -> ESCAPES.keySet().stream()
                        .flatMap(inner ->
                                ESCAPES.keySet().stream().map(outer -> Arguments.of(value, List.of(inner, outer)))));
    }

    /** Chains of four that begin with names, whose letters are then escaped three times over. */
    private static Stream<List<String>> longChains() {
        List<String> rules = List.of("JSON", "percent", "HTML decimal", "hexadecimal");
        return rules.stream()
                .flatMap(second -> rules.stream()
                        .flatMap(third -> rules.stream().map(fourth -> List.of("HTML names", second, third, fourth))));
    }

    private static String escaped(String text, List<String> chain) {
        String escaped = text;
        for (String name : chain) {
            IntFunction<String> escape = requireNonNull(ESCAPES.get(name));
            escaped = escaped.codePoints().mapToObj(escape).collect(Collectors.joining());
        }
        return escaped;
    }

    /** The first or the last half of a value, the smallest that counts. */
    private static String half(String value, boolean last) {
        int count = value.codePointCount(0, value.length());
        int half = value.offsetByCodePoints(0, last ? count / 2 : (count + 1) / 2);
        return last ? value.substring(half) : value.substring(0, half);
    }

    @ParameterizedTest
    @MethodSource("chains")
    void theFirstPartIsFoundWhereverTheRestWasCut(String value, List<String> chain) {
        try (Scrubber scrubber = scrubber(value)) {
            String whole = escaped(value, chain);
            for (int end = escaped(half(value, false), chain).length(); end <= whole.length(); end++) {
                if (!Character.isLowSurrogate(end < whole.length() ? whole.charAt(end) : ' ')) {
                    assertThat(scrubbed(scrubber, "see: " + whole.substring(0, end)))
                            .as("%s, cut %d characters before its end", chain, whole.length() - end)
                            .isEqualTo("see: {{vault:x}}");
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("chains")
    void theLastPartIsFoundWhereverItStarts(String value, List<String> chain) {
        try (Scrubber scrubber = scrubber(value)) {
            String whole = escaped(value, chain);
            int longest = whole.length() - escaped(half(value, true), chain).length();
            for (int start = 0; start <= longest; start++) {
                if (!Character.isLowSurrogate(whole.charAt(start))) {
                    assertThat(scrubbed(scrubber, whole.substring(start) + " was it"))
                            .as("%s, cut %d characters after its start", chain, start)
                            .isEqualTo("{{vault:x}} was it");
                }
            }
        }
    }

    /** Every few characters of the one that is cut: some of them escape an escape's escape. */
    @ParameterizedTest
    @MethodSource("longChains")
    void partsAreFoundWhereverACharacterWasCutThatWasEscapedOverAndOver(List<String> chain) {
        try (Scrubber scrubber = scrubber(ASCII)) {
            String first = escaped(half(ASCII, false), chain);
            String second = escaped(half(ASCII, true), chain);
            String cut = escaped(half(ASCII, true).substring(0, 1), chain);
            for (int at = 0; at < cut.length(); at += 1 + at % 11) {
                assertThat(scrubbed(scrubber, "see: " + first + cut.substring(0, at)))
                        .as("%s, cut after %d characters of one", chain, at)
                        .isEqualTo("see: {{vault:x}}");
                assertThat(scrubbed(scrubber, cut.substring(cut.length() - at) + second + " was it"))
                        .as("%s, cut %d characters before the end of one", chain, at)
                        .isEqualTo("{{vault:x}} was it");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("longChains")
    void namesAreReadWhoseLettersWereEscapedOverAndOver(List<String> chain) {
        try (Scrubber scrubber = scrubber(ASCII)) {
            assertThat(scrubbed(scrubber, "see: " + escaped(ASCII, chain) + "."))
                    .isEqualTo("see: {{vault:x}}.");
        }
    }

    /** What is left of it shows nothing until far behind its start, and there it is hidden by an escape. */
    @Test
    void theLastPartIsFoundWhereverItShows() {
        String value = "Zq7kM" + "\u00e9\u00e0\u00fc\u00f6\u00f1".repeat(8) + "T?w[4";
        String escaped = escaped(value, List.of("backslash"));
        try (Scrubber scrubber = scrubber(value)) {
            for (int start = 0; start <= value.length() / 2; start++) {
                assertThat(scrubbed(scrubber, escaped.substring(start) + " was it" + " and more".repeat(50)))
                        .as("cut %d characters after its start", start)
                        .startsWith("{{vault:x}} was it");
            }
        }
    }

    private static Stream<List<String>> pairs() {
        return ESCAPES.keySet().stream()
                .flatMap(inner -> ESCAPES.keySet().stream().map(outer -> List.of(inner, outer)));
    }

    /** S4: of a value too short for a part of it to count, in two blocks or two pieces, cut within an escape as well. */
    @ParameterizedTest
    @MethodSource("pairs")
    void aShortValueIsFoundAcrossBlocksAndPieces(List<String> chain) throws Exception {
        for (String value : List.of("\",%}", "<\u00e9&'\"")) {
            String whole = escaped(value, chain);
            LeakFinder finder = new LeakFinder(List.of(value), List.of("{{vault:x}}"));
            try (Scrubber scrubber = scrubber(value)) {
                for (int cut = 1; cut < whole.length(); cut++) {
                    String first = "caf\u00e9 is it " + whole.substring(0, cut);
                    String second = whole.substring(cut) + ": was it";
                    String blocks = "[{\"text\":%s},{\"text\":%s}]"
                            .formatted(JsonStrings.quote(first), JsonStrings.quote(second));
                    assertThat(finder.inJson(scrubber.scrub(blocks.getBytes(UTF_8))))
                            .as("%s, cut after %d characters", chain, cut)
                            .isEmpty();
                    ByteArrayOutputStream out = new ByteArrayOutputStream();
                    try (TextScrubber pieces = scrubber.text(out)) {
                        pieces.write(first.getBytes(UTF_8));
                        pieces.write(second.getBytes(UTF_8));
                    }
                    assertThat(out.toByteArray()).isEqualTo(scrubber.scrubText((first + second).getBytes(UTF_8)));
                }
            }
        }
    }

    /** Letters are no rest of an escape's escape: a word that ends as a value does is a word. */
    @Test
    void whatOnlyEndsAsAValueDoesStays() {
        try (Scrubber scrubber = scrubber("another-good-value")) {
            for (String text : List.of("some-good-value", "no-good-value", "very-good-value")) {
                assertThat(scrubbed(scrubber, text)).isEqualTo(text);
            }
        }
    }

    private static Scrubber scrubber(String value) {
        return Scrubber.of(List.of(new LiveSecret("{{vault:x}}", new SecretValue(value.getBytes(UTF_8)))));
    }

    private static String scrubbed(Scrubber scrubber, String text) {
        String json = new String(scrubber.scrub(JsonStrings.quote(text).getBytes(UTF_8)), UTF_8);
        return json.substring(1, json.length() - 1);
    }
}
