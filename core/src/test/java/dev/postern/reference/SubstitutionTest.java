package dev.postern.reference;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postern.json.JacksonOracle;
import dev.postern.json.JsonValue;
import dev.postern.json.RandomJson;
import dev.postern.secret.SecretValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** R9, R11 and step 10 of a call. */
class SubstitutionTest {
    private static String substitute(String json, Function<Reference, String> values, @Nullable String schema) {
        JsonValue arguments = JsonValue.parse(json.getBytes(UTF_8));
        return new String(
                Substitution.substitute(
                        arguments,
                        ReferenceFinder.find(arguments, ReferenceLimits.defaults()),
                        reference -> new SecretValue(values.apply(reference).getBytes(UTF_8)),
                        schema == null ? null : JsonValue.parse(schema.getBytes(UTF_8))),
                UTF_8);
    }

    @Test
    @DisplayName("step 10: values stand escaped where references stood, every other byte as it was")
    void replacesReferencesAlone() {
        String json =
                " { \"a\" : 1.10, \"b\":\"\\u0041{{vault:x}}\\/{{VAULT\\u003ay}}\" ,\"a\":[1E400,\"{{vault:x}}\"] }\n";
        assertThat(substitute(json, reference -> reference.name().equals("x") ? "p\"\\\n\u0001é😀" : "", null))
                .isEqualTo("{ \"a\" : 1.10, \"b\":\"\\u0041p\\\"\\\\\\n\\u0001é😀\\/\" ,\"a\":[1E400,"
                        + "\"p\\\"\\\\\\n\\u0001é😀\"] }");
    }

    @Test
    @DisplayName("R9 a value that is a reference, or makes one with what is around it, stays text")
    void valuesAreNotScanned() {
        assertThat(substitute(
                        "{\"a\":\"{{vault:x}}{{vault:y}}b\"}",
                        reference -> reference.name().equals("x") ? "{{vault:y}}{{vault:" : "}}",
                        null))
                .isEqualTo("{\"a\":\"{{vault:y}}{{vault:}}b\"}");
    }

    @Test
    @DisplayName("each distinct reference is asked for once, its filters being part of it")
    void asksOnce() {
        List<String> asked = new ArrayList<>();
        substitute(
                "{\"a\":[\"{{vault:x}} {{VAULT:x#password}} {{vault:x|uri}} {{vault:x}}\"]}",
                reference -> {
                    asked.add(reference.canonical());
                    return "v";
                },
                null);
        assertThat(asked).containsExactly("{{vault:x}}", "{{vault:x|uri}}");
    }

    @Test
    @DisplayName("arguments inside a message are rewritten alone")
    void argumentsInsideAMessage() {
        byte[] message = "{\"params\":{\"arguments\": {\"a\":\"{{vault:x}}\"} },\"id\":1}".getBytes(UTF_8);
        JsonValue arguments = requireNonNull(JsonValue.parse(message).path("params", "arguments"));
        List<Placement> placements = ReferenceFinder.find(arguments, ReferenceLimits.defaults());
        byte[] rewritten =
                Substitution.substitute(arguments, placements, r -> new SecretValue("v".getBytes(UTF_8)), null);
        assertThat(rewritten).asString(UTF_8).isEqualTo("{\"a\":\"v\"}");
        assertThat(placements.get(0).pointer()).isEqualTo("/a");
    }

    @Test
    @DisplayName("without references the arguments are as they were")
    void nothingToDo() {
        assertThat(substitute("{\"a\": 1 }", reference -> "", "{\"type\":\"object\"}"))
                .isEqualTo("{\"a\": 1 }");
    }

    @Test
    @DisplayName("R6 a value that is no text refuses, at its place")
    void valuesThatAreNoText() {
        JsonValue arguments = JsonValue.parse("{\"b\":\"\\n{{vault:x}}\"}".getBytes(UTF_8));
        List<Placement> placements = ReferenceFinder.find(arguments, ReferenceLimits.defaults());
        ReferenceException refused = catchThrowableOfType(
                ReferenceException.class,
                () -> Substitution.substitute(
                        arguments, placements, r -> new SecretValue(new byte[] {(byte) 0xC3, '('}), null));
        assertThat(refused)
                .hasMessage(
                        "the value is not UTF-8 text; a filter such as base64 makes it so (at /b, offset 1, length 11)");
    }

