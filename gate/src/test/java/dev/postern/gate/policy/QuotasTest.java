package dev.postern.gate.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Outcome;
import dev.postern.gate.call.Refusal;
import dev.postern.gate.testing.Outcomes;
import dev.postern.gate.testing.TestCall;
import dev.postern.gate.testing.TestGate;
import dev.postern.gate.upstream.UpstreamException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Quotas of the policy: calls a minute, calls at once, open requests, size and time. */
class QuotasTest {
    @Test
    @DisplayName("Calls a minute: over it, refused with the time to wait; after that time, let through")
    void callsPerMinute() {
        TestGate gate = TestGate.withPolicy("{\"quotas\":[{\"tools\":\"files__*\",\"callsPerMinute\":3}]}");
        TestCall call = gate.call("{}");
        for (int i = 0; i < 3; i++) {
            assertThat(Outcomes.disposition(gate.run(call))).isEqualTo(Disposition.EXECUTED);
        }
        Refusal refusal = Outcomes.refusal(gate.run(call));
        assertThat(refusal.code()).isEqualTo("POLICY_DENIED");
        assertThat(refusal.retryable()).isTrue();
        assertThat(refusal.details())
                .containsEntry("quota", "callsPerMinute")
                .containsEntry("limit", 3)
                .containsEntry("retry_after_seconds", 20L)
                .containsEntry("policy_revision", 1L);
        assertThat(Outcomes.disposition(gate.run(call.tool("web", "fetch")))).isEqualTo(Disposition.EXECUTED);
        assertThat(Outcomes.disposition(gate.run(call.by(gate.agents.put("second")))))
                .as("another agent has its own")
                .isEqualTo(Disposition.EXECUTED);

        gate.clock.advance(Duration.ofSeconds(19));
        assertThat(Outcomes.disposition(gate.run(call))).isEqualTo(Disposition.POLICY_DENIED);
        gate.clock.advance(Duration.ofSeconds(1));
        assertThat(Outcomes.disposition(gate.run(call))).isEqualTo(Disposition.EXECUTED);
        gate.clock.advance(Duration.ofHours(1));
        assertThat(Stream.generate(() -> Outcomes.disposition(gate.run(call)))
                        .limit(5)
                        .filter(Disposition.EXECUTED::equals))
                .as("no more than a minute's worth is saved up")
                .hasSize(3);
    }

    @Test
    @DisplayName("P1: a call over a quota is refused before the vault is read, and nobody is asked")
    void whatIsOverAQuotaReadsNoVault() {
        TestGate gate = TestGate.withPolicy("{\"quotas\":[{\"callsPerMinute\":1}]}");
        gate.vault.put("db", "a value that is long enough");
        assertThat(Outcomes.disposition(gate.run(gate.call("{}")))).isEqualTo(Disposition.EXECUTED);

        Outcome outcome = gate.run(gate.call("{\"a\":\"{{vault:db}}\"}"));

        assertThat(Outcomes.disposition(outcome)).isEqualTo(Disposition.POLICY_DENIED);
        assertThat(gate.vault.reads()).isZero();
        assertThat(gate.approvalStore.uses()).isZero();
    }

    @Test
    @DisplayName("A call refused for another reason counts for nothing; one over a quota counts for no other")
    void onlyWhatIsLetThroughCounts() {
        TestGate gate = TestGate.withPolicy(
                "{\"quotas\":[{\"callsPerMinute\":2},{\"tools\":\"files__read\",\"callsPerMinute\":1}],\"tools\":{\"files__no\":\"DENY\"}}");
        TestCall call = gate.call("{}");
        gate.run(call.tool("files", "no"));
        gate.run(call.tool("files", "no"));
        assertThat(Outcomes.disposition(gate.run(call.tool("files", "read")))).isEqualTo(Disposition.EXECUTED);
        assertThat(Outcomes.disposition(gate.run(call.tool("files", "read")))).isEqualTo(Disposition.POLICY_DENIED);
        assertThat(Outcomes.disposition(gate.run(call))).isEqualTo(Disposition.EXECUTED);
        assertThat(Outcomes.disposition(gate.run(call))).isEqualTo(Disposition.POLICY_DENIED);
    }

