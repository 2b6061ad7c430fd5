package dev.postern.gate.approval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.approval.Approval.Risk;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.testing.Outcomes;
import dev.postern.gate.testing.TestCall;
import dev.postern.gate.testing.TestGate;
import dev.postern.gate.vault.DestinationRules;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** P8: what a person is told about the risk of a call, as data. */
class RiskTest {
    private final TestGate gate = new TestGate();
    private final TestCall plain = gate.call("{\"text\":\"{{vault:db}}\"}");
    private final TestCall web = gate.call("{\"url\":\"https://api.example.com/\",\"text\":\"{{vault:db}}\"}");

    @BeforeEach
    void putSecrets() {
        gate.vault.put("db", "database-password");
        gate.vault.put("other", "another-password");
    }

    @Test
    @DisplayName("P8: the first use of a secret by a tool is told, a later one is not")
    void theFirstUseIsTold() {
        Approval first = asked(plain);
        assertThat(first.riskReasons()).containsExactly(RiskReason.FIRST_USE);
        assertThat(first.risk()).isEqualTo(Risk.HIGH);
        gate.approvals.deny(first.id(), "operator", null);
        assertThat(Outcomes.disposition(gate.run(plain))).isEqualTo(Disposition.DENIED);

        Approval second = asked(plain);
        assertThat(second.riskReasons()).as("a denial is no use").containsExactly(RiskReason.FIRST_USE);
        gate.approvals.approve(second.id(), "operator", null);
        assertThat(Outcomes.disposition(gate.run(plain))).isEqualTo(Disposition.EXECUTED);

        assertThat(asked(plain).riskReasons()).isEmpty();
    }

    @Test
    @DisplayName("P8: a destination this tool never took the secret to is told")
    void aNewDestinationIsTold() {
        gate.runApproved(plain);

        assertThat(asked(web).riskReasons())
                .contains(RiskReason.NEW_DESTINATION)
                .doesNotContain(RiskReason.FIRST_USE);
    }

    @Test
    @DisplayName("P8: a guessed host is told; without a rule for hosts a tool of the open web is CRITICAL")
    void theOpenWebIsCritical() {
        Approval open = asked(web);
        assertThat(open.riskReasons())
                .containsExactly(RiskReason.OPEN_WEB, RiskReason.HOST_GUESSED, RiskReason.FIRST_USE);
        assertThat(open.risk()).isEqualTo(Risk.CRITICAL);

        gate.vault.put(
                "db",
                "database-password",
                "",
                new DestinationRules(List.of(), List.of(), List.of("api.example.com")),
                List.of());
        Approval bounded = asked(web.arguments("{\"url\":\"https://api.example.com/2\",\"text\":\"{{vault:db}}\"}"));
        assertThat(bounded.riskReasons()).containsExactly(RiskReason.HOST_GUESSED, RiskReason.FIRST_USE);
        assertThat(bounded.risk()).isEqualTo(Risk.HIGH);
    }

    @Test
    @DisplayName("P8: a server that says its tool reaches an open world is believed")
    void anOpenWorldHintIsBelieved() {
        assertThat(asked(plain.defined("{\"name\":\"write\",\"annotations\":{\"openWorldHint\":true}}"))
                        .riskReasons())
                .contains(RiskReason.OPEN_WEB);
    }

    @Test
    @DisplayName("P8: several secrets, and a host that cannot be told, are CRITICAL")
    void severalSecretsAndUnknownHostsAreCritical() {
        assertThat(asked(plain.arguments("{\"a\":\"{{vault:db}} {{vault:other}}\"}"))
                        .riskReasons())
                .startsWith(RiskReason.SEVERAL_SECRETS);
        assertThat(asked(plain.arguments("{\"url\":\"/x/{{vault:db}}\"}")).riskReasons())
                .contains(RiskReason.OPEN_WEB, RiskReason.HOST_UNKNOWN)
                .doesNotContain(RiskReason.HOST_GUESSED);
    }

    @Test
    @DisplayName(
            "P5, P8: a pasted secret that nobody told us about is masked where it is shown, and runs as it was written")
    void aPastedSecretIsMaskedAndStillBound() {
        String pasted = "postgres://app:Zq7-unheard-of@db.example.com/x";
        TestCall call = plain.arguments("{\"text\":\"{{vault:db}}\",\"dsn\":\"" + pasted + "\"}");
        Approval request = asked(call);

        assertThat(new String(request.arguments(), StandardCharsets.UTF_8))
                .contains("{{vault:db}}")
                .contains("[REDACTED:")
                .doesNotContain("Zq7-unheard-of");
        assertThat(request.riskReasons()).contains(RiskReason.ARGUMENTS_MASKED);
        TestCall changed =
                call.arguments("{\"text\":\"{{vault:db}}\",\"dsn\":\"" + pasted.replace("Zq7", "Zq8") + "\"}");
        assertThat(asked(changed).fingerprint())
                .as("shown alike, and another call")
                .isNotEqualTo(request.fingerprint());
        gate.approvals.approve(request.id(), "operator", null);
        assertThat(Outcomes.disposition(gate.run(call))).isEqualTo(Disposition.EXECUTED);
        assertThat(gate.upstream.received().getLast()).contains(pasted);
    }

    @Test
    @DisplayName(
            "P8: earlier decisions about the secret and the tool are told, newest first, without the request itself")
    void earlierDecisionsAreTold() {
        gate.runApproved(plain);
        Approval denied = asked(web);
        gate.approvals.deny(denied.id(), "ada", "not there");
        gate.run(web);
        Approval now = asked(web);

        assertThat(gate.approvals.decisionsBefore(now, 5))
                .extracting(PastDecision::granted, PastDecision::decidedBy, PastDecision::note)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(false, "ada", "not there"),
                        org.assertj.core.groups.Tuple.tuple(true, "operator", null));
        assertThat(gate.approvals.decisionsBefore(now, 1)).hasSize(1);
    }

    /** The request that a call makes, which waits on. */
    private Approval asked(TestCall call) {
        assertThat(Outcomes.disposition(gate.run(call))).isEqualTo(Disposition.APPROVAL_PENDING);
        return gate.approvalStore.awaitRequest();
    }
}
