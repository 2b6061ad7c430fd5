package dev.postern.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** S9: values delivered in the last 10 minutes, at most 32 a user, newest first. */
class RecentValuesTest {
    private Instant now = Instant.EPOCH;
    private final RecentValues recent = new RecentValues(() -> now);

    @Test
    @DisplayName("S9: newest first, and the same value again is one value that lasts anew")
    void newestFirst() {
        remember("user", "one");
        remember("user", "two");
        now = now.plus(Duration.ofMinutes(5));
        remember("user", "one");

        assertThat(values("user")).containsExactly("one", "two");
        now = now.plus(Duration.ofMinutes(5));
        assertThat(values("user")).containsExactly("one");
        now = now.plus(Duration.ofMinutes(5));
        assertThat(values("user")).isEmpty();
    }

    @Test
    @DisplayName("S9: at most 32 values a user; no user's values are another's")
    void atMost32() {
        for (int i = 0; i < 40; i++) {
            remember("user", "value" + i);
        }
        remember("second", "theirs");

        assertThat(values("user")).hasSize(32).startsWith("value39").endsWith("value8");
        assertThat(values("second")).containsExactly("theirs");
    }

    @Test
    @DisplayName("S9: what filters make of one value pushes no other value out, however much of it there is")
    void formsOfOneValuePushNoOtherOut() {
        try (SecretValue other = new SecretValue("other".getBytes(StandardCharsets.UTF_8))) {
            recent.remember("user", new LiveSecret("{{vault:other}}", other));
        }
        for (int i = 0; i < 100; i++) {
            remember("user", "form" + i);
        }

        assertThat(values("user"))
                .hasSize(33)
                .startsWith("form99")
                .contains("form68")
                .endsWith("other");
    }

    @Test
    @DisplayName("S9: of more than 32 values the one that was delivered longest ago is pushed out, with all its forms")
    void theOldestOfManyIsPushedOut() {
        for (int i = 0; i < 33; i++) {
            for (String form : List.of("plain", "encoded")) {
                try (SecretValue secret = new SecretValue((form + i).getBytes(StandardCharsets.UTF_8))) {
                    recent.remember("user", new LiveSecret("{{vault:x" + i + "}}", secret));
                }
            }
        }

        assertThat(values("user"))
                .hasSize(64)
                .startsWith("encoded32")
                .endsWith("plain1")
                .doesNotContain("plain0");
    }

    @Test
    @DisplayName("S9: a value rotated meanwhile is still remembered, beside the new one")
    void rotated() {
        remember("user", "old");
        remember("user", "new");

        assertThat(values("user")).containsExactly("new", "old");
    }

    @Test
    void whatIsHandedOutAndTakenInIsACopy() {
        SecretValue value = new SecretValue("value".getBytes(StandardCharsets.UTF_8));
        recent.remember("user", new LiveSecret("{{vault:x}}", value));
        value.close();
        List<LiveSecret> copies = recent.valuesOf("user");
        copies.forEach(copy -> copy.value().close());

        assertThat(values("user")).containsExactly("value");
    }

    @Test
    void theRevisionChangesWithTheSetAndOnlyWithIt() {
        assertThat(recent.revision("user")).isZero();
        long one = remember("user", "one");
        long revision = recent.revision("user");
        assertThat(revision).isNotZero();
        assertThat(remember("user", "one")).isEqualTo(one);
        assertThat(recent.revision("user")).isEqualTo(revision);
        assertThat(remember("second", "one")).isNotEqualTo(one);
        assertThat(recent.revision("user")).isEqualTo(revision);

        now = now.plus(Duration.ofMinutes(1));
        remember("user", "two");
        assertThat(recent.revision("user")).isNotEqualTo(revision);
        long both = recent.revision("user");
        now = now.plus(Duration.ofMinutes(9));
        assertThat(recent.revision("user")).as("one has lapsed").isNotEqualTo(both);
        now = now.plus(Duration.ofMinutes(1));
        assertThat(recent.revision("user")).isZero();
        assertThat(remember("user", "one")).isNotEqualTo(one);
    }

    @Test
    void closingForgetsEverything() {
        remember("user", "one");
        recent.close();

        assertThat(values("user")).isEmpty();
        assertThat(recent.revision("user")).isZero();
    }

    private long remember(String user, String value) {
        try (SecretValue secret = new SecretValue(value.getBytes(StandardCharsets.UTF_8))) {
            return recent.remember(user, new LiveSecret("{{vault:x}}", secret));
        }
    }

    private List<String> values(String user) {
        return recent.valuesOf(user).stream()
                .map(secret -> new String(secret.value().reveal(Reveal.TO_SCRUB), StandardCharsets.UTF_8))
                .toList();
    }
}
