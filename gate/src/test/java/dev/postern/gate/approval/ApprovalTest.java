package dev.postern.gate.approval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.approval.Approval.Risk;
import dev.postern.gate.approval.Approval.State;
import dev.postern.gate.call.Cancellation;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Outcome;
import dev.postern.gate.call.Refusal;
import dev.postern.gate.scrub.Cap;
import dev.postern.gate.testing.MemoryPolicy;
import dev.postern.gate.testing.Outcomes;
import dev.postern.gate.testing.TestCall;
import dev.postern.gate.testing.TestGate;
import dev.postern.scrub.LiveSecret;
import dev.postern.secret.SecretValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** P2, P5, P7, P8: asking a person, and what an answer is good for. */
@Timeout(180)
class ApprovalTest {
    private static final String VALUE = "correct-horse-battery";

    private final TestGate gate = new TestGate();
    private final TestCall call = gate.call("{\"text\":\"{{vault:db}}\"}");

    @BeforeEach
    void addSecret() {
        gate.vault.put("db", VALUE);
    }

    @Test
    @DisplayName("An approved call delivers the value, and gives back the reference")
    void anApprovedCallDeliversTheValue() {
        Outcome outcome = gate.runApproved(call);

        assertThat(gate.upstream.received()).containsExactly("{\"text\":\"" + VALUE + "\"}");
        assertThat(Outcomes.answer(outcome))
                .contains("{\"text\":\"{{vault:db}}\"}")
                .doesNotContain(VALUE);
        assertThat(gate.vault.isAllWiped()).isTrue();
        assertThat(gate.upstream.receivedArrays().getFirst()).containsOnly(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"tools\":{\"files__write\":\"ALLOW\"}}", "{\"servers\":{\"files\":\"ALLOW\"}}", "{}"})
    @DisplayName("P2: a tool-wide or server-wide allow never satisfies a secret")
    void anAllowNeverSatisfiesASecret(String policy) {
        gate.applyPolicy(policy);

        Outcome outcome = gate.run(call);

        assertThat(Outcomes.disposition(outcome)).isEqualTo(Disposition.APPROVAL_PENDING);
        assertThat(gate.upstream.calls()).isZero();
    }

    @Test
    @DisplayName("A denial reaches the agent with the note, and the ledger with the name of who said no")
    void aDenialReachesTheAgent() {
        CompletableFuture<Outcome> running = gate.start(call);
        gate.approvals.deny(gate.approvalStore.awaitRequest().id(), "carol", "not on a Friday");

        Refusal refusal = Outcomes.refusal(Outcomes.of(running));

        assertThat(refusal.disposition()).isEqualTo(Disposition.DENIED);
        assertThat(refusal.text()).contains("not on a Friday").doesNotContain("carol");
        assertThat(refusal.retryable()).isFalse();
        assertThat(gate.ledger.entry().approver()).isEqualTo("carol");
        assertThat(gate.upstream.calls()).isZero();
    }

    @Test
    @DisplayName("P5: an approval works once; the same call again asks anew")
    void anApprovalWorksOnce() {
        gate.runApproved(call);

        Outcome replay = gate.run(call);

        assertThat(Outcomes.disposition(replay)).isEqualTo(Disposition.APPROVAL_PENDING);
        assertThat(gate.approvalStore.inserts()).isEqualTo(2);
        assertThat(gate.upstream.calls()).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "P5: two identical calls at once join one request; its approval runs exactly one, and the other asks anew")
    void oneApprovalRunsOneOfTwoIdenticalCalls() {
        CompletableFuture<Outcome> one = gate.start(call);
        String first = gate.approvalStore.awaitRequest().id();
        CompletableFuture<Outcome> other = gate.start(call);

        assertThat(gate.approvals.approve(first, "operator", null)).isTrue();
        String second = gate.approvalStore.awaitRequest().id();
        CompletableFuture.anyOf(one, other).join();
        assertThat(gate.upstream.calls()).isEqualTo(1);
        assertThat(gate.approvals.deny(second, "operator", null)).isTrue();

        assertThat(Stream.of(one, other).map(Outcomes::of).map(Outcomes::disposition))
                .containsExactlyInAnyOrder(Disposition.EXECUTED, Disposition.DENIED);
        assertThat(gate.upstream.calls()).isEqualTo(1);
    }

