package dev.postern.gate.approval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Outcome;
import dev.postern.gate.grant.GrantStore.Grant;
import dev.postern.gate.grant.GrantStore.Scope;
import dev.postern.gate.testing.Outcomes;
import dev.postern.gate.testing.TestCall;
import dev.postern.gate.testing.TestGate;
import dev.postern.reference.Field;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** P4: a grant is the one way past the prompt, and covers exactly what it says. */
class GrantTest {
    private final TestGate gate = new TestGate();
    private final TestCall call = gate.call("{\"url\":\"https://api.example.com/v1\",\"text\":\"{{vault:db}}\"}");

    @BeforeEach
    void addSecrets() {
        gate.vault.put("db", "database-password");
        gate.vault.put("other", "another-password");
    }

    @Test
    @DisplayName("P4: within a grant the call runs unasked; the ledger names the grant, each time")
    void withinAGrantTheCallRunsUnasked() {
        grant(Duration.ofMinutes(10), null);
        Grant grant = gate.grants.list().getFirst();

        assertThat(disposition(call)).isEqualTo(Disposition.EXECUTED);
        assertThat(disposition(call)).isEqualTo(Disposition.EXECUTED);

        assertThat(gate.ledger.entries().subList(1, 3))
                .allSatisfy(entry -> assertThat(entry.approver()).isEqualTo("grant:" + grant.id()));
        assertThat(gate.ledger.intents().getLast().approver()).isEqualTo("grant:" + grant.id());
        assertThat(gate.approvalStore.inserts()).isEqualTo(1);
    }

    @Test
    @DisplayName("P4: other arguments are covered: a grant binds tool, secret field and destination, not the text")
    void otherArgumentsAreCovered() {
        grant(Duration.ofMinutes(10), null);

        assertThat(disposition(call.arguments(
                        "{\"url\":\"https://API.example.com:443/v2\",\"other\":[\"x {{vault:db|uri}}\"]}")))
                .isEqualTo(Disposition.EXECUTED);
    }

    static Stream<UnaryOperator<TestCall>> calls() {
        return Stream.of(
                call -> call.tool("files", "read"),
                call -> call.tool("other", "write"),
                call -> call.arguments("{\"url\":\"https://api.example.com/v1\",\"text\":\"{{vault:other}}\"}"),
                call -> call.arguments("{\"url\":\"https://api.example.com/v1\",\"text\":\"{{vault:db#username}}\"}"),
                call -> call.arguments(
                        "{\"url\":\"https://api.example.com/v1\",\"text\":\"{{vault:db}} {{vault:other}}\"}"),
                call -> call.arguments("{\"url\":\"https://api.example.org/v1\",\"text\":\"{{vault:db}}\"}"),
                call -> call.arguments("{\"text\":\"{{vault:db}}\"}"),
                call -> call.arguments(
                        "{\"url\":\"https://api.example.com/v1\",\"to\":\"https://evil.example\",\"text\":\"{{vault:db}}\"}"),
                call -> call.arguments(
                        "{\"url\":\"https://api.example.com\\\\@evil.example\",\"text\":\"{{vault:db}}\"}"));
    }

    @ParameterizedTest
    @MethodSource("calls")
    @DisplayName("P4: another tool, server, secret, field, further secret or destination asks")
    void anythingElseAsks(UnaryOperator<TestCall> change) {
        grant(Duration.ofMinutes(10), null);

        assertThat(disposition(change.apply(call))).isEqualTo(Disposition.APPROVAL_PENDING);
        assertThat(gate.upstream.calls()).isEqualTo(1);
    }

    @Test
    @DisplayName("P4: another agent asks")
    void anotherAgentAsks() {
        grant(Duration.ofMinutes(10), null);

        assertThat(disposition(call.by(gate.agents.put("second")))).isEqualTo(Disposition.APPROVAL_PENDING);
    }

    @Test
    @DisplayName("P4: a grant ends with its time")
    void aGrantEndsWithItsTime() {
        grant(Duration.ofMinutes(10), null);
        gate.clock.advance(Duration.ofMinutes(10));

        assertThat(disposition(call)).isEqualTo(Disposition.APPROVAL_PENDING);
    }

    @Test
    @DisplayName("P4: a grant ends with its uses, which count further calls")
    void aGrantEndsWithItsUses() {
        grant(null, 2);

        assertThat(disposition(call)).isEqualTo(Disposition.EXECUTED);
        assertThat(disposition(call)).isEqualTo(Disposition.EXECUTED);
        assertThat(disposition(call)).isEqualTo(Disposition.APPROVAL_PENDING);
    }

    @Test
    @DisplayName("P4: a call of two secrets takes a use of both grants or of none")
    void aCallTakesAUseOfEveryGrantOrOfNone() {
        grant(null, 1);
        TestCall both =
                call.arguments("{\"url\":\"https://api.example.com\",\"text\":\"{{vault:db}} {{vault:other}}\"}");

        assertThat(disposition(both)).isEqualTo(Disposition.APPROVAL_PENDING);
        assertThat(disposition(call)).as("the use is still there").isEqualTo(Disposition.EXECUTED);
    }

