package dev.postern.gate.approval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Outcome;
import dev.postern.gate.testing.Outcomes;
import dev.postern.gate.testing.TestCall;
import dev.postern.gate.testing.TestGate;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** P5: what an approval is bound to. Each part is changed on its own, and an earlier approval is not enough. */
class BindingTest {
    private final TestGate gate = new TestGate();

    static Stream<Arguments> parts() {
        return Stream.of(
                part("arguments", (gate, call) -> call.arguments("{\"text\":\"{{vault:db}}!\"}")),
                part("a number's value", (gate, call) -> call.arguments("{\"text\":\"{{vault:db}}\",\"n\":1}")),
                part(
                        "a second member of the same name",
                        (gate, call) -> call.arguments("{\"text\":\"{{vault:db}}\",\"text\":\"{{vault:db}}\"}")),
                part("the caller", (gate, call) -> call.by(gate.agents.put("second"))),
                part("the server", (gate, call) -> call.tool("other", "write")),
                part("the tool", (gate, call) -> call.tool("files", "append")),
                part("the tool's definition", (gate, call) -> call.defined("{\"name\":\"write\",\"title\":\"x\"}")),
                part("the secret", (gate, call) -> {
                    gate.vault.put("db2", "database-password");
                    return call.arguments("{\"text\":\"{{vault:db2}}\"}");
                }),
                part("the field", (gate, call) -> call.arguments("{\"text\":\"{{vault:db#username}}\"}")),
                part("a filter", (gate, call) -> call.arguments("{\"text\":\"{{vault:db|uri}}\"}")),
                part("the secret's version", (gate, call) -> {
                    gate.vault.put("db", "database-password");
                    return call;
                }),
                part("the policy's revision", (gate, call) -> {
                    gate.applyPolicy("{}");
                    return call;
                }));
    }

    private static Arguments part(String what, BiFunction<TestGate, TestCall, TestCall> change) {
        return Arguments.of(Named.of(what, change));
    }

    @ParameterizedTest
    @MethodSource("parts")
    @DisplayName("P5: an approval of one call is none of a call that differs in any bound part")
    void anApprovalBindsEachPart(BiFunction<TestGate, TestCall, TestCall> change) {
        gate.vault.put("db", "database-password");
        TestCall call = gate.call("{\"text\":\"{{vault:db}}\"}").defined("{\"name\":\"write\"}");
        gate.run(call);
        gate.approve();

        assertThat(Outcomes.disposition(gate.run(change.apply(gate, call)))).isEqualTo(Disposition.APPROVAL_PENDING);
        assertThat(gate.upstream.calls()).isZero();
        assertThat(gate.approvalStore.inserts()).isEqualTo(2);
    }

    @Test
    @DisplayName("P5: the digest binds a nonce: two requests for the same call have two digests")
    void theDigestBindsANonce() {
        gate.vault.put("db", "database-password");
        TestCall call = gate.call("{\"text\":\"{{vault:db}}\"}");
        gate.runApproved(call);
        Approval first = gate.approvalStore.all().getFirst();
        gate.run(call);
        Approval second = gate.approvalStore.awaitRequest();

        assertThat(second.fingerprint()).isEqualTo(first.fingerprint());
        assertThat(second.digest()).isNotEqualTo(first.digest());
        assertThat(second.digest()).isEqualTo(CallDigest.digest(second.fingerprint(), second.nonce()));
    }

    @Test
    @DisplayName("P7: a further round of an approved call needs no second approval; of a call that differs, it does")
    void aFurtherRoundIsTheSameCall() {
        gate.vault.put("db", "database-password");
        TestCall call = gate.call("{\"text\":\"{{vault:db}}\"}");
        gate.run(call);
        gate.approve();
        gate.run(call);
        TestCall further = call.continuing(gate.upstream.confirmed().getFirst().continuation());

        assertThat(Outcomes.disposition(gate.run(further))).isEqualTo(Disposition.EXECUTED);
        assertThat(gate.ledger.entries().getLast().approver()).isEqualTo("operator");
        assertThat(Outcomes.disposition(gate.run(further.arguments("{\"other\":\"{{vault:db}}\"}"))))
                .isEqualTo(Disposition.APPROVAL_PENDING);
        gate.vault.put("db", "new-database-password");
        assertThat(Outcomes.disposition(gate.run(further))).isEqualTo(Disposition.APPROVAL_PENDING);
        assertThat(gate.upstream.calls()).isEqualTo(2);
    }

    @Test
    @DisplayName("P4: a grant revoked between two rounds of a call ends the call")
    void aFurtherRoundNeedsItsGrant() {
        gate.vault.put("db", "database-password");
        TestCall call = gate.call("{\"text\":\"{{vault:db}}\"}");
        CompletableFuture<Outcome> running = gate.start(call);
        gate.approvals.approve(gate.approvalStore.awaitRequest().id(), "operator", new GrantTerms(null, 1));
        Outcomes.of(running);
        gate.run(call);
        TestCall further = call.continuing(gate.upstream.confirmed().getLast().continuation());

        assertThat(Outcomes.disposition(gate.run(further))).isEqualTo(Disposition.EXECUTED);
        gate.grants.list().forEach(grant -> gate.grants.revoke(grant.id()));
        assertThat(Outcomes.disposition(gate.run(further))).isEqualTo(Disposition.DENIED);
    }
}
