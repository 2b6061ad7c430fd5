package dev.postern.gate.scrub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.scrub.ScrubFailedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** S13: at most so many characters of text a result, never half a placeholder, and it says how much is gone. */
class CapTest {
    private static final Pattern SAID = Pattern.compile("\n?\\[cut: (\\d+) more characters]$");
    private static final Pattern PLACEHOLDER =
            Pattern.compile("\\{\\{vault:[a-z0-9_.-]+(#[a-z]+)?}}|\\[secret:[0-9a-f-]+\\.[a-z]+]|\\[REDACTED:[a-z_]+]");

    @Test
    void aShortResultKeepsItsExactBytes() {
        byte[] message = bytes(" { \"result\":{\"content\":[{\"text\":\"\\u0061bc\"}] ,\"n\":1E5}}");

        assertThat(new Cap(3).apply(new Scrubbed(message, 7)).bytes()).isEqualTo(message);
        assertThat(new Cap(1000).apply(new Scrubbed(message, 7)).bytes()).isSameAs(message);
        assertThat(new Cap(1000).apply(new Scrubbed(message, 7)).hits()).isEqualTo(7);
    }

    @Test
    void whatIsKeptKeepsItsExactBytes() {
        String message =
                "{ \"result\" : {\"content\":[{\"text\":\"\\u0061\\n\\ud83d\\ude00\\/\u00e9\ud83d\ude00xyz\"},7]}}";

        assertThat(capped(6, message))
                .isEqualTo("{ \"result\" : {\"content\":[{\"text\":\"\\u0061\\n\\ud83d\\ude00\\/\u00e9\ud83d\ude00"
                        + "\\n[cut: 3 more characters]\"},7]}}");
        assertThat(capped(3, message)).contains("\"\\u0061\\n\\ud83d\\ude00\\n[cut: 6 more characters]\"");
    }

    @Test
    void theLimitCountsAllTexts() {
        String message = "{\"result\":{\"content\":["
                + "{\"type\":\"text\",\"text\":\"12345\"},"
                + "{\"type\":\"image\",\"data\":\"AAAAAAAAAAAAAAAA\"},"
                + "{\"type\":\"resource\",\"resource\":{\"uri\":\"x:y\",\"text\":\"67890\"}},"
                + "{\"type\":\"text\",\"text\":\"abcde\"},"
                + "{\"type\":\"text\",\"text\":\"\"}]}}";

        assertThat(capped(8, message))
                .isEqualTo("{\"result\":{\"content\":["
                        + "{\"type\":\"text\",\"text\":\"12345\"},"
                        + "{\"type\":\"image\",\"data\":\"AAAAAAAAAAAAAAAA\"},"
                        + "{\"type\":\"resource\",\"resource\":{\"uri\":\"x:y\",\"text\":\"678\\n[cut: 2 more characters]\"}},"
                        + "{\"type\":\"text\",\"text\":\"[cut: 5 more characters]\"},"
                        + "{\"type\":\"text\",\"text\":\"\"}]}}");
    }

    @Test
    @DisplayName("S10: an answer that must be read to be cut, and is not JSON, is not delivered")
    void whatCannotBeReadIsNotDelivered() {
        assertThatThrownBy(() -> new Cap(3).apply(new Scrubbed(bytes("not JSON"), 0)))
                .isInstanceOf(ScrubFailedException.class);
    }

    @Test
    void errorsAndOtherResultsPass() {
        for (String message : new String[] {
            "{\"error\":{\"message\":\"longer than three\"}}",
            "{\"result\":{\"contents\":[{\"text\":\"longer than three\"}]}}",
            "{\"result\":{\"content\":\"longer than three\"}}",
            "{\"result\":{\"content\":[\"longer than three\",{\"text\":12345678},{\"text\":[\"text\"]}]}}",
            "[\"longer than three\"]"
        }) {
            assertThat(capped(3, message)).isEqualTo(message);
        }
    }

    @Provide
    Arbitrary<List<String>> texts() {
        Arbitrary<String> piece = Arbitraries.oneOf(
                Arbitraries.of(
                        "{{vault:db}}",
                        "{{vault:a.b-c_d#username}}",
                        "[secret:123e4567-e89b-12d3-a456-426614174000.password]",
                        "[REDACTED:private_key]",
                        "{{",
                        "}}",
                        "{",
                        "[",
                        "]",
                        "\"",
                        "\\",
                        "\n",
                        "\ud83d\ude00"),
                Arbitraries.strings().withCharRange('a', 'f').ofMaxLength(12));
        return piece.list()
                .ofMaxSize(20)
                .map(pieces -> String.join("", pieces))
                .list()
                .ofMinSize(1)
                .ofMaxSize(4);
    }

    @Property(tries = 500)
    void noMoreThanTheLimitAndNoPlaceholderTorn(
            @ForAll("texts") @Size(max = 4) List<String> texts, @ForAll @IntRange(max = 120) int limit) {
        List<String> blocks = texts.stream()
                .map(text -> "{\"type\":\"text\",\"text\":" + JsonStrings.quote(text) + "}")
                .toList();
        String message = "{\"result\":{\"content\":[" + String.join(",", blocks) + "]}}";

        List<String> cut = texts(capped(limit, message));

        int kept = 0;
        boolean full = false;
        for (int i = 0; i < texts.size(); i++) {
            String whole = texts.get(i);
            if (!full && cut.get(i).equals(whole)) {
                kept += characters(whole);
                continue;
            }
            if (whole.isEmpty()) {
                assertThat(cut.get(i)).isEmpty();
                continue;
            }
            full = true;
            Matcher said = SAID.matcher(cut.get(i));
            assertThat(said.find()).as(cut.get(i)).isTrue();
            String rest = cut.get(i).substring(0, said.start());
            assertThat(whole).startsWith(rest);
            assertThat(Integer.parseInt(said.group(1))).isEqualTo(characters(whole) - characters(rest));
            assertThat(tornPlaceholder(whole, rest.length()))
                    .as("%s|%s", rest, whole)
                    .isFalse();
            kept += characters(rest);
        }
        assertThat(kept).isLessThanOrEqualTo(limit);
    }

    /** Whether a cut at {@code at} goes through a placeholder of the text. */
    private static boolean tornPlaceholder(String text, int at) {
        Matcher placeholder = PLACEHOLDER.matcher(text);
        while (placeholder.find()) {
            if (placeholder.start() < at && at < placeholder.end()) {
                return true;
            }
        }
        return false;
    }

    private static List<String> texts(String message) {
        List<String> texts = new ArrayList<>();
        JsonValue content = JsonValue.parse(bytes(message)).path("result", "content");
        assertThat(content).isNotNull();
        java.util.Objects.requireNonNull(content)
                .elements()
                .forEach(block -> texts.add(java.util.Objects.requireNonNull(block.string("text"))));
        return texts;
    }

    private static int characters(String text) {
        return text.codePointCount(0, text.length());
    }

    private static String capped(int limit, String message) {
        return new String(new Cap(limit).apply(new Scrubbed(bytes(message), 0)).bytes(), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
