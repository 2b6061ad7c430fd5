package dev.postern.detect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** D2, D3: for every rule and every shape of JSON, what was valid stays valid, and the secret is gone. */
class JsonShapesTest {
    /** In characters. */
    private static final int MAX_QUOTED = 4_000;

    private final ResponseSanitizer sanitizer = ResponseSanitizer.withDefaultRules();
    private final JsonMasker masker = JsonMasker.withDefaultRules();

    /** A way to write a string into JSON; {@code marker} stands in a neighbour that must survive. */
    enum Shape {
        COMPACT {
            @Override
            String write(String text) {
                return "{\"a\":" + quote(text) + ",\"next\":\"marker\"}";
            }
        },
        PRETTY {
            @Override
            String write(String text) {
                return "{\n  \"a\" : " + quote(text) + ",\n  \"next\" : \"marker\"\n}\n";
            }
        },
        ARRAY {
            @Override
            String write(String text) {
                return "[" + quote(text) + ",\"marker\"," + quote(text) + "]";
            }
        },
        LAST_MEMBER {
            @Override
            String write(String text) {
                return "{\"next\":\"marker\",\"a\":" + quote(text) + "}";
            }
        },
        MEMBER_NAME {
            @Override
            String write(String text) {
                return "{" + quote(text) + ":1,\"next\":\"marker\"}";
            }
        },
        NESTED_AS_STRING {
            @Override
            String write(String text) {
                return "{\"body\":" + quote(COMPACT.write(text)) + "}";
            }
        },
        NESTED_TWICE {
            @Override
            String write(String text) {
                return "[" + quote(NESTED_AS_STRING.write(text)) + "]";
            }
        },
        FENCED_IN_A_STRING {
            @Override
            String write(String text) {
                return "{\"text\":" + quote("Here:\n```json\n" + PRETTY.write(text) + "```\n") + "}";
            }
        },
        AMONG_PROSE {
            @Override
            String write(String text) {
                return "{\"text\":" + quote("It says \"" + text + "\", marker it does.") + "}";
            }
        },
        ESCAPED_SLASHES {
            @Override
            String write(String text) {
                return COMPACT.write(text).replace("/", "\\/");
            }
        },
        ESCAPED_CHARACTERS {
            @Override
            String write(String text) {
                StringBuilder escaped = new StringBuilder();
                text.chars().forEach(c -> escaped.append("\\u%04X".formatted(c)));
                return "{\"a\":\"" + escaped + "\",\"next\":\"marker\"}";
            }
        };

        abstract String write(String text);
    }

    static Stream<Arguments> examplesInShapes() {
        return RuleExample.toFind().stream()
                .flatMap(example -> Arrays.stream(Shape.values()).map(shape -> Arguments.of(example, shape)));
    }

    @ParameterizedTest
    @MethodSource("examplesInShapes")
    @DisplayName("D3: every rule in every shape: valid before, valid after, secret gone, neighbours kept")
    void validBeforeIsValidAfter(RuleExample example, Shape shape) {
        String text = example.text(0);
        String json = shape.write(text);
        assertThat(isJson(json)).isTrue();

        SanitizationResult masked = sanitizer.scanAndMask(json);

        assertThat(isJson(masked.text())).as("valid").isTrue();
        assertThat(masked.text()).contains("marker");
        assertThat(masked.changed()).isTrue();
        assertThat(sanitizer.scan(json).findings()).isEqualTo(masked.findings());
        for (Finding finding : masked.findings()) {
            assertThat(masked.text()).doesNotContain(json.substring(finding.start(), finding.end()));
        }
        assertThat(masker.mask(bytes(json)).json()).isEqualTo(bytes(masked.text()));
    }

    @ParameterizedTest
    @MethodSource("fencedExamples")
    @DisplayName("D3: a fenced block that is JSON stays JSON, and so does each line that is")
    void aFencedBlockStaysJson(RuleExample example) {
        String json = Shape.PRETTY.write(example.text(1));
        String line = Shape.COMPACT.write(example.text(2));
        String text = "Sure:\n\n```json\n" + json + "```\n" + line + "\n" + line + "\nDone: \"quoted\".";

        String masked = sanitizer.scanAndMask(text).text();

        String block = masked.substring(masked.indexOf("```json\n") + 8, masked.lastIndexOf("```"));
        assertThat(isJson(block)).as("the block").isTrue();
        List<String> after =
                masked.substring(masked.lastIndexOf("```") + 4).lines().toList();
        assertThat(isJson(after.get(0))).as("the line after").isTrue();
        assertThat(isJson(after.get(1))).as("the line after that").isTrue();
        assertThat(masked).endsWith("Done: \"quoted\".");
    }

