package dev.postern.reference;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.RandomJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** R5, R8: the one scan that every call pays for never misses a reference. */
class MarkerScanTest {
    @Property(tries = 5000)
    void neverMissesAMarkerHoweverItIsEscaped(@ForAll("arguments") String json) {
        if (ReferenceOracle.hasMarker(json)) {
            assertThat(ReferenceFinder.mightContain(json.getBytes(UTF_8))).isTrue();
        }
    }

    @Test
    @DisplayName("R5 R8 a marker is seen at every place of a text of any length, raw or escaped")
    void atEveryPlace() {
        List<String> spellings = spellings();
        Random random = new Random(1);
        for (int length = 0; length <= 80; length++) {
            for (int at = 0; at <= length; at++) {
                String spelling = spellings.get(random.nextInt(spellings.size()));
                String text = "x".repeat(at) + spelling + "y".repeat(length - at);
                byte[] bytes = text.getBytes(ISO_8859_1);
                assertThat(ReferenceFinder.mightContain(bytes)).as(text).isTrue();
                // Not one byte of the marker may lie outside the range.
                assertThat(ReferenceFinder.mightContain(bytes, at, at + spelling.length()))
                        .as(text)
                        .isTrue();
                assertThat(ReferenceFinder.mightContain(bytes, at + 1, bytes.length))
                        .as(text)
                        .isFalse();
                assertThat(ReferenceFinder.mightContain(bytes, 0, at + spelling.length() - 1))
                        .as(text)
                        .isFalse();
            }
        }
    }

    @Test
    @DisplayName("R8 a marker is seen on either side of every boundary inside a long text")
    void inLongTexts() {
        byte[] text = "a".repeat(40_000).getBytes(ISO_8859_1);
        for (String spelling :
                List.of("{{vault:", "\\u007b\\u007bsecret:", "{\\u007bvault:", "\\u007B{Secret\\u003a")) {
            byte[] marker = spelling.getBytes(ISO_8859_1);
            for (int at = 8100; at < 8300; at++) {
                byte[] copy = text.clone();
                System.arraycopy(marker, 0, copy, at, marker.length);
                assertThat(ReferenceFinder.mightContain(copy))
                        .as("%s at %d", spelling, at)
                        .isTrue();
                assertThat(ReferenceFinder.mightContain(copy, at, copy.length)).isTrue();
            }
            byte[] last = text.clone();
            System.arraycopy(marker, 0, last, text.length - marker.length, marker.length);
            assertThat(ReferenceFinder.mightContain(last)).isTrue();
        }
        assertThat(ReferenceFinder.mightContain(text)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{{",
                "{{vault",
                "{{ vault:x}}",
                "{{mustache}}",
                "{vault:x}",
                "{\"vault:\":{}}",
                "\\u007b",
                "\\u00",
                "{\"a\":{\"b\":[{\"c\":{}}]}}",
                "caf\\u00e9 \\n {{x}} \\u007b{x}}",
                "\\u007b\\u007bvaul\\u0074",
                "{{\\u01760ault:",
                "{{vault\\:",
                "{{ſecret:",
                "{\\n{vault:"
            })
    @DisplayName("R8 other texts pay the scan alone")
    void saysNoToOtherTexts(String text) {
        assertThat(ReferenceFinder.mightContain(text.getBytes(UTF_8))).isFalse();
    }

    /** Every way to write the marker's characters as escapes or not, a few hundred of them. */
    private static List<String> spellings() {
        List<String> spellings = new ArrayList<>();
        Random random = new Random(2);
        for (String marker : List.of("{{vault:", "{{secret:", "{{VAULT:", "{{Secret:")) {
            spellings.add(marker);
            for (int i = 0; i < 60; i++) {
                StringBuilder spelling = new StringBuilder();
                for (int at = 0; at < marker.length(); at++) {
                    char c = marker.charAt(at);
                    String format = random.nextBoolean() ? "\\u%04x" : "\\u%04X";
                    spelling.append(random.nextInt(3) == 0 ? format.formatted((int) c) : c);
                }
                spellings.add(spelling.toString());
            }
        }
        return spellings;
    }

    @Provide
    Arbitrary<String> arguments() {
        return RandomJson.objectsWith(References.FRAGMENTS);
    }
}
