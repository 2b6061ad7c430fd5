package dev.postern.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.erdtman.jcs.JsonCanonicalizer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** P5: what an approval is bound to. */
class CanonicalJsonTest {
    private static String canonical(String text) {
        return new String(CanonicalJson.of(JsonValue.parse(text.getBytes(UTF_8), 5000)), UTF_8);
    }

    @Test
    @DisplayName("P5 members are sorted by UTF-16 code units, white space goes, escapes are as short as can be")
    void sortsAndTrims() {
        assertThat(canonical(
                        " {\"b\" : [ 1 , {\"z\":null, \"y\" :true} ],\"a\": \"\\u0041\\/\\u000a\\u001f\\u20ac\" } "))
                .isEqualTo("{\"a\":\"A/\\n\\u001f€\",\"b\":[1,{\"y\":true,\"z\":null}]}");
        // The pair of surrogates of an emoji sorts before U+FB33, though its code point is higher.
        assertThat(canonical("{\"\\ufb33\":1,\"😀\":2,\"\\u00f6\":3,\"1\":4,\"\\r\":5}"))
                .isEqualTo("{\"\\r\":5,\"1\":4,\"ö\":3,\"😀\":2,\"\ufb33\":1}");
    }

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "-0,0",
        "0.0,0",
        "1.0,1",
        "1e0,1",
        "10e-1,1",
        "4.50,4.5",
        "2e-3,0.002",
        "1E30,1e+30",
        "1e21,1e+21",
        "1e20,100000000000000000000",
        "123456789012345680000,123456789012345680000",
        "1e-6,0.000001",
        "1e-7,1e-7",
        "0.000000000000000000000000001,1e-27",
        "5e-324,5e-324",
        "1.7976931348623157e308,1.7976931348623157e+308",
        "-1.5,-1.5",
        "9007199254740992,9007199254740992",
        "0.1,0.1",
        "333333333.3333333,333333333.3333333"
    })
    @DisplayName("P5 numbers are spelt as ECMAScript spells them")
    void numbers(String spelling, String expected) throws IOException {
        assertThat(canonical(spelling)).isEqualTo(expected);
        assertThat(canonical("[" + spelling + "]"))
                .isEqualTo(new JsonCanonicalizer("[" + spelling + "]").getEncodedString());
    }

    @ParameterizedTest
    @CsvSource({
        "1e400",
        "-1e400",
        "1e-400",
        "9007199254740993",
        "0.1000000000000000055511151231257827",
        "1e999999999999",
        "123456789012345678901234567890"
    })
    @DisplayName("P5 a number that a double does not hold exactly keeps its spelling")
    void numbersPastADouble(String spelling) {
        assertThat(canonical(spelling)).isEqualTo(spelling);
    }

    @Test
    @DisplayName("P5 duplicate members stay, in their order")
    void duplicates() {
        assertThat(canonical("{\"b\":0,\"a\":2,\"\\u0061\":1}")).isEqualTo("{\"a\":2,\"a\":1,\"b\":0}");
        assertThat(canonical("{\"a\":1,\"a\":2}")).isNotEqualTo(canonical("{\"a\":2,\"a\":1}"));
    }

    @Test
    @DisplayName("P5 half a pair of surrogates is told from another half and from the replacement character")
    void halfPairs() {
        assertThat(List.of(canonical("\"\\ud83d\""), canonical("\"\\ude00\""), canonical("\"\\ufffd\"")))
                .doesNotHaveDuplicates();
        assertThat(canonical("{\"\\uD83D\":\"\\uDE00\"}")).isEqualTo("{\"\\ud83d\":\"\\ude00\"}");
    }

    @Test
    @DisplayName("R7 depth costs no stack")
    void deep() {
        int depth = 5000;
        String text = "[".repeat(depth) + "]".repeat(depth);
        assertThat(canonical(text)).isEqualTo(text);
    }

    @Test
    @DisplayName("a lone string is canonical too")
    void aString() {
        assertThat(new String(CanonicalJson.of("a\"é\n"), UTF_8)).isEqualTo("\"a\\\"é\\n\"");
    }

    @Property
    void doublesAreSpeltAsTheReferenceImplementationSpellsThem(@ForAll("doubles") double number) throws IOException {
        String spelling = Double.toString(number);
        assertThat(canonical("[" + spelling + "]"))
                .isEqualTo(new JsonCanonicalizer("[" + spelling + "]").getEncodedString());
    }

    @Property
    void canonicalTextIsTheSameValueAndItsOwnCanonicalForm(@ForAll("values") String text) {
        String canonical = canonical(text);
        assertThat(canonical(canonical)).isEqualTo(canonical);
        assertThat(sorted(canonical)).isEqualTo(sorted(text));
    }

    /** Every token with its place, numbers by value; the order of members does not count, that of elements does. */
    private static List<String> sorted(String text) {
        return JacksonOracle.read(text).stream()
                .map(step -> step.pointer() + " " + step.kind().replaceAll("NUMBER.*", "NUMBER") + " "
                        + (step.kind().contains("NUMBER")
                                ? new BigDecimal(step.text()).stripTrailingZeros()
                                : step.text()))
                .sorted()
                .toList();
    }

    @Provide
    Arbitrary<String> values() {
        return RandomJson.values();
    }

    @Provide
    Arbitrary<Double> doubles() {
        return net.jqwik.api.Arbitraries.randomValue(random -> Double.longBitsToDouble(random.nextLong()))
                .filter(Double::isFinite);
    }
}
