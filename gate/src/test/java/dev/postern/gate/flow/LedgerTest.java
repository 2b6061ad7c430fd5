package dev.postern.gate.flow;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.detect.DetectionRules;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Outcome;
import dev.postern.gate.call.Refusal;
import dev.postern.gate.detect.DetectionModes;
import dev.postern.gate.detect.DetectionSettings;
import dev.postern.gate.ledger.CallTrace;
import dev.postern.gate.ledger.LedgerEntry;
import dev.postern.gate.ledger.LedgerIntent;
import dev.postern.gate.testing.Outcomes;
import dev.postern.gate.testing.TestCall;
import dev.postern.gate.testing.TestGate;
import dev.postern.gate.vault.SecretRecord;
import dev.postern.scrub.LiveSecret;
import dev.postern.secret.SecretValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** L1 and L3: one entry a call, whatever became of it; no durable intent, no delivery. */
class LedgerTest {
    private static final String VALUE = "database-password-1";

    private final TestGate gate = new TestGate();
    private final SecretRecord secret = gate.vault.put("db", VALUE);

    @Test
    @DisplayName(
            "P5, L1: the record says what the call was decided on, before it leaves and after, and when each stage was done")
    void theDecisionIsOnRecord() {
        gate.upstream.answer(sent -> {
            gate.clock.advance(Duration.ofMillis(40));
            return "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";
        });

        CompletableFuture<Outcome> running = gate.start(gate.call("{\"a\":\"{{vault:db}}\"}"));
        String approval = gate.approvalStore.awaitRequest().id();
        gate.clock.advance(Duration.ofSeconds(2));
        assertThat(gate.approvals.approve(approval, "operator", null)).isTrue();
        Outcomes.answer(Outcomes.of(running));

        LedgerEntry entry = gate.ledger.entry();
        CallTrace.Decision decision =
                requireNonNull(requireNonNull(entry.trace()).decision());
        assertThat(decision.approval()).isEqualTo(approval);
        assertThat(decision.policyRevision()).isEqualTo(gate.policies.current().revision());
        assertThat(decision.secretVersions()).containsExactly(secret.id() + ".password@" + secret.version());
        assertThat(gate.ledger.intents().getFirst().decision()).isEqualTo(decision);
        assertThat(entry.trace().stages())
                .extracting(CallTrace.Stage::name)
                .containsExactly(
                        "admitted",
                        "judged",
                        "resolved",
                        "approved",
                        "confirmed",
                        "intended",
                        "answered",
                        "scrubbed",
                        "closed");
        assertThat(entry.trace().stages())
                .extracting(stage -> stage.after().toMillis())
                .containsExactly(0L, 0L, 0L, 2_000L, 2_000L, 2_000L, 2_040L, 2_040L, 2_040L);
    }

    @Test
    @DisplayName("L1: an executed call: what the agent wrote, secrets by id and field, approver, sizes, hits")
    void anExecutedCallIsWhole() {
        String arguments = "{ \"a\":\"{{VAULT:db}} {{vault:db|uri}}\", \"b\":\"{{vault:db#username}}\" }";
        gate.upstream.answer(sent -> {
            gate.clock.advance(Duration.ofMillis(1234));
            return "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"" + VALUE + "\",\"b\":\"" + VALUE + "\"}}";
        });
        java.time.Instant opened = gate.clock.instant();

        Outcome outcome = gate.runApproved(gate.call(arguments));

        LedgerEntry entry = gate.ledger.entry();
        assertThat(text(entry.arguments())).isEqualTo(arguments);
        assertThat(entry.secretRefs()).containsExactly(secret.id() + ".password", secret.id() + ".username");
        assertThat(entry.disposition()).isEqualTo(Disposition.EXECUTED);
        assertThat(entry.code()).isNull();
        assertThat(entry.error()).isNull();
        assertThat(entry.approver()).isEqualTo("operator");
        assertThat(entry.agent()).isEqualTo("agent-name");
        assertThat(entry.tool().toString()).isEqualTo("files__write");
        assertThat(entry.at()).isEqualTo(opened);
        assertThat(entry.durationMillis()).isEqualTo(1234);
        assertThat(entry.scrubHits()).isEqualTo(2);
        assertThat(entry.resultBytes()).isEqualTo(Outcomes.answer(outcome).length());
        assertThat(entry.intended()).isTrue();
        LedgerIntent intent = gate.ledger.intents().getFirst();
        assertThat(intent.id()).isEqualTo(entry.id());
        assertThat(text(intent.arguments())).isEqualTo(arguments);
        assertThat(intent.secretRefs()).isEqualTo(entry.secretRefs());
        assertThat(intent.approver()).isEqualTo("operator");
        assertThat(entry.toString() + intent).doesNotContain("vault:db");
    }

