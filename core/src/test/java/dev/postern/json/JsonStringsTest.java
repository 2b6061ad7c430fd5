package dev.postern.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JsonStringsTest {
    @Test
    @DisplayName("only what RFC 8259 demands is escaped, as short as it can be")
    void escapesWhatMustBe() {
        String text = "\u0000\b\t\n\u000b\f\r\u001f \"\\/\u007fé\u2028😀";
        assertThat(JsonStrings.quote(text))
                .isEqualTo("\"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f \\\"\\\\/\u007fé\u2028😀\"");
    }

    @Test
    @DisplayName("bytes that are no text pass as they are: escaping looks at ASCII alone")
    void leavesOtherBytes() {
        byte[] bytes = {(byte) 0x80, (byte) 0xFF, '"', (byte) 0xC3};
        assertThat(JsonStrings.escape(bytes)).containsExactly(0x80, 0xFF, '\\', '"', 0xC3);
        assertThat(JsonStrings.escape(new byte[0])).isEmpty();
    }

    @Property
    void plainPartsAreFoundAsByLookingAtEachByte(
            @ForAll @Size(max = 40) byte[] text, @ForAll @Size(max = 40) byte[] more) {
        byte[] plain = new byte[text.length];
        for (int i = 0; i < text.length; i++) {
            plain[i] = (byte) ((text[i] & 0x7F) < 0x20 ? 'a' : text[i] & 0x7F);
        }
        byte[] all = Arrays.copyOf(plain, plain.length + more.length);
        System.arraycopy(more, 0, all, plain.length, more.length);
        for (int from = 0; from <= all.length; from++) {
            int expected = from;
            while (expected < all.length && all[expected] >= 0x20 && all[expected] != '"' && all[expected] != '\\') {
                expected++;
            }
            assertThat(JsonStrings.plainEnd(all, from, all.length)).isEqualTo(expected);
        }
    }

    @Property
    void whatIsEscapedIsReadBackByBothParsers(@ForAll @StringLength(max = 40) String text) {
        String valid = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        String quoted = JsonStrings.quote(valid);
        assertThat(JsonValue.parse(quoted.getBytes(StandardCharsets.UTF_8)).string())
                .isEqualTo(valid);
        assertThat(JacksonOracle.read(quoted).get(0).text()).isEqualTo(valid);
    }

    @Property
    void namesAreComparedDecoded(
            @ForAll @StringLength(max = 8) String name, @ForAll @StringLength(max = 8) String other) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            escaped.append("\\u%04x".formatted((int) name.charAt(i)));
        }
        JsonValue object = JsonValue.parse("{\"%s\":1}".formatted(escaped).getBytes(StandardCharsets.UTF_8));
        assertThat(object.member(name)).isNotNull();
        assertThat(object.member(other) != null).isEqualTo(name.equals(other));
        assertThat(object.member(name + "x")).isNull();
    }
}
