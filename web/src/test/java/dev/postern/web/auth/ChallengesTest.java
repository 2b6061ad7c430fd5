package dev.postern.web.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.web.testing.SettableClock;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A1: what a passkey is asked to sign. */
class ChallengesTest {
    private static final Purpose SIGN_IN = new Purpose.SignIn();

    private final SettableClock clock = new SettableClock();
    private final Challenges challenges = new Challenges(clock);

    private static byte[] bytes(String challenge) {
        return Base64.getUrlDecoder().decode(challenge);
    }

    @Test
    @DisplayName("A challenge is known again without having been kept, until it lapses")
    void isKnownUntilItLapses() {
        byte[] challenge = bytes(challenges.make(SIGN_IN));
        assertThat(challenges.lapses(challenge, SIGN_IN))
                .contains(clock.instant().plus(Challenges.LIFETIME));
        clock.pass(Challenges.LIFETIME.minusMillis(1));
        assertThat(challenges.lapses(challenge, SIGN_IN)).isPresent();
        clock.pass(Duration.ofMillis(1));
        assertThat(challenges.lapses(challenge, SIGN_IN)).isEmpty();
    }

    @Test
    void isOfOnePurposeAndSession() {
        byte[] challenge = bytes(challenges.make(new Purpose.Confirm("session")));
        assertThat(challenges.lapses(challenge, new Purpose.Confirm("session"))).isPresent();
        assertThat(challenges.lapses(challenge, new Purpose.Confirm("another"))).isEmpty();
        assertThat(challenges.lapses(challenge, new Purpose.Add("session"))).isEmpty();
        assertThat(challenges.lapses(challenge, SIGN_IN)).isEmpty();
    }

    @Test
    void nobodyElseMakesOne() {
        assertThat(challenges.lapses(bytes(new Challenges(clock).make(SIGN_IN)), SIGN_IN))
                .isEmpty();
        assertThat(challenges.lapses(new byte[0], SIGN_IN)).isEmpty();
        byte[] challenge = bytes(challenges.make(SIGN_IN));
        for (int at = 0; at < challenge.length; at++) {
            byte[] changed = challenge.clone();
            changed[at] ^= 1;
            assertThat(challenges.lapses(changed, SIGN_IN)).as("byte %s", at).isEmpty();
        }
        assertThat(challenges.make(SIGN_IN)).isNotEqualTo(challenges.make(SIGN_IN));
    }
}