    @Test
    @DisplayName("P5: who sees a yes that another call, here or on another node, was first to use, asks anew")
    void aYesThatAnotherUsedIsNone() {
        gate.run(call);
        String id = gate.approve();
        gate.approvalStore.onNextCollect(() -> gate.approvalStore.collect(id, gate.clock.instant()));

        assertThat(Outcomes.disposition(gate.run(call))).isEqualTo(Disposition.APPROVAL_PENDING);
        assertThat(gate.upstream.calls()).isZero();
    }

    @Test
    @DisplayName("P7: two identical calls that find no request at the same moment make one request, not two")
    void twoCallsMakeOneRequest() {
        gate.approvalStore.afterNextUnseen(() -> gate.run(call));

        gate.run(call);

        assertThat(gate.approvalStore.inserts()).isEqualTo(1);
    }

    @Test
    @DisplayName("P5: of many identical calls at once as many run as were approved")
    void asManyRunAsWereApproved() {
        List<CompletableFuture<Outcome>> running =
                Stream.generate(() -> gate.start(call)).limit(50).toList();

        for (int i = 0; i < 10; i++) {
            gate.approve();
        }
        gate.approvals.listen(request -> deny(request));
        gate.approvals.pending().forEach(this::deny);

        List<Disposition> dispositions =
                running.stream().map(Outcomes::of).map(Outcomes::disposition).toList();
        assertThat(dispositions).filteredOn(Disposition.EXECUTED::equals).hasSize(10);
        assertThat(dispositions).filteredOn(Disposition.DENIED::equals).hasSize(40);
        assertThat(gate.upstream.calls()).isEqualTo(10);
    }

    private void deny(Approval request) {
        if (request.state() == State.PENDING) {
            gate.approvals.deny(request.id(), "operator", null);
        }
    }

    @Test
    @DisplayName(
            "P7: a call held long enough returns APPROVAL_PENDING with the portal's address; the same call joins and runs")
    void aHeldCallReturnsAndJoins() {
        Refusal pending = Outcomes.refusal(gate.run(call));

        assertThat(pending.disposition()).isEqualTo(Disposition.APPROVAL_PENDING);
        assertThat(pending.retryable()).isTrue();
        assertThat(pending.text()).contains(TestGate.PORTAL);
        assertThat(pending.details()).containsEntry("portal", TestGate.PORTAL).containsKeys("approval", "expires_at");
        gate.approve();

        Outcome outcome = gate.run(call);

        assertThat(Outcomes.disposition(outcome)).isEqualTo(Disposition.EXECUTED);
        assertThat(gate.approvalStore.inserts()).isEqualTo(1);
    }

    @Test
    @DisplayName("P5: the same arguments in another spelling are the same call")
    void anotherSpellingIsTheSameCall() {
        gate.run(call);
        gate.approve();

        Outcome outcome = gate.run(call.arguments("{ \"te\\u0078t\" : \"{{vault:db}}\" }"));

        assertThat(Outcomes.disposition(outcome)).isEqualTo(Disposition.EXECUTED);
    }

    @Test
    @DisplayName("P7: nobody decides in time: APPROVAL_EXPIRED, seen by every call that waited")
    void expiryIsSeen() {
        List<CompletableFuture<Outcome>> running = startWaiting(3);
        gate.clock.advance(TestGate.TIMEOUT);

        assertThat(gate.approvals.pending()).isEmpty();

        assertThat(running)
                .allSatisfy(each ->
                        assertThat(Outcomes.disposition(Outcomes.of(each))).isEqualTo(Disposition.APPROVAL_EXPIRED));
        assertThat(gate.approvalStore.inserts()).isEqualTo(1);
    }

    @Test
    @DisplayName("P7: an expiry nobody listened to is seen by the next call, once")
    void anExpiryNobodyHeardIsSeenOnce() {
        gate.run(call);
        gate.clock.advance(TestGate.TIMEOUT);

        assertThat(Outcomes.disposition(gate.run(call))).isEqualTo(Disposition.APPROVAL_EXPIRED);
        assertThat(Outcomes.disposition(gate.run(call))).isEqualTo(Disposition.APPROVAL_PENDING);
    }

    @Test
    @DisplayName("P7: what has expired can be neither approved nor denied, however late the click")
    void aLateClickChangesNothing() {
        gate.run(call);
        String id = gate.approvalStore.awaitRequest().id();
        gate.clock.advance(TestGate.TIMEOUT);

        assertThat(gate.approvals.approve(id, "operator", null)).isFalse();
        assertThat(gate.approvals.deny(id, "operator", null)).isFalse();
        assertThat(gate.approvals.find(id).orElseThrow().state()).isEqualTo(State.EXPIRED);
    }