    @Test
    @DisplayName("L1: a refused call is an entry too, with code and error text")
    void aRefusedCallIsAnEntry() {
        Refusal refusal = Outcomes.refusal(gate.run(gate.call("{\"a\":\"{{vault:}}\"}")));

        LedgerEntry entry = gate.ledger.entry();
        assertThat(text(entry.arguments())).isEqualTo("{\"a\":\"{{vault:}}\"}");
        assertThat(entry.code()).isEqualTo("SECRET_UNRESOLVED");
        assertThat(entry.error()).isEqualTo(refusal.what());
        assertThat(entry.resultBytes()).isEqualTo(refusal.text().length());
        assertThat(entry.intended()).isFalse();
    }

    @Test
    @DisplayName("L1: a call that waits is an entry, and its repetition another")
    void aWaitingCallIsAnEntry() {
        TestCall call = gate.call("{\"a\":\"{{vault:db}}\"}");
        gate.run(call);
        gate.approve();
        gate.run(call);

        assertThat(gate.ledger.entries())
                .extracting(LedgerEntry::disposition)
                .containsExactly(Disposition.APPROVAL_PENDING, Disposition.EXECUTED);
        assertThat(gate.ledger.entries().getFirst().secretRefs()).containsExactly(secret.id() + ".password");
    }

    @Test
    @DisplayName("L3: no durable intent, no delivery: nothing leaves, and the agent is told")
    void withoutADurableIntentNothingLeaves() {
        TestCall call = gate.call("{\"a\":\"{{vault:db}}\"}");
        gate.run(call);
        gate.approve();
        gate.ledger.fail(true);

        Refusal refusal = Outcomes.refusal(gate.run(call));

        assertThat(refusal.code()).isEqualTo("LEDGER_UNAVAILABLE");
        assertThat(refusal.retryable()).isTrue();
        assertThat(gate.upstream.calls()).isZero();
        assertThat(gate.vault.isAllWiped()).isTrue();
    }

    @Test
    @DisplayName("L3: while the ledger takes no entries, a call without a secret does not run either")
    void whileTheLedgerFailsNothingRuns() {
        gate.ledger.fail(true);
        assertThat(Outcomes.refusal(gate.run(gate.call("{}"))).code()).isEqualTo("LEDGER_UNAVAILABLE");
        assertThat(gate.upstream.calls()).isZero();

        gate.ledger.fail(false);
        assertThat(Outcomes.disposition(gate.run(gate.call("{}")))).isEqualTo(Disposition.EXECUTED);
    }

