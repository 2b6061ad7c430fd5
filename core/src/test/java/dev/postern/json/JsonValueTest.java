package dev.postern.json;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.json.JsonValue.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JsonValueTest {
    private static final String TEXT =
            " { \"a\" : [ 1.10 , true,false, null ,\"x\\ny\" ] ,\"\\u0062\":{\"c\":{}},\"a\":2, \"é\":\"😀\",\"\":[] } ";

    private final JsonValue root = parse(TEXT);

    private static JsonValue parse(String text) {
        return JsonValue.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @DisplayName("S2 a value is its bytes: spelling, white space and escapes stay")
    void valuesAreTheirBytes() {
        assertThat(root.spelling()).isEqualTo(TEXT.trim());
        assertThat(root.start()).isEqualTo(1);
        assertThat(root.end()).isEqualTo(TEXT.getBytes(StandardCharsets.UTF_8).length - 1);
        assertThat(requireNonNull(root.member("a")).elements())
                .extracting(JsonValue::spelling)
                .containsExactly("1.10", "true", "false", "null", "\"x\\ny\"");
        assertThat(requireNonNull(root.member("a")).elements())
                .extracting(JsonValue::kind)
                .containsExactly(Kind.NUMBER, Kind.TRUE, Kind.FALSE, Kind.NULL, Kind.STRING);
        assertThat(requireNonNull(root.member("a")).elements().get(4).string()).isEqualTo("x\ny");
    }

    @Test
    @DisplayName("members are found by their decoded names, the first of several")
    void members() {
        assertThat(requireNonNull(root.member("a")).is(Kind.ARRAY)).isTrue();
        assertThat(root.count("a")).isEqualTo(2);
        assertThat(root.count("nothing")).isZero();
        assertThat(requireNonNull(root.member("b")).is(Kind.OBJECT)).isTrue();
        assertThat(requireNonNull(root.path("b", "c")).spelling()).isEqualTo("{}");
        assertThat(root.path("b", "x", "c")).isNull();
        assertThat(root.string("é")).isEqualTo("😀");
        assertThat(root.string("a")).isNull();
        assertThat(requireNonNull(root.member("")).elements()).isEmpty();
        assertThat(root.member("nothing")).isNull();
        assertThat(requireNonNull(root.member("é")).member("a")).isNull();
        List<String> names = new ArrayList<>();
        root.forEachMember((name, value) -> names.add(name.string() + "=" + value.kind()));
        assertThat(names).containsExactly("a=ARRAY", "b=OBJECT", "a=NUMBER", "é=STRING", "=ARRAY");
    }

    @Test
    @DisplayName("what has no members or elements has none")
    void nothingInside() {
        JsonValue number = parse("17");
        assertThat(number.member("a")).isNull();
        assertThat(number.count("a")).isZero();
        assertThat(number.elements()).isEmpty();
        number.forEachMember((name, value) -> assertThat(name).isNull());
        assertThatThrownBy(number::string).isInstanceOf(IllegalStateException.class);
        assertThat(parse("{}").member("a")).isNull();
        assertThat(parse("[ ]").elements()).isEmpty();
    }

    @Test
    @DisplayName("toString shows kind and range, never data")
    void toStringHidesData() {
        assertThat(parse("\"hunter2\"")).hasToString("JsonValue[STRING 0..9]");
    }

    @Test
    @DisplayName("half a pair of surrogates is a character like another")
    void halfPairs() {
        JsonValue value = parse("{\"\\ud83d\":\"\\ude00x\"}");
        assertThat(value.string("\ud83d")).isEqualTo("\ude00x");
    }
}
