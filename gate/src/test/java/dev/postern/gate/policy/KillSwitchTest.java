package dev.postern.gate.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.gate.approval.Approval;
import dev.postern.gate.call.Cancellation;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Outcome;
import dev.postern.gate.call.RunningCalls;
import dev.postern.gate.testing.MemoryKills;
import dev.postern.gate.testing.Outcomes;
import dev.postern.gate.testing.TestCall;
import dev.postern.gate.testing.TestClock;
import dev.postern.gate.testing.TestGate;
import dev.postern.gate.upstream.UpstreamException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A3: stopped at once, all or some, whatever a call is doing; kept over a restart. */
class KillSwitchTest {
    private final TestGate gate = new TestGate();
    private final TestCall plain = gate.call("{\"text\":\"x\"}");

    @Test
    @DisplayName("A3: a call that waits for a person ends at once, and its request with it")
    void aWaitingCallEnds() {
        gate.vault.put("db", "database-password");
        CompletableFuture<Outcome> waiting = gate.start(gate.call("{\"text\":\"{{vault:db}}\"}"));
        Approval request = gate.approvalStore.awaitRequest();

        assertThat(gate.killSwitch.engage(Kill.Scope.ALL, "operator", "a leak")).isEqualTo(1);

        assertThat(Outcomes.disposition(Outcomes.of(waiting))).isEqualTo(Disposition.KILL_SWITCH);
        assertThat(gate.approvals.approve(request.id(), "operator", null)).isFalse();
        assertThat(gate.upstream.calls()).isZero();
        assertThat(gate.ledger.entry().disposition()).isEqualTo(Disposition.KILL_SWITCH);
        assertThat(gate.running.count()).isZero();
    }

    @Test
    @DisplayName("A3: a call that a server works on ends at once, and the server hears of it")
    void aCallInFlightEnds() throws Exception {
        Blocking server = new Blocking();
        CompletableFuture<Outcome> running = gate.start(plain, server::execute);
        server.reached.await();

        gate.kill();

        assertThat(Outcomes.disposition(Outcomes.of(running))).isEqualTo(Disposition.KILL_SWITCH);
        assertThat(server.cancelled.await(60, java.util.concurrent.TimeUnit.SECONDS))
                .isTrue();
        assertThat(gate.ledger.entry().disposition()).isEqualTo(Disposition.KILL_SWITCH);
    }

    @Test
    @DisplayName("A3: an answer that comes all the same is not passed on")
    void anAnswerThatComesTooLateIsWithheld() {
        gate.upstream.answer(arguments -> {
            gate.kill();
            return "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}";
        });

        assertThat(Outcomes.disposition(gate.run(plain))).isEqualTo(Disposition.KILL_SWITCH);
    }

    @Test
    @DisplayName("A3: the agent's own cancellation stays a cancellation")
    void aCancellationStaysOne() throws Exception {
        Blocking server = new Blocking();
        Cancellation agent = new Cancellation();
        CompletableFuture<Outcome> running = gate.start(plain.cancelledBy(agent), server::execute);
        server.reached.await();
        agent.fire();

        assertThat(Outcomes.disposition(Outcomes.of(running))).isEqualTo(Disposition.CANCELLED);
    }