    @Test
    @DisplayName("P7: a denial while nobody listens is seen once, by the next call; then the operator is asked again")
    void aDenialNobodyHeardIsSeenOnce() {
        gate.run(call);
        gate.approvals.deny(gate.approvalStore.awaitRequest().id(), "operator", null);

        assertThat(Outcomes.disposition(gate.run(call))).isEqualTo(Disposition.DENIED);
        assertThat(Outcomes.disposition(gate.run(call))).isEqualTo(Disposition.APPROVAL_PENDING);
    }

    @Test
    @DisplayName(
            "A denial holds for every call that waited: the operator is not asked again about what was just denied")
    void aDenialHoldsForAllWhoWaited() {
        List<CompletableFuture<Outcome>> running = startWaiting(5);
        deny(gate.approvalStore.awaitRequest());

        assertThat(running)
                .allSatisfy(each ->
                        assertThat(Outcomes.disposition(Outcomes.of(each))).isEqualTo(Disposition.DENIED));
        assertThat(gate.approvalStore.inserts()).isEqualTo(1);
        assertThat(gate.upstream.calls()).isZero();
    }

    /** Identical calls, every one of them waiting in the room. */
    private List<CompletableFuture<Outcome>> startWaiting(int count) {
        List<CompletableFuture<Outcome>> running = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            BlockingQueue<Duration> beats = new LinkedBlockingQueue<>();
            running.add(gate.start(call.heartbeat((elapsed, remaining) -> beats.add(remaining))));
            await(beats);
        }
        return running;
    }

    @Test
    @DisplayName("P7: a granted approval nobody collects lapses after the timeout")
    void anUncollectedGrantLapses() {
        gate.run(call);
        gate.approve();
        gate.clock.advance(TestGate.TIMEOUT);

        assertThat(Outcomes.disposition(gate.run(call))).isEqualTo(Disposition.APPROVAL_PENDING);
        assertThat(gate.upstream.calls()).isZero();
    }

    @Test
    @DisplayName("P7: up to the timeout, a granted approval is still there for the agent")
    void aGrantedApprovalWaitsForTheAgent() {
        gate.run(call);
        gate.approve();
        gate.clock.advance(TestGate.TIMEOUT.minusMillis(1));

        assertThat(Outcomes.disposition(gate.run(call))).isEqualTo(Disposition.EXECUTED);
    }

    @Test
    @DisplayName("A cancelled call leaves the queue, and cannot be approved any more")
    void aCancelledCallLeavesTheQueue() {
        Cancellation cancellation = new Cancellation();
        CompletableFuture<Outcome> running = gate.start(call.cancelledBy(cancellation));
        String id = gate.approvalStore.awaitRequest().id();

        cancellation.fire();

        assertThat(Outcomes.disposition(Outcomes.of(running))).isEqualTo(Disposition.CANCELLED);
        assertThat(gate.approvals.pending()).isEmpty();
        assertThat(gate.approvals.approve(id, "operator", null)).isFalse();
        assertThat(Outcomes.disposition(gate.run(call))).isEqualTo(Disposition.APPROVAL_PENDING);
        assertThat(gate.approvalStore.inserts()).isEqualTo(2);
    }

    @Test
    @DisplayName("A call cancelled before it asks asks nobody for long")
    void aCallCancelledBeforeItAsks() {
        Cancellation cancellation = new Cancellation();
        cancellation.fire();

        Outcome outcome = gate.run(call.cancelledBy(cancellation));

        assertThat(Outcomes.disposition(outcome)).isEqualTo(Disposition.CANCELLED);
        assertThat(gate.approvals.pending()).isEmpty();
    }

    @Test
    @DisplayName("The request stays while another identical call waits for it")
    void cancellingOneOfTwoLeavesTheRequest() {
        Cancellation cancellation = new Cancellation();
        CompletableFuture<Outcome> leaving = gate.start(call.cancelledBy(cancellation));
        String id = gate.approvalStore.awaitRequest().id();
        BlockingQueue<Duration> beats = new LinkedBlockingQueue<>();
        CompletableFuture<Outcome> staying = gate.start(call.heartbeat((elapsed, remaining) -> beats.add(remaining)));
        await(beats); // it stands in the room

        cancellation.fire();
        assertThat(Outcomes.disposition(Outcomes.of(leaving))).isEqualTo(Disposition.CANCELLED);

        assertThat(gate.approvals.approve(id, "operator", null)).isTrue();
        assertThat(Outcomes.disposition(Outcomes.of(staying))).isEqualTo(Disposition.EXECUTED);
    }

    @Test
    @DisplayName("A call that joins a request in the moment it is cancelled asks anew")
    void joiningACancelledRequestAsksAnew() {
        gate.run(call);
        String id = gate.approvalStore.awaitRequest().id();
        // Found while pending, cancelled before it is looked at again.
        gate.approvalStore.onNextFind(
                () -> gate.approvalStore.decide(id, State.CANCELLED, null, null, gate.clock.instant()));

        CompletableFuture<Outcome> running = gate.start(call);
        gate.approve();

        assertThat(Outcomes.disposition(Outcomes.of(running))).isEqualTo(Disposition.EXECUTED);
        assertThat(gate.approvalStore.inserts()).isEqualTo(2);
    }

    @Test
    @DisplayName("A decision made between looking and waiting is not missed")
    void aDecisionBetweenLookingAndWaitingIsNotMissed() {
        List<CompletableFuture<Outcome>> running = new ArrayList<>();
        try (AutoCloseable ignored = gate.approvals.listen(request -> {
            if (request.state() == State.PENDING) {
                gate.approvals.approve(request.id(), "operator", null);
            }
        })) {
            running.add(gate.start(call));
            assertThat(Outcomes.disposition(Outcomes.of(running.getFirst()))).isEqualTo(Disposition.EXECUTED);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("P7: a client that takes progress is told at once, and one that cannot be told still waits")
    void aHeartbeatThatFailsEndsNothing() {
        BlockingQueue<Duration> beats = new LinkedBlockingQueue<>();
        CompletableFuture<Outcome> running = gate.start(call.heartbeat((elapsed, remaining) -> {
            beats.add(remaining);
            throw new IllegalStateException("the stream is closed");
        }));

        assertThat(await(beats)).isEqualTo(TestGate.TIMEOUT);
        gate.approve();

        assertThat(Outcomes.disposition(Outcomes.of(running))).isEqualTo(Disposition.EXECUTED);
    }

    @Test
    @DisplayName("A listener that fails neither loses a request nor a decision")
    void aListenerThatFailsEndsNothing() {
        gate.approvals.listen(request -> {
            throw new IllegalStateException("no browser");
        });

        assertThat(Outcomes.disposition(gate.runApproved(call))).isEqualTo(Disposition.EXECUTED);
    }

    @Test
    @DisplayName("P8: the request shows the whole call, each secret and where it goes, at least HIGH, and no value")
    void theRequestShowsTheWholeCall() {
        gate.vault.put("other", "another-good-value");
        String long_ = "x".repeat(100_000);
        String arguments =
                "{\"a\":\"{{vault:db#username}} {{VAULT:other|uri}}\",\"long\":\"" + long_ + "\", \"n\":1e2}";

        gate.run(call.arguments(arguments));

        Approval request = gate.approvalStore.awaitRequest();
        assertThat(new String(request.arguments(), StandardCharsets.UTF_8)).isEqualTo(arguments);
        assertThat(request.server()).isEqualTo("files");
        assertThat(request.tool()).isEqualTo("write");
        assertThat(request.agentName()).isEqualTo("agent-name");
        assertThat(request.secrets())
                .extracting(
                        Approval.SecretUse::name,
                        Approval.SecretUse::website,
                        Approval.SecretUse::username,
                        Approval.SecretUse::field)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("db", "db.example.com", "alice", "username"),
                        org.assertj.core.groups.Tuple.tuple("other", "other.example.com", "alice", "password"));
        assertThat(request.destination()).isEqualTo("files");
        assertThat(request.risk()).isEqualTo(Risk.CRITICAL);
        assertThat(request.expires()).isEqualTo(gate.clock.instant().plus(TestGate.TIMEOUT));
    }

    @Test
    @DisplayName("P8: one secret in two spellings is one secret, and HIGH")
    void oneSecretTwiceIsOneSecret() {
        gate.run(call.arguments("{\"a\":\"{{vault:db}} {{vault:db|uri}}\"}"));

        Approval request = gate.approvalStore.awaitRequest();
        assertThat(request.secrets()).hasSize(1);
        assertThat(request.risk()).isEqualTo(Risk.HIGH);
    }

    @Test
    @DisplayName("P8: a value the agent got hold of and pastes is not shown: arguments, tool, destination")
    void aPastedValueIsNotShown() {
        gate.recent.remember(
                "user", new LiveSecret("{{vault:db}}", new SecretValue(VALUE.getBytes(StandardCharsets.UTF_8))));

        gate.run(call.tool("files", "write-" + VALUE)
                .arguments("{\"a\":\"{{vault:db}} " + VALUE + "\",\"url\":\"https://" + VALUE + ".example.com/\"}"));

        Approval request = gate.approvalStore.awaitRequest();
        assertThat(new String(request.arguments(), StandardCharsets.UTF_8))
                .isEqualTo("{\"a\":\"{{vault:db}} {{vault:db}}\",\"url\":\"https://{{vault:db}}.example.com/\"}");
        assertThat(request.tool()).isEqualTo("write-{{vault:db}}");
        assertThat(request.destination()).isEqualTo("files → {{vault:db}}.example.com");
    }

    @Test
    @DisplayName("P8: a secret whose value is 'password' does not tear the references of the call apart")
    void referencesStayIntact() {
        gate.recent.remember(
                "user", new LiveSecret("{{vault:x}}", new SecretValue("password".getBytes(StandardCharsets.UTF_8))));
        String id = gate.vault.put("db", VALUE).id().toString();
        String arguments = "{\"a\":\"{{secret:" + id + ".password}}\",\"b\":\"the password\"}";

        gate.run(call.arguments(arguments));

        assertThat(new String(gate.approvalStore.awaitRequest().arguments(), StandardCharsets.UTF_8))
                .isEqualTo("{\"a\":\"{{secret:" + id + ".password}}\",\"b\":\"the {{vault:x}}\"}");
    }

    @Test
    @DisplayName("QUEUE_FULL: an agent may not flood the operator; expired requests do not count")
    void anAgentMayNotFloodTheOperator() {
        TestGate small = new TestGate(new MemoryPolicy(), 3, Cap.DEFAULT_MAX_CHARACTERS);
        small.vault.put("db", VALUE);
        for (int i = 0; i < 3; i++) {
            small.run(small.call("{\"n\":" + i + ",\"a\":\"{{vault:db}}\"}"));
        }
        TestCall another = small.call("{\"n\":9,\"a\":\"{{vault:db}}\"}");

        assertThat(Outcomes.disposition(small.run(another))).isEqualTo(Disposition.QUEUE_FULL);
        assertThat(small.upstream.calls()).isZero();
        assertThat(Outcomes.disposition(small.run(another.by(small.agents.put("second")))))
                .as("another agent has a queue of its own")
                .isEqualTo(Disposition.APPROVAL_PENDING);
        assertThat(Outcomes.disposition(small.run(small.call("{\"n\":1,\"a\":\"{{vault:db}}\"}"))))
                .as("joining adds nothing to the queue")
                .isEqualTo(Disposition.APPROVAL_PENDING);
        small.clock.advance(TestGate.TIMEOUT);
        assertThat(Outcomes.disposition(small.run(another))).isEqualTo(Disposition.APPROVAL_PENDING);
    }

    @Test
    @DisplayName("P7: 10,000 calls wait, all are approved, none is lost")
    void tenThousandCallsWaitAndNoneIsLost() {
        TestGate large = TestGate.withPolicy("{\"tools\":{\"files__write\":\"ASK\"}}");
        List<CompletableFuture<Outcome>> running = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            running.add(large.start(large.call("{\"n\":" + i + "}")));
        }
        List<String> requests = Stream.generate(
                        () -> large.approvalStore.awaitRequest().id())
                .limit(10_000)
                .toList();
        assertThat(large.approvals.pending()).hasSize(10_000);

        requests.forEach(id -> large.approvals.approve(id, "operator", null));

        List<Disposition> dispositions =
                running.stream().map(Outcomes::of).map(Outcomes::disposition).toList();
        assertThat(dispositions).hasSize(10_000).containsOnly(Disposition.EXECUTED);
        assertThat(large.upstream.received()).doesNotHaveDuplicates().hasSize(10_000);
    }

    private static Duration await(BlockingQueue<Duration> beats) {
        try {
            Duration beat = beats.poll(60, TimeUnit.SECONDS);
            assertThat(beat).isNotNull();
            return java.util.Objects.requireNonNull(beat);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
