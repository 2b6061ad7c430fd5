package dev.postern.gate.approval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.scrub.Cap;
import dev.postern.gate.testing.MemoryPolicy;
import dev.postern.gate.testing.Outcomes;
import dev.postern.gate.testing.TestCall;
import dev.postern.gate.testing.TestGate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** QUEUE_FULL and the order of the queue: one agent's flood leaves room and sight for all others. */
class FairnessTest {
    private static final int BOUND = 50;

    private final TestGate gate = new TestGate(new MemoryPolicy(), BOUND, Cap.DEFAULT_MAX_CHARACTERS);
    private final Caller flooding = gate.agents.put("flooding");
    private final Caller quiet = gate.agents.put("quiet");

    @BeforeEach
    void putSecret() {
        gate.vault.put("db", "database-password");
    }

    @Test
    @DisplayName("QUEUE_FULL: an agent's bound is its own, whoever else floods")
    void anAgentsBoundIsItsOwn() {
        flood();

        assertThat(ask(flooding, "one more")).isEqualTo(Disposition.QUEUE_FULL);
        assertThat(ask(quiet, "first")).isEqualTo(Disposition.APPROVAL_PENDING);
        assertThat(ask(quiet, "second")).isEqualTo(Disposition.APPROVAL_PENDING);
        assertThat(gate.approvals.waiting()).isEqualTo(BOUND + 2);
    }

    @Test
    @DisplayName(
            "P8: requests are shown in rounds, the oldest of each agent first, so that none is pushed out of sight")
    void requestsAreShownInRounds() {
        flood();
        gate.clock.advance(Duration.ofSeconds(1));
        ask(quiet, "first");
        gate.clock.advance(Duration.ofSeconds(1));
        ask(quiet, "second");

        List<Approval> shown = gate.approvals.pending();

        assertThat(shown).hasSize(BOUND + 2);
        assertThat(shown.subList(0, 5).stream().map(Approval::agent))
                .containsExactly("flooding", "quiet", "flooding", "quiet", "flooding");
        assertThat(shown.stream().filter(each -> each.agent().equals("flooding")))
                .isSortedAccordingTo(java.util.Comparator.comparing(Approval::created));
    }

    @Test
    @DisplayName("P7: what waits is counted without requests whose time is over")
    void whatIsOverDoesNotWait() {
        ask(quiet, "first");
        assertThat(gate.approvals.waiting()).isEqualTo(1);
        gate.clock.advance(TestGate.TIMEOUT);
        assertThat(gate.approvals.waiting()).isZero();
        assertThat(gate.approvals.pending()).isEmpty();
    }

    private void flood() {
        for (int i = 0; i < BOUND; i++) {
            gate.clock.advance(Duration.ofMillis(1));
            assertThat(ask(flooding, "call " + i)).isEqualTo(Disposition.APPROVAL_PENDING);
        }
    }

    private Disposition ask(Caller agent, String text) {
        TestCall call = gate.call("{\"text\":\"" + text + " {{vault:db}}\"}").by(agent);
        return Outcomes.disposition(gate.run(call));
    }
}