    @Test
    @DisplayName("Calls at once: never more, however many race; a place is free when a call ends, however it ends")
    void concurrentCalls() throws Exception {
        TestGate gate = TestGate.withPolicy("{\"quotas\":[{\"concurrentCalls\":4}]}");
        CountDownLatch go = new CountDownLatch(1);
        TestCall call = gate.call("{}");
        List<CompletableFuture<Outcome>> racing = Stream.generate(() -> gate.start(call, (armed, cancellation) -> {
                    await(go);
                    throw new UpstreamException(UpstreamException.Kind.FAILED, "it broke");
                }))
                .limit(40)
                .toList();
        List<CompletableFuture<Outcome>> refused = awaitDone(racing, 36);
        go.countDown();

        assertThat(refused.stream().map(Outcomes::of).map(Outcomes::disposition))
                .containsOnly(Disposition.POLICY_DENIED);
        assertThat(racing.stream().map(Outcomes::of).map(Outcomes::disposition))
                .filteredOn(Disposition.FAILED::equals)
                .hasSize(4);
        assertThat(Outcomes.disposition(gate.run(call))).isEqualTo(Disposition.EXECUTED);
    }

    @Test
    @DisplayName("Open requests: QUEUE_FULL at the policy's bound, which the same call sent again does not hit")
    void pendingApprovals() {
        TestGate gate = TestGate.withPolicy("{\"quotas\":[{\"agents\":\"agent-*\",\"pendingApprovals\":2}]}");
        gate.vault.put("db", "database-password");
        TestCall call = gate.call("{\"text\":\"{{vault:db}}\"}");
        gate.run(call);
        gate.run(call.arguments("{\"text\":\"2 {{vault:db}}\"}"));

        assertThat(Outcomes.disposition(gate.run(call))).isEqualTo(Disposition.APPROVAL_PENDING);
        assertThat(Outcomes.disposition(gate.run(call.arguments("{\"text\":\"3 {{vault:db}}\"}"))))
                .isEqualTo(Disposition.QUEUE_FULL);
    }

    @Test
    @DisplayName("Size: the answer's text is cut at the policy's limit")
    void resultCharacters() {
        TestGate gate = TestGate.withPolicy("{\"quotas\":[{\"tools\":\"files__*\",\"resultCharacters\":100}]}");
        gate.upstream.answerResult("{\"content\":[{\"type\":\"text\",\"text\":\"" + "x".repeat(500) + "\"}]}");

        assertThat(Outcomes.answer(gate.run(gate.call("{}")))).contains("[cut: 400 more characters]");
        assertThat(Outcomes.answer(gate.run(gate.call("{}").tool("web", "fetch"))))
                .contains("x".repeat(500));
    }

    @Test
    @DisplayName("Time: a call the server does not answer in time is cancelled there and ends as TIMED_OUT")
    void callSeconds() {
        TestGate gate = TestGate.withPolicy("{\"quotas\":[{\"callSeconds\":1}]}");
        CountDownLatch cancelled = new CountDownLatch(1);

        Outcome outcome = Outcomes.of(gate.start(gate.call("{}"), (armed, cancellation) -> {
            try (var _ = cancellation.onFire(cancelled::countDown)) {
                await(cancelled);
                throw new UpstreamException(UpstreamException.Kind.CANCELLED, "given up");
            }
        }));

        assertThat(Outcomes.disposition(outcome)).isEqualTo(Disposition.TIMED_OUT);
        assertThat(Outcomes.refusal(outcome).text()).contains("1 s that the policy allows");
    }

    @Test
    @DisplayName("A policy applied anew with the same quota goes on counting")
    void theSameQuotaGoesOnCounting() {
        String policy = "{\"quotas\":[{\"callsPerMinute\":1}]}";
        TestGate gate = TestGate.withPolicy(policy);
        gate.run(gate.call("{}"));
        gate.applyPolicy(policy);

        assertThat(Outcomes.disposition(gate.run(gate.call("{}")))).isEqualTo(Disposition.POLICY_DENIED);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static List<CompletableFuture<Outcome>> awaitDone(List<CompletableFuture<Outcome>> running, int count) {
        while (true) {
            List<CompletableFuture<Outcome>> done =
                    running.stream().filter(CompletableFuture::isDone).toList();
            if (done.size() >= count) {
                return done;
            }
            Thread.onSpinWait();
        }
    }
}