    @Test
    @DisplayName("A3: one agent or one server alone, running calls included, and nothing else")
    void oneAgentOrOneServer() throws Exception {
        TestCall others = plain.by(gate.agents.put("second"));
        Blocking server = new Blocking();
        CompletableFuture<Outcome> mine = gate.start(plain, server::execute);
        server.reached.await();
        Blocking second = new Blocking();
        CompletableFuture<Outcome> theirs = gate.start(others, second::execute);
        second.reached.await();

        assertThat(gate.killSwitch.engage(Kill.Scope.agent("agent-name"), "operator", null))
                .isEqualTo(1);
        assertThat(Outcomes.disposition(Outcomes.of(mine))).isEqualTo(Disposition.KILL_SWITCH);
        assertThat(disposition(plain)).isEqualTo(Disposition.KILL_SWITCH);
        assertThat(disposition(others)).isEqualTo(Disposition.EXECUTED);
        assertThat(theirs.isDone()).isFalse();

        assertThat(gate.killSwitch.engage(Kill.Scope.server("files"), "operator", null))
                .isEqualTo(1);
        assertThat(Outcomes.disposition(Outcomes.of(theirs))).isEqualTo(Disposition.KILL_SWITCH);
        assertThat(disposition(others)).isEqualTo(Disposition.KILL_SWITCH);
        assertThat(disposition(others.tool("web", "fetch"))).isEqualTo(Disposition.EXECUTED);
        assertThat(disposition(plain.tool("web", "fetch"))).isEqualTo(Disposition.KILL_SWITCH);

        assertThat(gate.killSwitch.release(Kill.Scope.agent("agent-name"), "operator"))
                .isTrue();
        assertThat(disposition(plain.tool("web", "fetch"))).isEqualTo(Disposition.EXECUTED);
        assertThat(gate.killSwitch.release(Kill.Scope.ALL, "operator")).isFalse();
        assertThat(disposition(plain)).isEqualTo(Disposition.KILL_SWITCH);
    }

    @Test
    @DisplayName("A3: it is kept, who did it and why, and holds even where it cannot be kept")
    void itIsKeptAndHolds() {
        MemoryKills store = new MemoryKills();
        TestClock clock = new TestClock();
        KillSwitch killSwitch = new KillSwitch(store, new RunningCalls(), clock);
        List<Integer> seen = new ArrayList<>();
        AutoCloseable _ = killSwitch.listen(kills -> seen.add(kills.size()));

        killSwitch.engage(Kill.Scope.ALL, "ada", "a leak");
        Kill kept = new Kill(Kill.Scope.ALL, clock.instant(), "ada", "a leak");
        assertThat(new KillSwitch(store, new RunningCalls(), clock).engaged())
                .as("after a restart")
                .containsExactly(kept);
        assertThat(killSwitch.stopsAll()).isTrue();
        killSwitch.release(Kill.Scope.ALL, "ada");
        assertThat(killSwitch.engaged()).isEmpty();

        store.breakDown();
        assertThatThrownBy(() -> killSwitch.engage(Kill.Scope.ALL, "ada", null))
                .isInstanceOf(IllegalStateException.class);
        assertThat(killSwitch.stopsAll()).isTrue();
        assertThatThrownBy(() -> killSwitch.release(Kill.Scope.ALL, "ada")).isInstanceOf(IllegalStateException.class);
        assertThat(killSwitch.stopsAll()).isTrue();
        assertThat(seen).containsExactly(1, 0, 1);
    }

    @Test
    @DisplayName("A3: of a thousand calls that start while it is engaged, none is left running")
    void noneSlipsThrough() throws Exception {
        List<CompletableFuture<Outcome>> calls = new ArrayList<>();
        Blocking server = new Blocking();
        for (int i = 0; i < 1_000; i++) {
            calls.add(gate.start(plain, server::execute));
            if (i == 500) {
                server.reached.await();
                Thread.ofVirtual().start(gate::kill);
            }
        }
        for (CompletableFuture<Outcome> call : calls) {
            assertThat(Outcomes.disposition(Outcomes.of(call))).isEqualTo(Disposition.KILL_SWITCH);
        }
        assertThat(gate.running.count()).isZero();
    }

    private Disposition disposition(TestCall call) {
        return Outcomes.disposition(gate.run(call));
    }

    /** A server that works until it is told to stop. */
    private static final class Blocking {
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch cancelled = new CountDownLatch(1);

        dev.postern.gate.scrub.Raw execute(dev.postern.gate.substitute.Armed call, Cancellation cancellation) {
            CountDownLatch stop = new CountDownLatch(1);
            try (var _ = cancellation.onFire(stop::countDown)) {
                reached.countDown();
                stop.await();
                cancelled.countDown();
                throw new UpstreamException(UpstreamException.Kind.CANCELLED, "given up");
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
