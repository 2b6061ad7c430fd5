package dev.postern.reference;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postern.json.JacksonOracle;
import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.json.RandomJson;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** R3, R4, R5, R7: where references are found, and what refuses a call. */
class ReferenceFinderTest {
    private static final ReferenceLimits LIMITS = ReferenceLimits.defaults();

    private static List<Placement> find(String json) {
        return ReferenceFinder.find(JsonValue.parse(json.getBytes(UTF_8)), LIMITS);
    }

    private static List<String> found(String json) {
        return find(json).stream()
                .map(placement -> placement.pointer() + " " + placement.reference())
                .toList();
    }

    private static ReferenceException refusal(String json, ReferenceLimits limits) {
        JsonValue arguments = JsonValue.parse(json.getBytes(UTF_8), 100_000);
        ReferenceException refused =
                catchThrowableOfType(ReferenceException.class, () -> ReferenceFinder.find(arguments, limits));
        assertThat(refused).as(json.substring(0, Math.min(80, json.length()))).isNotNull();
        return refused;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "{{{vault:x}}} {{vault:x}}",
                "{{vault:x}}}} {{vault:x}}",
                "{{{{vault:x}} {{vault:x}}",
                "{{vault:x}}{{vault:y}} {{vault:x}},{{vault:y}}",
                "{{a{{vault:x}} {{vault:x}}",
                "}}{{vault:x}}{{ {{vault:x}}",
                "\\\"{{vault:x}}\\\" {{vault:x}}",
                "\\u007B{\\u0056AULT\\u003Ax\\u007d\\u007d {{vault:x}}",
                "\\ud83d{{vault:x}}\\ude00 {{vault:x}}",
                "{\\\"key\\\":\\\"{{vault:x}}\\\"} {{vault:x}}",
            })
    @DisplayName("R3 R5 references stand between any text, in any escapes")
    void betweenAnyText(String string, String references) {
        assertThat(find("{\"a\":\"" + string + "\"}"))
                .extracting(placement -> placement.reference().canonical())
                .containsExactly(references.split(","));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ vault:x}}",
                "{{vault}}",
                "{{vault x}}",
                "{{vault :x}}",
                "{{vaults:x}}",
                "{{xvault:x}}",
                "{vault:x}",
                "{ {vault:x}}",
                "{{{ vault:x }}}",
                "｛｛vault:x｝｝",
                "{{ſecret:x}}",
                "{{vaul\\t:x}}",
                "{{vault\\u0000:x}}",
                "\\\\u007b\\\\u007bvault:x}}",
                "\\\\u007b{vault:x}}",
                "{{",
                "{{v",
                "{{vault",
                "%7b%7bvault:x}}"
            })
    @DisplayName("R4 what is not of the shape passes: other templates, look-alikes, text about references")
    void otherTextsPass(String string) {
        assertThat(find("{\"a\":\"" + string + "\"}")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'{\"a\":\"😀é{{vault:X}}\"}',/a,3,11",
        "'{\"a\":[0,{\"b~/\":\"\\n\\u00e9{{VAULT:\\u0020x}}}}\"}]}',/a/1/b~0~1,2,12",
        "'{\"a\":\"x{{vault:db and more\"}',/a,1,19",
        "'{\"a\":\"{{vault:x}}{{secret:nope}}{{vault:y}}\"}',/a,11,15",
        "'{\"o\":{\"x{{vault:x}}y\":1}}',/o,1,11",
        "'{\"{{vault:\":1}',,0,8",
        "'{\"a\":\"{{vault:{{vault:x}}}}\"}',/a,0,19",
    })
    @DisplayName("R4 a refusal says where, in characters of the decoded string, and never what")
    void refusalsSayWhere(String json, String pointer, int offset, int length) {
        ReferenceException refused = refusal(json, LIMITS);
        assertThat(refused.pointer()).isEqualTo(pointer == null ? "" : pointer);
        assertThat(refused.offset()).isEqualTo(offset);
        assertThat(refused.length()).isEqualTo(length);
        assertThat(refused.reason()).doesNotContain("{{");
        assertThat(refused).hasMessageContaining(refused.reason()).hasNoCause();
    }

    @Test
    @DisplayName("R4 a reference or a mistake in the value of a duplicate name counts like any other")
    void duplicateNames() {
        assertThat(found("{\"a\":\"{{vault:x}}\",\"a\":\"{{vault:y}}\"}"))
                .containsExactly("/a {{vault:x}}", "/a {{vault:y}}");
        assertThat(refusal("{\"a\":\"{{vault:X}}\",\"a\":1}", LIMITS).pointer()).isEqualTo("/a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"{{vault:x}}\"", "[[\"{{vault:x}}\"]]"})
    @DisplayName("R3 references in arguments that are no object refuse the call")
    void argumentsAreAnObject(String json) {
        assertThat(refusal(json, LIMITS).length()).isZero();
    }

    @Test
    @DisplayName("R7 sixteen distinct references, however often each, and not one more")
    void distinctReferences() {
        String sixteen = IntStream.range(0, 48)
                .mapToObj(i -> "\"{{vault:s" + i % 16 + "}}\"")
                .collect(Collectors.joining(",", "{\"a\":[", "]"));
        assertThat(find(sixteen + "}")).hasSize(48);
        ReferenceException refused = refusal(sixteen + ",\"b\":\"{{vault:s1#username}}\"}", LIMITS);
        assertThat(refused.pointer()).isEqualTo("/b");
        assertThat(ReferenceFinder.find(
                        JsonValue.parse((sixteen + ",\"b\":\"{{vault:s1#username}}\"}").getBytes(UTF_8)),
                        new ReferenceLimits(17, 1 << 20, 4)))
                .hasSize(49);
    }

    @Test
    @DisplayName("R7 the limits of size and depth hold for calls with references alone")
    void sizeAndDepth() {
        String deep = "{\"a\":".repeat(512) + "\"{{vault:x}}\"" + "}".repeat(512);
        assertThat(find(deep))
                .singleElement()
                .satisfies(placement -> assertThat(placement.pointer()).isEqualTo("/a".repeat(512)));
        assertThat(refusal("{\"a\":" + deep + "}", LIMITS).reason()).contains("deep");
        int max = LIMITS.maxBytes();
        String large = "{\"a\":\"{{vault:x}}" + "x".repeat(max - 19) + "\"}";
        assertThat(large).hasSize(max);
        assertThat(find(large)).hasSize(1);
        assertThat(refusal(large.replace("}}x", "}}xx"), LIMITS).reason()).contains("large");
        assertThat(find(large.replace("vault", "other") + " ".repeat(max))).isEmpty();
        assertThat(find("{\"a\":[" + "[".repeat(500) + "]".repeat(500) + "]}")).isEmpty();
    }

    @Test
    @DisplayName("S12 names that would be repeated without end are refused, not built")
    void longPointers() {
        String json = "{\"" + "n".repeat(2_000_000) + "\":[" + "\"{{vault:x}}\",".repeat(100_000) + "0]}";
        assertThat(refusal(json, LIMITS).reason()).contains("places");
        String many = "{\"n\":[" + "\"{{vault:x}}\",".repeat(250_000) + "0]}";
        assertThat(find(many)).hasSize(250_000);
        assertThat(refusal("{\"" + "n".repeat(2000) + "\":\"{{vault:X}}\"}", LIMITS)
                        .pointer())
                .hasSize(1025);
    }

    @Property(tries = 5000)
    void findsWhatTheOracleFinds(@ForAll("arguments") String json) {
        List<String> expected = ReferenceOracle.references(json);
        if (expected == null) {
            refusal(json, LIMITS);
        } else {
            assertThat(found(json)).isEqualTo(expected);
        }
    }

    @Property(tries = 2000)
    void rangesCoverExactlyTheReferencesBytes(@ForAll("arguments") String json) {
        if (ReferenceOracle.references(json) == null) {
            return;
        }
        byte[] text = json.getBytes(UTF_8);
        for (Placement placement : find(json)) {
            String raw = new String(text, placement.start(), placement.end() - placement.start(), UTF_8);
            String decoded = JacksonOracle.read('"' + raw + '"').get(0).text();
            assertThat(Reference.parse(decoded)).isEqualTo(placement.reference());
            assertThat(placement.token().start()).isLessThan(placement.start());
            assertThat(placement.token().end()).isGreaterThan(placement.end());
            assertThat(placement.isWholeString())
                    .isEqualTo(placement.token().spelling().equals('"' + raw + '"'));
        }
    }

    @Property(tries = 5000)
    void throwsNothingButItsOwn(@ForAll("noise") byte[] bytes) {
        ReferenceFinder.mightContain(bytes);
        try {
            ReferenceFinder.find(JsonValue.parse(bytes), LIMITS);
        } catch (JsonException | ReferenceException e) {
            assertThat(e.getMessage()).isNotEmpty();
        }
    }

    @Provide
    Arbitrary<String> arguments() {
        return RandomJson.objectsWith(References.FRAGMENTS);
    }

    @Provide
    Arbitrary<byte[]> noise() {
        return References.noise();
    }
}