    @Test
    @DisplayName("a reference written very often cannot fill the memory")
    void bounded() {
        String json = "{\"a\":\"" + "{{vault:x}}".repeat(100_000) + "\"}";
        assertThatThrownBy(() -> substitute(json, reference -> "v".repeat(8192), null))
                .isInstanceOf(ReferenceException.class)
                .hasMessage("the arguments grow too large with their values");
    }

    @Test
    @DisplayName("placements of other arguments are a caller's mistake")
    void otherPlacements() {
        JsonValue arguments = JsonValue.parse("{\"a\":\"{{vault:x}} {{vault:y}}\"}".getBytes(UTF_8));
        List<Placement> placements = ReferenceFinder.find(arguments, ReferenceLimits.defaults());
        List<Placement> swapped = List.of(placements.get(1), placements.get(0));
        assertThatThrownBy(() -> Substitution.substitute(arguments, swapped, r -> new SecretValue(new byte[0]), null))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Property(tries = 1500)
    void anotherParserReadsTheSameTreeWithTheValuesInPlace(
            @ForAll("arguments") String json, @ForAll @Size(4) List<@StringLength(max = 20) String> values) {
        if (ReferenceOracle.references(json) == null) {
            return;
        }
        Function<String, String> valueOf = canonical ->
                new String(values.get(Math.floorMod(canonical.hashCode(), 4)).getBytes(UTF_8), UTF_8);
        String substituted = substitute(json, reference -> valueOf.apply(reference.canonical()), null);
        assertThat(JacksonOracle.read(substituted))
                .isEqualTo(JacksonOracle.read(json).stream()
                        .map(step -> step.isString()
                                ? new JacksonOracle.Step(
                                        step.kind(),
                                        step.pointer(),
                                        ReferenceOracle.replaceAll(step.text(), valueOf::apply))
                                : step)
                        .toList());
    }

    @Property(tries = 2000)
    void bytesOutsideTheReferencesStay(@ForAll("arguments") String json) {
        if (ReferenceOracle.references(json) == null) {
            return;
        }
        byte[] text = json.getBytes(UTF_8);
        JsonValue arguments = JsonValue.parse(text);
        StringBuilder expected = new StringBuilder();
        int from = arguments.start();
        for (Placement placement : ReferenceFinder.find(arguments, ReferenceLimits.defaults())) {
            expected.append(new String(text, from, placement.start() - from, UTF_8))
                    .append("VALUE");
            from = placement.end();
        }
        expected.append(new String(text, from, arguments.end() - from, UTF_8));
        assertThat(substitute(json, reference -> "VALUE", null)).isEqualTo(expected.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // schema of the member a | value | what a becomes
                "{\"type\":\"integer\"}|5432|5432",
                "{\"type\":\"integer\"}|-17|-17",
                "{\"type\":\"integer\"}|5432.0|5432",
                "{\"type\":\"integer\"}|123456789012345678901234567890|123456789012345678901234567890",
                "{\"type\":\"number\"}|5432|5432",
                "{\"type\":\"number\"}|1.50e-7|1.50e-7",
                "{\"type\":\"number\"}|5432.0|5432.0",
                "{\"type\":\"boolean\"}|true|true",
                "{\"type\":\"boolean\"}|false|false",
                "{\"type\":[\"integer\",\"null\"]}|7|7",
                "{\"type\":[\"boolean\",\"number\"]}|false|false",
                "{\"type\":[\"boolean\",\"number\"]}|0.5|0.5",
                "{\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"null\"}]}|7|7",
                "{\"oneOf\":[{\"type\":\"integer\"},{\"type\":\"boolean\"}]}|true|true",
                "{\"allOf\":[{\"type\":[\"integer\",\"string\"]},{\"type\":\"number\"}]}|7|7",
                "{\"enum\":[1,2,3]}|2|2",
                "{\"const\":true}|true|true",
                "{\"$ref\":\"#/$defs/port\"}|7|7",
                "{\"$ref\":\"#/$defs/a~1b\"}|true|true",
                "{\"$ref\":\"#/$defs/a%7E1b\"}|true|true",
                "{\"$ref\":\"#/$defs/list/1\"}|7|7",
                "{\"type\":\"integer\",\"minimum\":1,\"description\":\"a port\"}|7|7",
                // A string stays one wherever a string is admitted, or where nothing is known.
                "{\"type\":\"string\"}|5432|\"5432\"",
                "{}|5432|\"5432\"",
                "true|5432|\"5432\"",
                "false|5432|\"5432\"",
                "{\"type\":[\"integer\",\"string\"]}|5432|\"5432\"",
                "{\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"string\"}]}|5432|\"5432\"",
                "{\"anyOf\":[{\"type\":\"integer\"},{}]}|5432|\"5432\"",
                "{\"oneOf\":[{\"type\":\"integer\"},{\"$ref\":\"#/$defs/name\"}]}|5432|\"5432\"",
                "{\"enum\":[1,\"2\"]}|2|\"2\"",
                "{\"type\":\"array\"}|7|\"7\"",
                "{\"type\":\"null\"}|null|\"null\"",
                "{\"type\":\"unheard-of\"}|7|\"7\"",
                "{\"type\":17}|7|\"7\"",
                "{\"type\":\"integer\",\"enum\":[\"a\"]}|7|\"7\"",
                "{\"$ref\":\"https://example.com/port\"}|7|\"7\"",
                "{\"$ref\":\"#/$defs/nothing\"}|7|\"7\"",
                "{\"$ref\":\"#/$defs/list/9\"}|7|\"7\"",
                "{\"$ref\":\"#/$defs/list/x\"}|7|\"7\"",
                "{\"$ref\":\"#/properties/a\"}|7|\"7\"",
                "{\"$ref\":\"#/$defs/loop\"}|7|\"7\"",
                "{\"not\":{\"type\":\"string\"}}|7|\"7\"",
            })
    @DisplayName("R11 where a tool takes only an integer, number or boolean, the value is placed as that")
    void coercion(String schema, String value, String expected) {
        assertThat(coerced(schema, value)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"type\":\"integer\"}|`5432 `|the tool takes an integer here, and the value is none",
                "{\"type\":\"integer\"}|0.5|the tool takes an integer here, and the value is none",
                "{\"type\":\"integer\"}|5432.|the tool takes an integer here, and the value is none",
                "{\"type\":\"integer\"}|1e3|the tool takes an integer here, and the value is none",
                "{\"type\":\"integer\"}|007|the tool takes an integer here, and the value is none",
                "{\"type\":\"integer\"}|0x10|the tool takes an integer here, and the value is none",
                "{\"type\":\"integer\"}|--1|the tool takes an integer here, and the value is none",
                "{\"type\":\"integer\"}|-|the tool takes an integer here, and the value is none",
                "{\"type\":\"integer\"}|``|the tool takes an integer here, and the value is none",
                "{\"type\":\"integer\"}|true|the tool takes an integer here, and the value is none",
                "{\"type\":\"integer\"}|5,\"b\":6|the tool takes an integer here, and the value is none",
                "{\"type\":\"number\"}|NaN|the tool takes a number here, and the value is none",
                "{\"type\":\"number\"}|.5|the tool takes a number here, and the value is none",
                "{\"type\":\"number\"}|1.|the tool takes a number here, and the value is none",
                "{\"type\":\"number\"}|1.e1|the tool takes a number here, and the value is none",
                "{\"type\":\"number\"}|1e|the tool takes a number here, and the value is none",
                "{\"type\":\"number\"}|1e+|the tool takes a number here, and the value is none",
                "{\"type\":\"number\"}|1e5x|the tool takes a number here, and the value is none",
                "{\"type\":\"number\"}|1.5.5|the tool takes a number here, and the value is none",
                "{\"type\":\"boolean\"}|True|the tool takes a boolean here, and the value is none",
                "{\"type\":\"boolean\"}|5.0|the tool takes a boolean here, and the value is none",
                "{\"type\":\"boolean\"}|1|the tool takes a boolean here, and the value is none",
                "{\"type\":[\"boolean\",\"number\"]}|yes|the tool takes a number or a boolean here, and the value is neither",
                "{\"type\":[\"integer\",\"null\"]}|null|the tool takes an integer here, and the value is none",
            })
    @DisplayName("R11 a value that is not the scalar refuses the call, without saying what it is")
    void refusedCoercion(String schema, String value, String reason) {
        assertThatThrownBy(() -> coerced(schema, value))
                .isInstanceOf(ReferenceException.class)
                .hasMessage(reason + " (at /a, offset 0, length 11)");
    }

    private static String coerced(String schemaOfA, String value) {
        String schema = "{\"type\":\"object\",\"properties\":{\"a\":" + schemaOfA + "},\"$defs\":{"
                + "\"port\":{\"type\":\"integer\"},\"name\":{\"type\":\"string\"},\"a/b\":{\"type\":\"boolean\"},"
                + "\"list\":[{},{\"type\":\"integer\"}],\"loop\":{\"anyOf\":[{\"$ref\":\"#/$defs/loop\"},"
                + "{\"type\":\"integer\"}]}}}";
        String substituted = substitute("{\"a\": \"{{vault:x}}\" }", reference -> value, schema);
        assertThat(substituted).startsWith("{\"a\": ").endsWith(" }");
        return substituted.substring(6, substituted.length() - 2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                // arguments ; schema ; arguments with 7 for each reference
                "{\"a\":\"x{{vault:x}}\"};{\"properties\":{\"a\":{\"type\":\"integer\"}}};{\"a\":\"x7\"}",
                "{\"a\":\"{{vault:x}}{{vault:x}}\"};{\"properties\":{\"a\":{\"type\":\"integer\"}}};{\"a\":\"77\"}",
                "{\"a\":\"{{vault:x|json}}\"};{\"properties\":{\"a\":{\"type\":\"integer\"}}};{\"a\":7}",
                "{\"a\":\"\\u007b{vault:x}}\"};{\"properties\":{\"a\":{\"type\":\"integer\"}}};{\"a\":7}",
                "{\"\\u0061\":\"{{vault:x}}\"};{\"properties\":{\"a\":{\"type\":\"integer\"}}};{\"\\u0061\":7}",
                "{\"b\":\"{{vault:x}}\"};{\"properties\":{\"a\":{\"type\":\"integer\"}}};{\"b\":\"7\"}",
                "{\"b\":\"{{vault:x}}\"};{\"additionalProperties\":{\"type\":\"integer\"}};{\"b\":7}",
                "{\"a\":\"{{vault:x}}\"};{\"properties\":{\"a\":{}},\"additionalProperties\":{\"type\":\"integer\"}};{\"a\":\"7\"}",
                "{\"b\":\"{{vault:x}}\"};{\"patternProperties\":{\"b\":{}},\"additionalProperties\":{\"type\":\"integer\"}};{\"b\":\"7\"}",
                "{\"a\":[\"{{vault:x}}\",\"{{vault:x}}\"]};{\"properties\":{\"a\":{\"items\":{\"type\":\"integer\"}}}};{\"a\":[7,7]}",
                "{\"a\":[\"{{vault:x}}\",\"{{vault:x}}\"]};{\"properties\":{\"a\":{\"prefixItems\":[{}],\"items\":{\"type\":\"integer\"}}}};{\"a\":[\"7\",7]}",
                "{\"a\":[\"{{vault:x}}\",\"{{vault:x}}\"]};{\"properties\":{\"a\":{\"items\":[{\"type\":\"integer\"}],\"additionalItems\":{\"type\":\"string\"}}}};{\"a\":[7,\"7\"]}",
                "{\"a\":{\"0\":\"{{vault:x}}\"}};{\"properties\":{\"a\":{\"items\":{\"type\":\"integer\"}}}};{\"a\":{\"0\":\"7\"}}",
                "{\"a\":{\"b\":[{\"c\":\"{{vault:x}}\"}]}};{\"properties\":{\"a\":{\"$ref\":\"#/definitions/t\"}},\"definitions\":{\"t\":{\"properties\":{\"b\":{\"items\":{\"properties\":{\"c\":{\"type\":\"integer\"}}}}}}}};{\"a\":{\"b\":[{\"c\":7}]}}",
                "{\"a\":[\"{{vault:x}}\"]};{\"properties\":{\"a\":{\"anyOf\":[{\"type\":\"array\",\"items\":{\"type\":\"integer\"}},{\"type\":\"object\"},{\"type\":\"string\"}]}}};{\"a\":[7]}",
                "{\"a\":[\"{{vault:x}}\"]};{\"properties\":{\"a\":{\"anyOf\":[{\"items\":{\"type\":\"integer\"}},{\"items\":{\"type\":\"string\"}}]}}};{\"a\":[\"7\"]}",
                "{\"a\":{\"a\":{\"a\":\"{{vault:x}}\"}}};{\"properties\":{\"a\":{\"anyOf\":[{\"$ref\":\"#\"},{\"type\":\"integer\"}]}},\"type\":\"object\"};{\"a\":{\"a\":{\"a\":7}}}",
                "{\"a\":\"{{vault:x}}\"};{\"allOf\":[{\"properties\":{\"a\":{\"type\":[\"integer\",\"string\"]}}},{\"properties\":{\"a\":{\"type\":\"number\"}}}]};{\"a\":7}",
                "{\"a\":\"{{vault:x}}\"};{\"properties\":17};{\"a\":\"7\"}",
                "{\"a\":\"{{vault:x}}\"};[];{\"a\":\"7\"}",
                "{\"a\":\"{{vault:x}}\"};{\"properties\":{\"a\":{\"type\":\"integer\"},\"a\":{\"type\":\"string\"}}};{\"a\":\"7\"}",
            })
    @DisplayName("R11 the schema is followed to the place: members, elements, alternatives, references within it")
    void followsTheSchema(String arguments, String schema, String expected) {
        assertThat(substitute(arguments, reference -> "7", schema)).isEqualTo(expected);
    }

    @Test
    @DisplayName("R11 S12 a schema built to hurt costs a bounded time, and a string stays a string")
    void hostileSchemas() {
        String nest = "{\"anyOf\":[".repeat(200) + "{\"type\":\"integer\"}" + "]}".repeat(200);
        assertThat(coerced(nest, "7")).isEqualTo("\"7\"");

        StringBuilder chain = new StringBuilder("{\"properties\":{\"a\":{\"$ref\":\"#/$defs/d0\"}},\"$defs\":{");
        for (int i = 0; i < 20_000; i++) {
            chain.append("\"d")
                    .append(i)
                    .append("\":{\"$ref\":\"#/$defs/d")
                    .append(i + 1)
                    .append("\"},");
        }
        chain.append("\"d20000\":{\"type\":\"integer\"}}}");
        assertThat(substitute("{\"a\":\"{{vault:x}}\"}", r -> "7", chain.toString()))
                .isEqualTo("{\"a\":\"7\"}");

        String self = "{\"$ref\":\"#/properties/a\"},".repeat(50);
        String fan = "{\"anyOf\":[" + self + "{\"items\":{\"$ref\":\"#/properties/a\"}}," + self
                + "{\"type\":\"integer\"}]}";
        String arguments = "{\"a\":" + "[".repeat(400) + "\"{{vault:x}}\",".repeat(2000) + "0" + "]".repeat(400) + "}";
        assertThat(substitute(arguments, r -> "7", "{\"properties\":{\"a\":" + fan + "}}"))
                .contains("\"7\",\"7\",0]");
    }

    @Test
    @DisplayName("R11 S12 past the bound on looking things up, strings stay strings")
    void boundedVisits() {
        String arguments = "{\"a\":[" + "\"{{vault:x}}\",".repeat(100_000) + "0]}";
        String schema = "{\"properties\":{\"a\":{\"items\":{\"type\":\"integer\"}}}}";
        assertThat(substitute(arguments, r -> "7", schema))
                .startsWith("{\"a\":[7,7,")
                .endsWith("\"7\",\"7\",0]}");
    }

    @Test
    @DisplayName("values stay their owner's: they are open afterwards, to scrub with")
    void valuesStayTheCallers() {
        Map<String, SecretValue> values = Map.of("{{vault:x}}", new SecretValue("v".getBytes(UTF_8)));
        JsonValue arguments = JsonValue.parse("{\"a\":\"{{vault:x}}\"}".getBytes(UTF_8));
        List<Placement> placements = ReferenceFinder.find(arguments, ReferenceLimits.defaults());
        for (int i = 0; i < 2; i++) {
            assertThat(Substitution.substitute(arguments, placements, r -> value(values, r), null))
                    .asString(UTF_8)
                    .isEqualTo("{\"a\":\"v\"}");
        }
    }

    private static SecretValue value(Map<String, SecretValue> values, Reference reference) {
        return requireNonNull(values.get(reference.canonical()));
    }

    @Provide
    Arbitrary<String> arguments() {
        return RandomJson.objectsWith(References.FRAGMENTS);
    }
}