    @Test
    @DisplayName("L2: what was sent is answered even if the ledger cannot close it; the intent stays open")
    void aCallWhoseCloseFailsIsAnswered() {
        gate.upstream.answer(sent -> {
            gate.ledger.fail(true);
            return "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";
        });

        Outcome outcome = gate.runApproved(gate.call("{\"a\":\"{{vault:db}}\"}"));

        assertThat(Outcomes.disposition(outcome)).isEqualTo(Disposition.EXECUTED);
        assertThat(gate.ledger.intents()).hasSize(1);
        assertThat(gate.ledger.entries()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName(
            "L1, S14: a value the agent pastes is masked in arguments, tool and error, scrubbing switched off or not")
    void aPastedValueIsMasked(boolean scrubbing) {
        gate.applyPolicy("{\"resultScrubbingEnabled\":" + scrubbing + "}");
        remember(VALUE);
        String pasted = "{\"" + VALUE + "\":{\"x\":\"{{vault:}}\"},\"b\":\"" + VALUE + "\"}";

        gate.run(gate.call(pasted).tool("files", VALUE));

        LedgerEntry entry = gate.ledger.entry();
        assertThat(entry.code()).isEqualTo("SECRET_UNRESOLVED");
        assertThat(text(entry.arguments()) + entry.tool() + entry.error())
                .doesNotContain(VALUE)
                .contains("files__{{vault:db}}")
                .contains("at '/{{vault:db}}/x'");
    }

    @Test
    @DisplayName("L1: a value pasted as the name of a secret is masked as well")
    void aValuePastedAsANameIsMasked() {
        remember(VALUE);

        gate.run(gate.call("{\"a\":\"{{vault:" + VALUE + "}}\"}"));

        LedgerEntry entry = gate.ledger.entry();
        assertThat(entry.disposition()).isEqualTo(Disposition.SECRET_UNRESOLVED);
        assertThat(text(entry.arguments()) + entry.error()).doesNotContain(VALUE);
    }

    @Test
    @DisplayName("L1: references stay intact where a value is a part of one")
    void referencesStayIntact() {
        remember("password");
        String arguments = "{\"a\":\"{{secret:" + secret.id() + ".password}}\"}";

        gate.runApproved(gate.call(arguments));

        assertThat(text(gate.ledger.entry().arguments())).isEqualTo(arguments);
    }

    @Test
    @DisplayName("L1: the detector masks what nobody told us about")
    void theDetectorMasks() {
        String arguments = "{\"a\":\"AKIAQ3EGUHPZLMKWXRT7\"}";

        gate.run(gate.call(arguments));

        assertThat(text(gate.ledger.entry().arguments())).isEqualTo("{\"a\":\"[REDACTED:api_key]\"}");
        assertThat(gate.upstream.received()).containsExactly(arguments);
    }

    @Test
    @DisplayName("L1: the detector leaves references intact, wherever a secret would stand")
    void theDetectorLeavesReferences() {
        String id = gate.vault.put("db", VALUE).id().toString();
        String arguments = """
                {"password":"{{vault:db}}","url":"postgres://app:{{vault:db|uri}}@db.example.com/app",\
                "headers":{"Authorization":"Bearer {{secret:%s.password}}","X-Api-Key":"{{vault:db#username}}"},\
                "command":"export API_TOKEN={{vault:db|shell}} AWS_SECRET_ACCESS_KEY={{vault:db}}",\
                "env":"SECRET_KEY={{secret:%s}}\\npassword: {{VAULT:db}}"}""".formatted(id, id);

        gate.run(gate.call(arguments));

        assertThat(text(gate.ledger.entry().arguments())).isEqualTo(arguments);
        assertThat(text(gate.approvalStore.awaitRequest().arguments())).isEqualTo(arguments);
    }

    @Test
    @DisplayName("L1: arguments that cannot be masked are withheld, and the entry is made all the same")
    void whatCannotBeMaskedIsWithheld() {
        TestGate failing = new TestGate(new DetectionSettings() {
            @Override
            public DetectionModes modes(String server) {
                return DetectionModes.OFF;
            }

            @Override
            public DetectionRules rules() {
                throw new IllegalStateException("the detector fell over");
            }
        });

        assertThat(Outcomes.disposition(failing.run(failing.call("{\"a\":\"secret\"}"))))
                .isEqualTo(Disposition.EXECUTED);

        assertThat(text(failing.ledger.entry().arguments()))
                .isEqualTo("{\"withheld\":\"the arguments could not be masked\"}");
    }

    private void remember(String value) {
        gate.recent.remember(
                "user", new LiveSecret("{{vault:db}}", new SecretValue(value.getBytes(StandardCharsets.UTF_8))));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
