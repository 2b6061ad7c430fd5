package dev.postern.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.person.PasskeyStore;
import dev.postern.store.Opened;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A1: challenges that passkeys answered. */
final class SqlPasskeysTest {
    @TempDir
    Path directory;

    private static byte[] hash(String challenge) {
        return challenge.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    @DisplayName("A challenge is spent once, over a restart too, and forgotten when it has lapsed")
    void aChallengeIsSpentOnce() {
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        Instant lapses = now.plus(Duration.ofMinutes(5));
        try (Opened opened = Opened.in(directory)) {
            PasskeyStore passkeys = opened.store().passkeys();
            assertThat(passkeys.spendChallenge(hash("one"), lapses, now)).isTrue();
            assertThat(passkeys.spendChallenge(hash("one"), lapses, now)).isFalse();
            assertThat(passkeys.spendChallenge(hash("two"), lapses, now)).isTrue();
        }
        try (Opened opened = Opened.in(directory)) {
            PasskeyStore passkeys = opened.store().passkeys();
            assertThat(passkeys.spendChallenge(hash("one"), lapses, lapses.minusMillis(1)))
                    .isFalse();
            assertThat(passkeys.spendChallenge(hash("one"), lapses, lapses))
                    .as("nothing is kept of it")
                    .isTrue();
        }
    }
}
