package dev.postern.scrub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.secret.SecretValue;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * S2 and S10 for JSON within a string: wherever its escaped quotes fall in the words and blocks a message is read in, the string
 * ends where it ends.
 */
class EscapedQuotesTest {
    private static final String VALUE = "ghq_Zx81kLmQ0pRtUvWy";
    /** As many bytes as are looked at together. */
    private static final int BLOCK = 4096;

    private final Scrubber scrubber =
            Scrubber.of(List.of(new LiveSecret("{{vault:x}}", new SecretValue(VALUE.getBytes(UTF_8)))));

    private static IntStream places() {
        return IntStream.concat(IntStream.range(0, 150), IntStream.range(BLOCK - 150, BLOCK + 20));
    }

    @Test
    void aStringEndsWhereItEnds() {
        places().forEach(before -> {
            for (String inner :
                    List.of("\\\"", "\\\"\\\"", "\\\"a\\\"", "\\\"a\\\\\\\"", "\\\":\\\"" + "b".repeat(60) + "\\\"")) {
                String json = "[\"" + "x".repeat(before) + inner + "\",\"%s\",\"\\\"\"]";
                assertThat(scrubbed(json.formatted(VALUE))).isEqualTo(json.formatted("{{vault:x}}"));
                assertThat(scrubbed(json.formatted("-"))).isEqualTo(json.formatted("-"));
            }
        });
    }

    @Test
    void aStringThatDoesNotEndIsRefused() {
        places().forEach(before -> {
            for (String inner : List.of("\\\"", "\\\"\\\"", "\\\"a\\\"", "\\\"\\", "\\\"\u0001\"]", "\\\"\\x\"]")) {
                String json = "[\"" + "x".repeat(before) + inner;
                assertThatThrownBy(() -> scrubbed(json)).isInstanceOf(ScrubFailedException.class);
            }
        });
    }

    private String scrubbed(String json) {
        return new String(scrubber.scrub(json.getBytes(UTF_8)), UTF_8);
    }
}
