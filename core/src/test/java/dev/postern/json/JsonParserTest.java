package dev.postern.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** S10: what is not JSON is told from what is, byte by byte, as another parser does. */
class JsonParserTest {
    private static final Pattern SURROGATE_ESCAPE = Pattern.compile("\\\\u[dD][89a-fA-F]");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[",
                "\"",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "[1,]",
                "[,1]",
                "[1 2]",
                "{a:1}",
                "{'a':1}",
                "{1:2}",
                "01",
                "-",
                "-a",
                "1.",
                ".5",
                "+1",
                "1e",
                "1e+",
                "0x1",
                "NaN",
                "Infinity",
                "tru",
                "truth",
                "nul",
                "True",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\\u12g4\"",
                "\"\t\"",
                "\"\n\"",
                "1 2",
                "{} {}",
                "[]]",
                "{}}",
                "[}",
                "{]",
                "// a\n1",
                "/**/1",
                "\ufeff1",
                "\u00a01",
                "[1\u000b]",
                "\"a\\\"",
                "[\"a\\",
                "\"\\u",
                "\"\\"
            })
    @DisplayName("S10 what RFC 8259 does not allow is refused")
    void refuses(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        JsonException refused = catchThrowableOfType(JsonException.class, () -> JsonValue.parse(bytes));
        assertThat(refused).isNotNull();
        assertThat(refused.offset()).isBetween(0, bytes.length);
        assertThat(refused).hasNoCause().hasMessage(refused.reason() + " at byte " + refused.offset());
        assertThat(JacksonOracle.accepts(bytes)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "C080", "C1BF", "E08080", "E09FBF", "EDA080", "EDBFBF", "F0808080", "F08FBFBF", "F4908080", "F5808080",
                "80", "BF", "C3", "E282", "F09F98", "FF", "FE", "C328", "E28228", "F09F9828"
            })
    @DisplayName("S10 a string that is not UTF-8 is refused (RFC 3629: shortest form, no surrogates, at most U+10FFFF)")
    void refusesWhatIsNotUtf8(String hex) {
        byte[] inside = HexFormat.of().parseHex(hex);
        byte[] text = new byte[inside.length + 2];
        text[0] = '"';
        text[text.length - 1] = '"';
        System.arraycopy(inside, 0, text, 1, inside.length);
        assertThatThrownBy(() -> JsonValue.parse(text)).isInstanceOf(JsonException.class);
        assertThat(JacksonOracle.accepts(text)).isFalse();
    }

    @Test
    @DisplayName("R7 S10 nesting is refused past the limit, not before, and costs no stack")
    void depth() {
        assertThat(JsonValue.parse("[".repeat(512).concat("]".repeat(512)).getBytes(StandardCharsets.US_ASCII)))
                .isNotNull();
        byte[] deeper = "[".repeat(513).concat("]".repeat(513)).getBytes(StandardCharsets.US_ASCII);
        assertThatThrownBy(() -> JsonValue.parse(deeper)).hasMessageContaining("512");
        byte[] deepest = "{\"a\":[".repeat(500_000).concat("]}".repeat(500_000)).getBytes(StandardCharsets.US_ASCII);
        assertThat(JsonValue.parse(deepest, 1_000_000).end()).isEqualTo(deepest.length);
        assertThatThrownBy(() -> JsonValue.parse(deepest)).isInstanceOf(JsonException.class);
    }

    @Property(tries = 2000)
    void acceptsWhateverIsWellFormed(@ForAll("values") String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        assertThat(JacksonOracle.accepts(bytes)).isTrue();
        JsonValue value = JsonValue.parse(bytes);
        assertThat(new String(value.bytes(), StandardCharsets.UTF_8)).isEqualTo(trim(text));
    }

    @Property(tries = 5000)
    void agreesWithAnotherParserOnDamagedTexts(@ForAll("damaged") byte[] text) {
        // The other parser refuses half a pair of surrogates in a name, which RFC 8259 lets stand.
        Assume.that(!SURROGATE_ESCAPE
                .matcher(new String(text, StandardCharsets.ISO_8859_1))
                .find());
        boolean accepted;
        try {
            JsonValue.parse(text);
            accepted = true;
        } catch (JsonException e) {
            accepted = false;
        }
        assertThat(accepted).as("%s", new String(text, StandardCharsets.UTF_8)).isEqualTo(JacksonOracle.accepts(text));
    }

    @Property(tries = 2000)
    void throwsNothingButItsOwn(@ForAll byte[] text) {
        try {
            JsonValue.parse(text);
        } catch (JsonException e) {
            assertThat(e.offset()).isBetween(0, text.length);
        }
    }

    @Provide
    Arbitrary<String> values() {
        return RandomJson.values();
    }

    @Provide
    Arbitrary<byte[]> damaged() {
        return Combinators.combine(RandomJson.values(), Arbitraries.randomValue(Random::nextLong))
                .as((text, seed) -> damage(text.getBytes(StandardCharsets.UTF_8), new Random(seed)));
    }

    /** One to three bytes changed, dropped or doubled, or the end cut off. */
    private static byte[] damage(byte[] text, Random random) {
        byte[] damaged = text;
        for (int i = random.nextInt(3); i >= 0 && damaged.length > 0; i--) {
            int at = random.nextInt(damaged.length);
            byte put = random.nextBoolean()
                    ? (byte) random.nextInt(256)
                    : (byte) "{}[],:\"\\ 0-.eEu".charAt(random.nextInt(15));
            byte[] next = switch (random.nextInt(4)) {
                case 0 -> splice(damaged, at, at + 1, put);
                case 1 -> splice(damaged, at, at, put);
                case 2 -> splice(damaged, at, at + 1);
                default -> splice(damaged, at, random.nextInt(8) == 0 ? damaged.length : at + 1, put);
            };
            damaged = next;
        }
        return damaged;
    }

    private static byte[] splice(byte[] text, int start, int end, byte... put) {
        return new Splice(text).replace(start, end, put).apply();
    }

    private static String trim(String text) {
        return text.replaceAll("^[ \\n\\r\\t]+|[ \\n\\r\\t]+$", "");
    }
}
