package dev.postern.gate.approval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.agent.Permission;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Outcome;
import dev.postern.gate.call.ToolDefinition;
import dev.postern.gate.policy.PolicyDocument;
import dev.postern.gate.testing.Outcomes;
import dev.postern.gate.testing.TestCall;
import dev.postern.gate.testing.TestGate;
import dev.postern.gate.vault.DestinationRules;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** P6: what is saved while the prompt is open wins over the approval. */
class ConfirmTest {
    private static final String DEFINITION = "{\"name\":\"write\",\"description\":\"writes\"}";

    /** A call that waits, with all that could change meanwhile. */
    static final class Scene {
        private final TestGate gate = new TestGate();
        private final AtomicReference<ToolDefinition> definition =
                new AtomicReference<>(TestCall.definition(DEFINITION));
        private final TestCall call =
                gate.call("{\"text\":\"{{vault:db}}\"}").defined(DEFINITION).definitions(definition::get);

        Scene() {
            gate.vault.put("db", "database-password");
        }
    }

    static Stream<Arguments> changes() {
        return Stream.of(
                change("the kill switch", Disposition.KILL_SWITCH, s -> s.gate.kill()),
                change("the kill switch, and the agent revoked", Disposition.KILL_SWITCH, s -> {
                    s.gate.agents.revoke("agent");
                    s.gate.kill();
                }),
                change("the agent revoked", Disposition.POLICY_DENIED, s -> s.gate.agents.revoke("agent")),
                change(
                        "tool.call taken",
                        Disposition.POLICY_DENIED,
                        s -> s.gate.agents.put("agent", Permission.TOOL_CALL)),
                change(
                        "secret.use taken",
                        Disposition.SECRET_FORBIDDEN,
                        s -> s.gate.agents.put("agent", Permission.SECRET_USE)),
                change(
                        "the tool denied",
                        Disposition.POLICY_DENIED,
                        s -> s.gate.applyPolicy("{\"tools\":{\"files__write\":\"DENY\"}}")),
                change(
                        "the server denied",
                        Disposition.POLICY_DENIED,
                        s -> s.gate.applyPolicy("{\"servers\":{\"files\":\"DENY\"}}")),
                change(
                        "secrets denied",
                        Disposition.SECRET_FORBIDDEN,
                        s -> s.gate.applyPolicy("{\"secretBearingCalls\":\"DENY\"}")),
                change(
                        "references switched off",
                        Disposition.SECRET_FORBIDDEN,
                        s -> s.gate.applyPolicy("{\"secretReferencesEnabled\":false}")),
                change(
                        "the policy reset, word for word",
                        Disposition.POLICY_DENIED,
                        s -> s.gate.applyPolicy(PolicyDocument.DEFAULT)),
                change(
                        "the secret rotated",
                        Disposition.SECRET_UNRESOLVED,
                        s -> s.gate.vault.put("db", "new-database-password")),
                change("the secret removed", Disposition.SECRET_UNRESOLVED, s -> s.gate.vault.remove("db")),
                change("the vault broken", Disposition.SECRET_UNRESOLVED, s -> s.gate.vault.breakDown()),
                change("the envelope broken", Disposition.SECRET_UNRESOLVED, s -> s.gate.vault.seal()),
                change(
                        "the destination forbidden",
                        Disposition.SECRET_FORBIDDEN,
                        s -> s.gate.vault.put(
                                "db",
                                "database-password",
                                "",
                                new DestinationRules(List.of("other"), List.of(), List.of()),
                                List.of())),
                change(
                        "the secret tagged",
                        Disposition.SECRET_FORBIDDEN,
                        s -> s.gate.vault.put(
                                "db", "database-password", "", DestinationRules.ANYWHERE, List.of("ai-provider"))),
                change(
                        "the tool redefined",
                        Disposition.SECRET_FORBIDDEN,
                        s -> s.definition.set(
                                TestCall.definition("{\"name\":\"write\",\"description\":\"writes elsewhere\"}"))));
    }

    private static Arguments change(String what, Disposition expected, Consumer<Scene> change) {
        return Arguments.of(Named.of(what, change), expected);
    }

    @ParameterizedTest
    @MethodSource("changes")
    @DisplayName("P6: whatever changes while the prompt is open refuses the call, approval or not")
    void aChangeWhileThePromptIsOpenRefuses(Consumer<Scene> change, Disposition expected) {
        Scene scene = new Scene();
        CompletableFuture<Outcome> running = scene.gate.start(scene.call);
        String id = scene.gate.approvalStore.awaitRequest().id();
        change.accept(scene);

        // The kill switch does not wait for a decision: the request may be gone already.
        boolean open = scene.gate.approvals.approve(id, "operator", null);
        assertThat(open || expected == Disposition.KILL_SWITCH).isTrue();

        assertThat(Outcomes.disposition(Outcomes.of(running))).isEqualTo(expected);
        assertThat(scene.gate.upstream.calls()).isZero();
        assertThat(scene.gate.ledger.intents()).isEmpty();
        assertThat(scene.gate.ledger.entry().disposition()).isEqualTo(expected);
        assertThat(scene.gate.vault.isAllWiped()).isTrue();
    }

    @Test
    @DisplayName("P6: a definition in another spelling is the same definition")
    void anotherSpellingIsTheSameDefinition() {
        Scene scene = new Scene();
        CompletableFuture<Outcome> running = scene.gate.start(scene.call);
        String id = scene.gate.approvalStore.awaitRequest().id();
        scene.definition.set(TestCall.definition("{ \"description\": \"writes\", \"name\": \"write\" }"));
        scene.gate.approvals.approve(id, "operator", null);

        assertThat(Outcomes.disposition(Outcomes.of(running))).isEqualTo(Disposition.EXECUTED);
    }

    @Test
    @DisplayName("A changed policy refuses so that the same call may be sent again, and is judged anew")
    void aChangedPolicyIsRetryable() {
        Scene scene = new Scene();
        CompletableFuture<Outcome> running = scene.gate.start(scene.call);
        String id = scene.gate.approvalStore.awaitRequest().id();
        scene.gate.applyPolicy("{}");
        scene.gate.approvals.approve(id, "operator", null);

        assertThat(Outcomes.refusal(Outcomes.of(running)).retryable()).isTrue();
        assertThat(Outcomes.disposition(scene.gate.runApproved(scene.call))).isEqualTo(Disposition.EXECUTED);
    }
}
