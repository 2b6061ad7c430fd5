package dev.postern.json;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.JsonTokens.Token;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** R3, S2: everything in a text is seen, where it is, as another parser sees it. */
class JsonTokensTest {
    @Property(tries = 2000)
    void walksAsAnotherParserDoes(@ForAll("values") String text) {
        assertThat(walk(text)).isEqualTo(JacksonOracle.read(text));
    }

    @Test
    @DisplayName("a walk begins and ends with its value, not with the text around it")
    void walksOneValueOfMany() {
        byte[] text = "{\"a\": [1, {\"b\": \"x\"}] , \"c\": 2}".getBytes(StandardCharsets.UTF_8);
        JsonTokens tokens = new JsonTokens(requireNonNull(JsonValue.parse(text).member("a")));
        List<Token> walked = new ArrayList<>();
        for (Token token = tokens.next(); token != Token.END; token = tokens.next()) {
            walked.add(token);
            if (token == Token.STRING) {
                assertThat(tokens.pointer()).isEqualTo("/1/b");
                assertThat(tokens.parentPointer()).isEqualTo("/1");
                assertThat(tokens.isObject(0)).isFalse();
                assertThat(tokens.index(0)).isEqualTo(1);
                assertThat(tokens.isObject(1)).isTrue();
                assertThat(tokens.name(1)).isEqualTo("b");
            }
        }
        assertThat(walked)
                .containsExactly(
                        Token.ARRAY_START,
                        Token.SCALAR,
                        Token.OBJECT_START,
                        Token.NAME,
                        Token.STRING,
                        Token.OBJECT_END,
                        Token.ARRAY_END);
        assertThat(tokens.next()).isEqualTo(Token.END);
    }

    @Test
    @DisplayName("S12 a walk costs its bytes, however deep they nest")
    void walksDeepTextsInOnePass() {
        int depth = 300_000;
        byte[] text =
                "{\"a\":[".repeat(depth).concat("1").concat("]}".repeat(depth)).getBytes(StandardCharsets.US_ASCII);
        JsonTokens tokens = new JsonTokens(JsonValue.parse(text, 2 * depth));
        int steps = 0;
        while (tokens.next() != Token.END) {
            steps++;
        }
        assertThat(steps).isEqualTo(5 * depth + 1);
    }

    /** The walk in the oracle's terms. */
    private static List<JacksonOracle.Step> walk(String text) {
        JsonTokens tokens = new JsonTokens(JsonValue.parse(text.getBytes(StandardCharsets.UTF_8)));
        List<JacksonOracle.Step> steps = new ArrayList<>();
        for (Token token = tokens.next(); token != Token.END; token = tokens.next()) {
            steps.add(
                    switch (token) {
                        case OBJECT_START -> new JacksonOracle.Step("START_OBJECT", tokens.parentPointer(), "{");
                        case ARRAY_START -> new JacksonOracle.Step("START_ARRAY", tokens.parentPointer(), "[");
                        case OBJECT_END -> new JacksonOracle.Step("END_OBJECT", tokens.pointer(), "}");
                        case ARRAY_END -> new JacksonOracle.Step("END_ARRAY", tokens.pointer(), "]");
                        case NAME ->
                            new JacksonOracle.Step(
                                    "PROPERTY_NAME",
                                    tokens.pointer(),
                                    tokens.value().string());
                        case STRING ->
                            new JacksonOracle.Step(
                                    "VALUE_STRING",
                                    tokens.pointer(),
                                    tokens.value().string());
                        default -> scalar(tokens);
                    });
        }
        return steps;
    }

    private static JacksonOracle.Step scalar(JsonTokens tokens) {
        String spelling = tokens.value().spelling();
        String kind = switch (tokens.value().kind()) {
            case TRUE -> "VALUE_TRUE";
            case FALSE -> "VALUE_FALSE";
            case NULL -> "VALUE_NULL";
            default -> spelling.matches("-?[0-9]+") ? "VALUE_NUMBER_INT" : "VALUE_NUMBER_FLOAT";
        };
        return new JacksonOracle.Step(kind, tokens.pointer(), spelling);
    }

    @Provide
    Arbitrary<String> values() {
        return RandomJson.values();
    }
}
