package dev.postern.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.gate.approval.Approval;
import dev.postern.gate.approval.Approval.Risk;
import dev.postern.gate.approval.Approval.SecretUse;
import dev.postern.gate.approval.Approval.State;
import dev.postern.gate.approval.ApprovalStore;
import dev.postern.gate.approval.PastDecision;
import dev.postern.gate.approval.RiskReason;
import dev.postern.store.Opened;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** P5 and P7 at rest: every change of state happens once. */
final class SqlApprovalsTest {
    @TempDir
    Path directory;

    private Opened opened;
    private ApprovalStore approvals;

    @BeforeEach
    void open() {
        opened = Opened.in(directory);
        approvals = opened.store().approvals();
    }

    @AfterEach
    void close() {
        opened.close();
    }

    @Test
    void anApprovalComesBackAsItWasAsked() {
        Approval asked = approval("a", "same-call", "agent");
        approvals.insert(asked);
        close();
        open();
        assertThat(approvals.find("a").orElseThrow()).usingRecursiveComparison().isEqualTo(asked);
        assertThat(approvals.find("b")).isEmpty();
    }

    @Test
    void pendingOnesAreListedOldestFirstAndCountedByAgent() {
        approvals.insert(approval("a", "1", "one"));
        opened.clock().advance(Duration.ofSeconds(1));
        approvals.insert(approval("b", "2", "two"));
        opened.clock().advance(Duration.ofSeconds(1));
        approvals.insert(approval("c", "3", "one"));
        assertThat(approvals.pending()).extracting(Approval::id).containsExactly("a", "b", "c");
        assertThat(approvals.pendingOf("one")).isEqualTo(2);
        approvals.decide("a", State.DENIED, "ada", "not today", now());
        assertThat(approvals.pending()).extracting(Approval::id).containsExactly("b", "c");
        assertThat(approvals.pendingOf("one")).isEqualTo(1);
        assertThat(approvals.pendingOf("three")).isZero();
    }

    @Test
    void theLastDecidedOnesAreListedNewestFirst() {
        approvals.insert(approval("a", "1", "one"));
        approvals.insert(approval("b", "2", "two"));
        approvals.insert(approval("c", "3", "one"));
        approvals.decide("b", State.GRANTED, "ada", null, now());
        opened.clock().advance(Duration.ofSeconds(1));
        approvals.decide("a", State.DENIED, "ada", null, now());
        assertThat(approvals.recent(5)).extracting(Approval::id).containsExactly("a", "b");
        assertThat(approvals.recent(1)).extracting(Approval::id).containsExactly("a");
    }

