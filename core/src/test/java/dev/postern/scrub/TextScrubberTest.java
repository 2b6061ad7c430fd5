package dev.postern.scrub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.secret.SecretValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Text that arrives in pieces: what is held back, what a pause lets go, and what a value cut by one becomes. */
class TextScrubberTest {
    private static final String VALUE = "Tr0ub4dor-and-3-more";
    private static final int HALF = VALUE.length() / 2;

    private final Scrubber scrubber =
            Scrubber.of(List.of(new LiveSecret("{{vault:db}}", new SecretValue(VALUE.getBytes(UTF_8)))));
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final TextScrubber text = scrubber.text(out);

    @AfterEach
    void close() {
        scrubber.close();
    }

    private void write(String piece) throws IOException {
        text.write(piece.getBytes(UTF_8));
    }

    private String shown() {
        return out.toString(UTF_8);
    }

    @Test
    void aValueWrittenByteByByteIsReplaced() throws IOException {
        for (byte b : ("password: " + VALUE + "\n").getBytes(UTF_8)) {
            text.write(b);
        }
        text.close();
        assertThat(shown()).isEqualTo("password: {{vault:db}}\n");
        assertThat(text.hits()).isEqualTo(1);
    }

    @Test
    void aPromptWithoutALineEndAppearsWhenTheInputPauses() throws IOException {
        write("Password: ");
        assertThat(text.holdsBack()).isTrue();
        text.flush();
        assertThat(shown()).isEqualTo("Password: ");
        assertThat(text.holdsBack()).isFalse();
    }

    @Test
    void ofAValueCutByAPauseOnlyAFirstPartThatSaysLittleIsShown() throws IOException {
        write("> " + VALUE.substring(0, HALF - 1));
        text.flush();
        write(VALUE.substring(HALF - 1) + " <");
        text.close();
        assertThat(shown()).isEqualTo("> " + VALUE.substring(0, HALF - 1) + "{{vault:db}} <");
    }

    @Test
    void aFirstPartThatSaysEnoughIsReplacedAndTheRestFollowsItUnseen() throws IOException {
        write("> " + VALUE.substring(0, HALF + 2));
        text.flush();
        assertThat(shown()).isEqualTo("> {{vault:db}}");
        write(VALUE.substring(HALF + 2) + " <");
        text.close();
        assertThat(shown()).isEqualTo("> {{vault:db}} <");
    }

    @Test
    void aValueTypedOutSlowlyIsNotShownPastItsFirstHalf() throws IOException {
        for (byte b : VALUE.getBytes(UTF_8)) {
            text.write(b);
            text.flush();
        }
        text.close();
        assertThat(shown()).endsWith("{{vault:db}}");
        assertThat(shown()).doesNotContain(VALUE.substring(0, HALF)).doesNotContain(VALUE.substring(HALF));
    }

    @Test
    void whatLooksLikeTheStartOfAValueAndIsNotComesOutAsItWas() throws IOException {
        String like = VALUE.substring(0, HALF - 1);
        write(like);
        text.flush();
        write("!" + like + "?");
        text.close();
        assertThat(shown()).isEqualTo(like + "!" + like + "?");
    }

    @Test
    void longTextIsLetGoOfLongBeforeItEnds() throws IOException {
        write("lorem ipsum dolor ".repeat(1000));
        assertThat(out.size()).isGreaterThan(16_000);
        text.close();
        assertThat(shown()).isEqualTo("lorem ipsum dolor ".repeat(1000));
    }

    @Test
    void oneValueThatGoesOnAndOnIsNotHeldBackForGood() throws IOException {
        try (Scrubber letters =
                Scrubber.of(List.of(new LiveSecret("{{vault:a}}", new SecretValue("aaaaaaaa".getBytes(UTF_8)))))) {
            TextScrubber pieces = letters.text(out);
            byte[] same = "a".repeat(10_000).getBytes(UTF_8);
            for (int i = 0; i < 100; i++) {
                pieces.write(same);
            }
            assertThat(shown()).isEqualTo("{{vault:a}}");
            pieces.write("b".getBytes(UTF_8));
            pieces.close();
        }
        assertThat(shown()).isEqualTo("{{vault:a}}b");
    }

    @Test
    void colourCodesAndEncodingsHideNothingAcrossPieces() throws IOException {
        String encoded = Base64.getEncoder().encodeToString(("user:" + VALUE).getBytes(UTF_8));
        for (String piece :
                ("\u001b[1mTr0ub4d\u001b[31mor-and-3-more\u001b[0m " + encoded + "\n").split("(?<=\\G.{7})", -1)) {
            write(piece);
        }
        text.close();
        assertThat(shown()).startsWith("\u001b[1m{{vault:db}}\u001b[0m ").doesNotContain(encoded.substring(8));
    }
}