    @Test
    @DisplayName("P4: a grant revoked between claim and confirm does not let the call pass")
    void aGrantRevokedInFlightIsNoGrant() {
        grant(null, null);
        gate.grants.afterClaim(() -> gate.grants.list().forEach(grant -> gate.grants.revoke(grant.id())));

        Outcome outcome = gate.run(call);

        assertThat(Outcomes.disposition(outcome)).isEqualTo(Disposition.DENIED);
        assertThat(Outcomes.refusal(outcome).text()).contains("revoked");
        assertThat(gate.upstream.calls()).isEqualTo(1);
        assertThat(gate.ledger.intents()).hasSize(1);
    }

    @Test
    @DisplayName("P4: where the host cannot be told, no grant is made, and none is used")
    void anUnknownHostIsNeverGranted() {
        TestCall unknown = call.arguments("{\"url\":\"https://{{vault:db}}.example.com/\"}");
        CompletableFuture<Outcome> running = gate.start(unknown);
        Approval request = gate.approvalStore.awaitRequest();
        assertThat(request.destination()).isEqualTo("files → unknown host");
        gate.approvals.approve(request.id(), "operator", new GrantTerms(null, null));

        assertThat(Outcomes.disposition(Outcomes.of(running))).isEqualTo(Disposition.EXECUTED);
        assertThat(gate.grants.list()).isEmpty();
        assertThat(disposition(unknown)).isEqualTo(Disposition.APPROVAL_PENDING);
    }

    @Test
    @DisplayName("P4: nor is a grant used that was made for an unknown host elsewhere, as in a portal")
    void aGrantForAnUnknownHostCoversNothing() {
        TestCall unknown = call.arguments("{\"url\":\"https://{{vault:db}}.example.com/\"}");
        gate.grants.add(new Grant(
                "1",
                new Scope(
                        "agent",
                        "files__write",
                        gate.vault.put("db", "database-password").id(),
                        Field.PASSWORD,
                        "files → unknown host"),
                null,
                null,
                gate.clock.instant(),
                "operator",
                null,
                "agent",
                "db"));

        assertThat(disposition(unknown)).isEqualTo(Disposition.APPROVAL_PENDING);
    }

    @Test
    @DisplayName("P10: a grant is stronger than a tool's rule ASK, and weaker than every denial")
    void aGrantStandsBetweenDenialsAndTheToolsRule() {
        grant(null, null);
        gate.applyPolicy("{\"tools\":{\"files__write\":\"ASK\"}}");
        assertThat(disposition(call)).isEqualTo(Disposition.EXECUTED);

        gate.applyPolicy("{\"secretBearingCalls\":\"DENY\"}");
        assertThat(disposition(call)).isEqualTo(Disposition.SECRET_FORBIDDEN);
        gate.applyPolicy("{\"tools\":{\"files__write\":\"DENY\"}}");
        assertThat(disposition(call)).isEqualTo(Disposition.POLICY_DENIED);
        gate.kill();
        assertThat(disposition(call)).isEqualTo(Disposition.KILL_SWITCH);
        assertThat(gate.grants.list().getFirst().usesLeft()).isNull();
    }

    @Test
    @DisplayName("P4: of a grant's uses no more are taken than there are, however many call at once")
    void usesAreNotTakenTwice() {
        grant(null, 5);

        List<CompletableFuture<Outcome>> running = Stream.generate(() -> gate.start(call.hold(Duration.ZERO)))
                .limit(40)
                .toList();

        assertThat(running.stream().map(Outcomes::of).map(Outcomes::disposition))
                .filteredOn(Disposition.EXECUTED::equals)
                .hasSize(5);
    }

    @Test
    @DisplayName("P4: a grant lasts for a year at most, and for no less than nothing")
    void termsOutOfRange() {
        for (long seconds : new long[] {0, -1, 365L * 86_400 + 1, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> new GrantTerms(Duration.ofSeconds(seconds), null))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> new GrantTerms(null, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(new GrantTerms(GrantTerms.LONGEST, 1).uses()).isEqualTo(1);
    }

    /** Approves the call and, on these terms, further ones. */
    private void grant(@Nullable Duration lifetime, @Nullable Integer uses) {
        CompletableFuture<Outcome> running = gate.start(call);
        gate.approvals.approve(gate.approvalStore.awaitRequest().id(), "operator", new GrantTerms(lifetime, uses));
        assertThat(Outcomes.disposition(Outcomes.of(running))).isEqualTo(Disposition.EXECUTED);
    }

    private Disposition disposition(TestCall of) {
        return Outcomes.disposition(gate.run(of));
    }
}
