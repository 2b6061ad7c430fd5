package dev.postern.app.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.scrub.LiveSecret;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** S1: of a server's access tokens those are looked for that are good, or were not long ago; and no others pile up. */
class IssuedTokensTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final IssuedTokens tokens = new IssuedTokens("s");

    private boolean issue(String token, @Nullable Instant end, Instant now) {
        try (SecretValue value = new SecretValue(token.getBytes(StandardCharsets.UTF_8))) {
            boolean isNew = tokens.add(value, end, now);
            if (isNew) {
                tokens.forgetEnded(now).forEach(SecretValue::close);
            }
            return isNew;
        }
    }

    private List<String> live() {
        return tokens.live().stream()
                .map(LiveSecret::value)
                .map(value -> new String(value.reveal(Reveal.TO_SCRUB), StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void renewedTokensOfATinyLifeDoNotPileUp() {
        Instant now = START;
        for (int i = 0; i < 100_000; i++) {
            now = START.plusSeconds(30L * i);
            issue("token-" + i, now.plusSeconds(31), now);
        }
        assertThat(live()).contains("token-99999").hasSizeLessThan(130);
        assertThat(tokens.live()).allMatch(secret -> secret.placeholder().equals("[oauth:s]"));
    }

    @Test
    @DisplayName("a token is looked for until an hour after its end, however many come after it")
    void whatHasJustEndedIsStillLookedFor() {
        Instant end = START.plus(Duration.ofDays(1));
        issue("long", end, START);
        for (int i = 0; i < 100; i++) {
            Instant now = START.plus(Duration.ofMinutes(14L * i));
            issue("short-" + i, now.plusSeconds(60), now);
            assertThat(live()).contains("long", "short-" + i);
        }
        Instant justBefore = end.plus(IssuedTokens.KEPT_AFTER_END);
        issue("x", null, justBefore);
        assertThat(live()).contains("long", "x");
        issue("y", null, justBefore.plusSeconds(1));
        assertThat(live()).containsExactly("x", "y");
    }

    @Test
    void aTokenWhoseEndNobodyToldIsLookedForWhileItIsTheNewestAndAnHourLonger() {
        issue("first", null, START);
        Instant muchLater = START.plus(Duration.ofDays(365));
        assertThat(issue("first", null, muchLater)).as("known already").isFalse();
        issue("second", null, muchLater);
        assertThat(live()).containsExactly("first", "second");
        issue("third", null, muchLater.plus(Duration.ofHours(2)));
        assertThat(live()).containsExactly("second", "third");
    }

    @Test
    void oneThatComesAgainIsTheNewest() {
        issue("first", null, START);
        issue("second", null, START);
        assertThat(issue("first", null, START)).isFalse();
        issue("third", null, START.plus(Duration.ofHours(2)));
        assertThat(live()).as("the one that came again, and the newest").contains("first", "third");
    }

    @Test
    void oneThatIsGivenALongerLifeIsLookedForAsLong() {
        issue("first", START, START);
        issue("first", START.plus(Duration.ofDays(1)), START);
        issue("second", null, START.plus(Duration.ofHours(20)));
        assertThat(live()).containsExactly("first", "second");
    }

    @Test
    void aServerThatRefusesEveryTokenAtOnceGetsOnlySoManyKept() {
        Instant end = START.plus(Duration.ofDays(10_000));
        for (int i = 0; i < IssuedTokens.MOST + 500; i++) {
            issue("token-" + i, end, START);
        }
        assertThat(live())
                .hasSize(IssuedTokens.MOST)
                .contains("token-500", "token-" + (IssuedTokens.MOST + 499))
                .doesNotContain("token-499");
    }
}
