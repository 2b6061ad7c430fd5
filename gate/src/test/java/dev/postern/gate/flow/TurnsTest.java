package dev.postern.gate.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Outcome;
import dev.postern.gate.testing.Outcomes;
import dev.postern.gate.testing.TestGate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Few calls are prepared at a time; any number may wait for a person or be worked on by a server. */
@Timeout(180)
class TurnsTest {
    private static final int CALLS = 200;

    @Test
    @DisplayName("Calls that servers work on hold up no others: hundreds run at once")
    void callsThatAreWorkedOnHoldUpNoOthers() {
        TestGate gate = new TestGate();
        CyclicBarrier allAreHere = new CyclicBarrier(CALLS);
        gate.upstream.answer(arguments -> {
            try {
                allAreHere.await(60, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            return "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";
        });
        List<CompletableFuture<Outcome>> calls = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            calls.add(gate.start(gate.call("{\"n\":" + i + "}")));
        }

        assertThat(calls)
                .allSatisfy(call ->
                        assertThat(Outcomes.disposition(Outcomes.of(call))).isEqualTo(Disposition.EXECUTED));
    }

    @Test
    @DisplayName(
            "P7: calls that wait for a person hold up no others: hundreds wait at once, and each runs once it is approved")
    void callsThatWaitHoldUpNoOthers() {
        TestGate gate = new TestGate();
        gate.vault.put("db", "a value that is long enough");
        List<CompletableFuture<Outcome>> calls = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            calls.add(gate.start(gate.call("{\"n\":" + i + ",\"a\":\"{{vault:db}}\"}")));
        }
        List<String> asked = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            asked.add(gate.approvalStore.awaitRequest().id());
        }

        assertThat(gate.upstream.calls()).isZero();
        assertThat(asked)
                .allSatisfy(id ->
                        assertThat(gate.approvals.approve(id, "operator", null)).isTrue());
        assertThat(calls)
                .allSatisfy(call ->
                        assertThat(Outcomes.disposition(Outcomes.of(call))).isEqualTo(Disposition.EXECUTED));
        assertThat(gate.upstream.calls()).isEqualTo(CALLS);
    }
}