    static List<RuleExample> fencedExamples() {
        return RuleExample.toFind();
    }

    @Property(tries = 1000)
    @Label("D3: random JSON around random examples: valid before, valid after, in text and as a message")
    void randomJsonStaysJson(@ForAll("json") String json) {
        assertThat(isJson(json)).isTrue();

        SanitizationResult masked = sanitizer.scanAndMask(json);

        assertThat(isJson(masked.text())).isTrue();
        byte[] bytes = bytes(json);
        byte[] spliced = masker.mask(bytes).json();
        assertThat(spliced).isEqualTo(bytes(masked.text()));
        if (!masked.changed()) {
            assertThat(spliced).isSameAs(bytes);
            assertThat(masked.text()).isSameAs(json);
        }
    }

    @Property(tries = 1000)
    @Label("D2: random text: spans are in order, apart, inside, and what masking replaces")
    void spansArePlain(@ForAll("text") String text) {
        SanitizationResult masked = sanitizer.scanAndMask(text);

        int last = 0;
        StringBuilder expected = new StringBuilder();
        for (Finding finding : masked.findings()) {
            assertThat(finding.start()).isGreaterThanOrEqualTo(last);
            assertThat(finding.end()).isGreaterThan(finding.start()).isLessThanOrEqualTo(text.length());
            assertThat(finding.line())
                    .isEqualTo(1
                            + (int) text.substring(0, finding.start())
                                    .chars()
                                    .filter(c -> c == '\n')
                                    .count());
            assertThat(finding.column()).isEqualTo(finding.start() - text.lastIndexOf('\n', finding.start() - 1));
            expected.append(text, last, finding.start()).append("[REDACTED:" + finding.category() + "]");
            last = finding.end();
        }
        expected.append(text, last, text.length());
        assertThat(masked.text()).isEqualTo(expected.toString());
    }

    @Provide
    Arbitrary<String> json() {
        return Arbitraries.lazyOf(
                () -> strings().map(JsonShapesTest::quote),
                () -> Arbitraries.of("1", "-0.5e3", "true", "null", "12345678901"),
                () -> json().list().ofMaxSize(3).map(items -> "[" + String.join(",", items) + "]"),
                // Each quoting doubles the backslashes, so what is long already is not quoted again.
                () -> json().map(inner -> inner.length() <= MAX_QUOTED ? quote(inner) : inner),
                () -> net.jqwik.api.Combinators.combine(names(), json(), names(), json())
                        .as((first, one, second, two) ->
                                "{" + quote(first) + ": " + one + "," + quote(second) + ":" + two + "}"));
    }

    @Provide
    Arbitrary<String> text() {
        Arbitrary<String> pieces = Arbitraries.oneOf(
                strings(),
                json(),
                Arbitraries.of("\"", "\\", "\\\\\"", "\n", "```\n", "é", "\uD83D\uDE00", "\uD800", " = ", "="));
        return pieces.list().ofMaxSize(8).map(list -> String.join("", list));
    }

    private static Arbitrary<String> names() {
        return Arbitraries.of("a", "password", "api_key", "data", "next_token", "secret\"quoted", "schlüssel");
    }

    private static Arbitrary<String> strings() {
        Arbitrary<String> secrets = Arbitraries.of(RuleExample.toFind()).map(example -> example.text(3));
        Arbitrary<String> noise = Arbitraries.strings()
                .withChars("abc \"\\{}[]:,=/@\n\u00e9\u2028")
                .withChars('a', 'z')
                .ofMaxLength(12);
        return net.jqwik.api.Combinators.combine(noise, secrets, noise)
                .as((before, secret, after) -> before + secret + after);
    }

    private static String quote(String text) {
        return JsonStrings.quote(text);
    }

    private static boolean isJson(String text) {
        byte[] bytes = bytes(text);
        return JsonValue.isValid(bytes, 0, bytes.length, JsonValue.DEFAULT_MAX_DEPTH);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
