package dev.postern.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.policy.PolicyStore;
import dev.postern.json.JsonValue;
import dev.postern.store.Opened;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Policy documents and the kill switch (A3). */
final class SqlPolicyTest {
    private static final byte[] DENY = "{\"secretBearingCalls\":\"DENY\"}".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path directory;

    @Test
    void aFreshStoreHasTheDefaultAtRevisionZero() {
        try (Opened opened = Opened.in(directory)) {
            PolicyStore.Stored stored = opened.store().policy().current();
            assertThat(stored.revision()).isZero();
            assertThat(JsonValue.parse(stored.document()).string("secretBearingCalls"))
                    .isEqualTo("ASK");
        }
    }

    @Test
    void everyRevisionIsKept() {
        byte[] other = "{}".getBytes(StandardCharsets.UTF_8);
        try (Opened opened = Opened.in(directory)) {
            opened.store().policy().apply(DENY, "ada");
            opened.clock().advance(java.time.Duration.ofMinutes(1));
            opened.store().policy().apply(other, "bob");
        }
        try (Opened opened = Opened.in(directory)) {
            PolicyStore policy = opened.store().policy();
            assertThat(policy.history(Long.MAX_VALUE, 9))
                    .extracting(revision -> revision.revision() + " " + revision.actor())
                    .containsExactly("2 bob", "1 ada");
            assertThat(policy.history(Long.MAX_VALUE, 1)).hasSize(1);
            assertThat(policy.history(2, 9))
                    .extracting(PolicyStore.Revision::revision)
                    .containsExactly(1L);
            assertThat(policy.history(1, 9)).isEmpty();
            assertThat(policy.find(1).orElseThrow().document()).isEqualTo(DENY);
            assertThat(policy.find(2).orElseThrow().document()).isEqualTo(other);
            assertThat(policy.find(0)).as("the built-in default").isPresent();
            assertThat(policy.find(3)).isEmpty();
        }
    }

    @Test
    void anAppliedDocumentIsInForceAtOnceAndAfterARestart() {
        try (Opened opened = Opened.in(directory)) {
            assertThat(opened.store().policy().apply(DENY, "ada")).isEqualTo(1);
            assertThat(opened.store().policy().apply(DENY, "ada")).isEqualTo(2);
            assertThat(opened.store().policy().current().document()).isEqualTo(DENY);
        }
        try (Opened opened = Opened.in(directory)) {
            assertThat(opened.store().policy().current().revision()).isEqualTo(2);
            assertThat(opened.store().policy().current().document()).isEqualTo(DENY);
            assertThat(opened.store().operatorLog().latest(1).getFirst().act()).isEqualTo("policy.apply");
        }
    }
}
