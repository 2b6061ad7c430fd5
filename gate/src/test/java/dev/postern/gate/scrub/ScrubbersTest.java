package dev.postern.gate.scrub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.gate.detect.CapturedValues;
import dev.postern.gate.scrub.Scrubbers.Lease;
import dev.postern.gate.testing.TestClock;
import dev.postern.scrub.LiveSecret;
import dev.postern.scrub.RecentValues;
import dev.postern.scrub.Scrubber;
import dev.postern.secret.SecretValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** S9: memory holds values no longer than the window, and what is made of them no longer either. */
class ScrubbersTest {
    private static final byte[] MESSAGE = "\"some-good-value\"".getBytes(StandardCharsets.UTF_8);

    private final TestClock clock = new TestClock();
    private final RecentValues recent = new RecentValues(clock);
    private final Scrubbers scrubbers = new Scrubbers(recent, new CapturedValues(clock));

    @Test
    void theSameValuesHaveTheSameScrubber() {
        Scrubber nothing = scrubber("user", "files");
        List<Long> ids = scrubbers.add("user", "files", secrets("some-good-value"));
        Scrubber inFlight = scrubber("user", "files");
        Scrubber elsewhere = scrubber("user", "other");
        scrubbers.remove("user", "files", ids);
        Scrubber remembered = scrubber("user", "files");
        List<Long> again = scrubbers.add("user", "files", secrets("some-good-value"));

        assertThat(again).isEqualTo(ids);
        assertThat(nothing.isEmpty()).isTrue();
        assertThat(scrubber("user", "files")).isSameAs(inFlight).isNotSameAs(remembered);
        assertThat(scrubber("user", "other")).isSameAs(elsewhere);
        assertThat(scrubber("second", "files").isEmpty()).isTrue();
    }

    @Test
    @DisplayName(
            "S9: when the window is over, scrubbers are wiped with the values: on the next use, or when an owner says so")
    void scrubbersAreWipedWithTheirValues() {
        scrubbers.remove("user", "files", scrubbers.add("user", "files", secrets("some-good-value")));
        Scrubber one = scrubber("user", "files");
        clock.advance(RecentValues.WINDOW);
        scrubbers.wipeLapsed();
        assertWiped(one);

        scrubbers.remove("user", "files", scrubbers.add("user", "files", secrets("some-good-value")));
        Scrubber other = scrubber("user", "files");
        clock.advance(RecentValues.WINDOW);
        assertThat(scrubber("user", "files").isEmpty()).isTrue();
        assertWiped(other);
    }

    @Test
    void aScrubberInUseIsNotWiped() {
        scrubbers.remove("user", "files", scrubbers.add("user", "files", secrets("some-good-value")));
        Scrubber scrubber;
        try (Lease lease = scrubbers.lease("user", "files")) {
            scrubber = lease.scrubber();
            clock.advance(RecentValues.WINDOW);
            scrubbers.wipeLapsed();
            assertThat(scrubber.scrub(MESSAGE)).isNotEqualTo(MESSAGE);
        }
        assertWiped(scrubber);
    }

    @Test
    void aServersNewConfigurationWipesTheOld() {
        scrubbers.configure("files", secrets("some-good-value"));
        Scrubber before = scrubber("user", "files");
        scrubbers.configure("files", secrets("another-good-value"));

        assertWiped(before);
        assertThat(scrubber("user", "files").scrub(MESSAGE)).isSameAs(MESSAGE);
    }

    @Test
    void onlySoManyScrubbersAreKept() {
        scrubbers.add("user", "files", secrets("some-good-value"));
        Scrubber first = scrubber("user", "server");
        for (int i = 0; i < 16; i++) {
            scrubber("user", "server" + i);
        }

        assertWiped(first);
    }

    @Test
    void furtherValuesAreForOneUse() {
        Scrubber scrubber;
        try (Lease lease = scrubbers.leaseWith("user", secrets("some-good-value"))) {
            scrubber = lease.scrubber();
            assertThat(scrubber.scrub(MESSAGE)).isNotEqualTo(MESSAGE);
        }
        assertWiped(scrubber);
        assertThat(scrubber("user", null).isEmpty()).isTrue();
    }

    private Scrubber scrubber(String user, @Nullable String server) {
        try (Lease lease = scrubbers.lease(user, server)) {
            return lease.scrubber();
        }
    }

    private static void assertWiped(Scrubber scrubber) {
        assertThatThrownBy(() -> scrubber.scrub(MESSAGE)).isInstanceOf(IllegalStateException.class);
    }

    private static List<LiveSecret> secrets(String... values) {
        List<LiveSecret> secrets = new ArrayList<>();
        for (String value : values) {
            secrets.add(new LiveSecret("{{vault:x}}", new SecretValue(value.getBytes(StandardCharsets.UTF_8))));
        }
        return secrets;
    }
}
