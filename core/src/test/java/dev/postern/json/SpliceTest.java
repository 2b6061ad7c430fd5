package dev.postern.json;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SpliceTest {
    private final byte[] source = "0123456789".getBytes(US_ASCII);

    private static byte[] bytes(String text) {
        return text.getBytes(US_ASCII);
    }

    @Test
    @DisplayName("S2 what no range covers leaves as it came")
    void replacesRanges() {
        Splice splice = new Splice(source)
                .insert(0, bytes("<"))
                .replace(2, 4, bytes(""))
                .replace(4, 5, bytes("four"))
                .insert(5, bytes("+"))
                .insert(10, bytes(">"));
        assertThat(splice.apply()).asString(US_ASCII).isEqualTo("<01four+56789>");
        assertThat(source).asString(US_ASCII).isEqualTo("0123456789");
    }

    @Test
    @DisplayName("S11 nothing replaced is the source itself")
    void nothingReplaced() {
        Splice splice = new Splice(source);
        assertThat(splice.isEmpty()).isTrue();
        assertThat(splice.apply()).isSameAs(source);
    }

    @Test
    @DisplayName("a value of the text is replaced at its range")
    void replacesAValue() {
        byte[] text = bytes("{\"a\": 1 }");
        assertThat(new Splice(text)
                        .replace(requireNonNull(JsonValue.parse(text).member("a")), bytes("[]"))
                        .apply())
                .asString(US_ASCII)
                .isEqualTo("{\"a\": [] }");
    }

    @Test
    @DisplayName("ranges out of order, overlapping or outside are a caller's mistake")
    void refusesOtherRanges() {
        Splice splice = new Splice(source).replace(2, 4, bytes("x"));
        assertThatThrownBy(() -> splice.replace(3, 5, bytes(""))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> splice.replace(6, 5, bytes(""))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> splice.replace(9, 11, bytes(""))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("replacements that held values can be wiped")
    void wipes() {
        byte[] value = bytes("hunter2");
        Splice splice = new Splice(source).replace(0, 1, value);
        splice.wipe();
        assertThat(value).containsOnly(0);
        assertThat(splice.isEmpty()).isTrue();
    }
}
