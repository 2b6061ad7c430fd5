package dev.postern.web.portal.view;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.web.portal.view.Segment.Kind;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** P8: what a person must see of a call before they decide. */
final class VisibleTextTest {
    @Test
    void referencesStandOut() {
        assertThat(VisibleText.of(
                                "a {{vault:db|uri}}b {{SECRET:123e4567-e89b-42d3-a456-426614174000.notes}} {{vault:BAD}}")
                        .segments())
                .extracting(Segment::kind)
                .containsExactly(Kind.PLAIN, Kind.REFERENCE, Kind.PLAIN, Kind.REFERENCE, Kind.PLAIN);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {0x202E, 0x2066, 0x200F, 0x200B, 0xFEFF, 0x00AD, 0x00A0, 0x3164, 0xE0041, 0x7, 0x85, 0xFE0F, 0x2028})
    void charactersWithoutALookAreNamed(int point) {
        VisibleText text = VisibleText.of("a" + Character.toString(point) + "b");
        assertThat(text.segments()).extracting(Segment::kind).containsExactly(Kind.PLAIN, Kind.INVISIBLE, Kind.PLAIN);
        assertThat(text.shown()).isEqualTo("a" + String.format("U+%04X", point) + "b");
        assertThat(text.warnings()).hasSize(1);
    }

    @Test
    void aBidirectionalControlIsCalledWhatItDoes() {
        assertThat(VisibleText.of("user\u202Egnp.exe").warnings().getFirst()).contains("another order");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pаypal", "аррӏе", "gооgle.com", "ｅxample", "𝐚dmin", "micrоsoft", "Αpple"})
    void wordsThatPassForLatinOnesAreFlagged(String word) {
        VisibleText text = VisibleText.of("see " + word + " now");
        assertThat(text.segments()).extracting(Segment::kind).contains(Kind.LOOKALIKE);
        assertThat(text.warnings()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Zürich", "naïve café", "привет мир", "日本語 text", "emoji 🎉 ok", "line\nbreak\ttab", "m² ½"})
    void ordinaryTextIsLeftAlone(String ordinary) {
        VisibleText text = VisibleText.of(ordinary);
        assertThat(text.segments()).extracting(Segment::kind).containsOnly(Kind.PLAIN);
        assertThat(text.warnings()).isEmpty();
        assertThat(text.shown()).isEqualTo(ordinary);
    }

    @Test
    @DisplayName("P8: nothing of the arguments is cut, however long or deep")
    void argumentsAreWhole() {
        String longText = "x".repeat(5_000) + "{{vault:db}}";
        String json = "{\"text\":\"" + longText
                + "\",\"deep\":{\"list\":[1,{\"e\":{}},[]],\"esc\":\"\\u0061\\n\"},\"a\":1,\"a\":2}";
        CallArguments arguments = CallArguments.of(json.getBytes(UTF_8));
        CallArguments.Row folded = arguments.rows().getFirst();
        assertThat(folded.isFolded()).isTrue();
        assertThat(new VisibleText(folded.value(), List.of()).shown()).isEqualTo(longText);
        assertThat(folded.size()).contains("5,012 characters").contains("1 reference");
        assertThat(arguments.rows())
                .extracting(row ->
                        row.level() + " " + shown(row.name()) + "=" + (row.isFolded() ? "…" : shown(row.value())))
                .containsExactly(
                        "0 text=…",
                        "0 deep=",
                        "1 list=",
                        "2 1.=1",
                        "2 2.=",
                        "3 e={}",
                        "2 3.=[]",
                        "1 esc=a\n",
                        "0 a=1",
                        "0 a=2");
        assertThat(arguments.exact()).contains(longText);
    }

    @Test
    void aNameCanDeceiveAsWellAsAValue() {
        assertThat(CallArguments.of("{\"us\u200Ber\":1}".getBytes(UTF_8)).warnings())
                .hasSize(1);
    }

    private static String shown(List<Segment> segments) {
        return new VisibleText(segments, List.of()).shown();
    }
}