    @Test
    @DisplayName("P5: a decision is made once")
    void theFirstDecisionStands() {
        approvals.insert(approval("a", "1", "one"));
        assertThat(approvals.decide("a", State.DENIED, "ada", "not today", now()))
                .isTrue();
        assertThat(approvals.decide("a", State.GRANTED, "bob", null, now())).isFalse();
        Approval decided = approvals.find("a").orElseThrow();
        assertThat(decided.state()).isEqualTo(State.DENIED);
        assertThat(decided.decidedBy()).isEqualTo("ada");
        assertThat(decided.note()).isEqualTo("not today");
        assertThat(decided.decidedAt()).isEqualTo(now());
        assertThat(approvals.decide("unknown", State.GRANTED, "ada", null, now()))
                .isFalse();
        assertThatThrownBy(() -> approvals.decide("a", State.USED, null, null, now()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("P7: a yes after the time is over is no yes; a no, or the expiry itself, is")
    void anExpiredApprovalCannotBeGranted() {
        approvals.insert(approval("a", "1", "one"));
        opened.clock().advance(Duration.ofMinutes(5));
        assertThat(approvals.decide("a", State.GRANTED, "ada", null, now())).isFalse();
        assertThat(approvals.decide("a", State.EXPIRED, null, null, now())).isTrue();
    }

    @Test
    @DisplayName("P5: a granted approval is collected once, and is then used")
    void aGrantIsCollectedOnce() {
        approvals.insert(approval("a", "1", "one"));
        assertThat(approvals.collect("a", now())).isFalse();
        approvals.decide("a", State.GRANTED, "ada", null, now());
        assertThat(approvals.collect("a", now())).isTrue();
        assertThat(approvals.collect("a", now())).isFalse();
        assertThat(approvals.find("a").orElseThrow().state()).isEqualTo(State.USED);
    }

    @Test
    @DisplayName("P7: a decision waits for the agent, is seen once, and a new request takes its place")
    void theSameCallFindsItsApprovalUntilItIsSeen() {
        assertThat(approvals.unseen("same-call")).isEmpty();
        approvals.insert(approval("a", "same-call", "one"));
        approvals.insert(approval("b", "other-call", "one"));
        assertThat(approvals.unseen("same-call")).map(Approval::id).contains("a");
        approvals.decide("a", State.DENIED, "ada", null, now());
        assertThat(approvals.unseen("same-call")).map(Approval::state).contains(State.DENIED);
        assertThat(approvals.collect("a", now())).isTrue();
        assertThat(approvals.find("a").orElseThrow().state()).isEqualTo(State.DENIED);
        assertThat(approvals.unseen("same-call")).isEmpty();
        opened.clock().advance(Duration.ofSeconds(1));
        approvals.insert(approval("c", "same-call", "one"));
        assertThat(approvals.unseen("same-call")).map(Approval::id).contains("c");
    }

    @Test
    @DisplayName("P5: of 200 that collect one approval, one does")
    void oneOfManyCollects() throws Exception {
        approvals.insert(approval("a", "1", "one"));
        approvals.decide("a", State.GRANTED, "ada", null, now());
        assertThat(Racing.race(200, () -> approvals.collect("a", now())))
                .filteredOn(won -> won)
                .hasSize(1);
    }

    @Test
    void ofManyDecisionsOneCounts() throws Exception {
        approvals.insert(approval("a", "1", "one"));
        assertThat(Racing.race(200, () -> approvals.decide("a", State.GRANTED, "ada", null, now())))
                .filteredOn(won -> won)
                .hasSize(1);
        assertThat(opened.store().operatorLog().latest(10)).hasSize(1);
    }

    @Test
    void onlyAPersonsDecisionIsInTheOperatorsLog() {
        for (String id : List.of("a", "b", "c")) {
            approvals.insert(approval(id, id, "one"));
        }
        approvals.decide("a", State.GRANTED, "ada", null, now());
        approvals.decide("b", State.EXPIRED, null, null, now());
        approvals.decide("c", State.DENIED, "bob", null, now());
        assertThat(opened.store().operatorLog().latest(10))
                .extracting(act -> act.actor() + " " + act.act() + " " + act.subject())
                .containsExactly("bob approval.deny c", "ada approval.grant a");
    }

    @Test
    @DisplayName(
            "P8: what was decided about a secret and a tool before is found, by field and destination, newest first")
    void earlierDecisionsAreFound() {
        Approval first = approval("a", "1", "one");
        UUID secret = first.secrets().getFirst().id();
        approvals.insert(first);
        assertThat(approvals.decisions("files", "write_file", secret, 9)).isEmpty();
        assertThat(approvals.wasGranted("files", "write_file", secret, "password", null))
                .isFalse();
        approvals.decide("a", State.GRANTED, "ada", null, now());
        approvals.collect("a", now());

        assertThat(approvals.decisions("files", "write_file", secret, 9))
                .containsExactly(
                        new PastDecision("a", "the one", secret, "password", "files", true, "ada", now(), null));
        assertThat(approvals.wasGranted("files", "write_file", secret, "password", null))
                .isTrue();
        assertThat(approvals.wasGranted("files", "write_file", secret, "password", "files"))
                .isTrue();
        assertThat(approvals.wasGranted("files", "write_file", secret, "password", "files → evil.example"))
                .isFalse();
        assertThat(approvals.wasGranted("files", "write_file", secret, "notes", null))
                .isFalse();
        assertThat(approvals.wasGranted("files", "other_tool", secret, "password", null))
                .isFalse();
    }

    @Test
    @DisplayName("P8: a denial, and a request nobody decided on, are no earlier use")
    void aDenialIsNoEarlierUse() {
        Approval denied = approval("a", "1", "one");
        UUID secret = denied.secrets().getFirst().id();
        approvals.insert(denied);
        approvals.decide("a", State.EXPIRED, null, null, now());
        assertThat(approvals.decisions("files", "write_file", secret, 9)).isEmpty();
        Approval again = approval("b", "2", "one");
        approvals.insert(again);
        approvals.decide("b", State.DENIED, "ada", "no", now());

        UUID other = again.secrets().getFirst().id();
        assertThat(approvals.wasGranted("files", "write_file", other, "password", null))
                .isFalse();
        assertThat(approvals.decisions("files", "write_file", other, 9))
                .extracting(PastDecision::granted, PastDecision::note)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(false, "no"));
    }

    private Instant now() {
        return opened.clock().instant();
    }

    private Approval approval(String id, String fingerprint, String agent) {
        return new Approval(
                id,
                fingerprint,
                "digest",
                "nonce",
                agent,
                "the " + agent,
                "local",
                "files",
                "write_file",
                "{\"content\":\"{{vault:key}}\"}".getBytes(StandardCharsets.UTF_8),
                List.of(
                        new SecretUse(UUID.randomUUID(), "key", "example.com", "a\"d\na", "password", 3),
                        new SecretUse(UUID.randomUUID(), "other", null, null, "notes", 1)),
                "files",
                Risk.CRITICAL,
                List.of(RiskReason.SEVERAL_SECRETS, RiskReason.FIRST_USE),
                "hash",
                7,
                now(),
                now().plusSeconds(300),
                State.PENDING,
                null,
                null,
                null);
    }
}
