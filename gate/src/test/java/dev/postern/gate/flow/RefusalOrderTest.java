package dev.postern.gate.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.agent.Permission;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Refusal;
import dev.postern.gate.scrub.Cap;
import dev.postern.gate.testing.MemoryPolicy;
import dev.postern.gate.testing.Outcomes;
import dev.postern.gate.testing.TestCall;
import dev.postern.gate.testing.TestGate;
import dev.postern.gate.vault.DestinationRules;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** P1 and the order of section 2: of two causes to refuse a call, the earlier step's speaks, and before any prompt. */
class RefusalOrderTest {
    /** Every cause of the steps 0 to 7, in the contract's order, with the words only it says. */
    enum Cause {
        KILL_SWITCH(0, Disposition.KILL_SWITCH, "kill switch"),
        NO_TOOL_CALL(0, Disposition.POLICY_DENIED, "tool.call"),
        MALFORMED(2, Disposition.SECRET_UNRESOLVED, "'/malformed'"),
        SWITCHED_OFF(3, Disposition.SECRET_FORBIDDEN, "switched off"),
        NO_SECRET_USE(4, Disposition.SECRET_FORBIDDEN, "secret.use"),
        UNREADABLE_POLICY(5, Disposition.POLICY_DENIED, "cannot be read"),
        TOOL_DENIED(5, Disposition.POLICY_DENIED, "denies files__write"),
        SECRETS_DENIED(6, Disposition.SECRET_FORBIDDEN, "every call that bears a secret"),
        UNKNOWN_SECRET(7, Disposition.SECRET_UNRESOLVED, "no secret for {{vault:unknown}}"),
        EMPTY_FIELD(7, Disposition.SECRET_UNRESOLVED, "{{vault:good#notes}} is empty"),
        AI_PROVIDER(7, Disposition.SECRET_FORBIDDEN, "ai-provider"),
        DESTINATION(7, Disposition.SECRET_FORBIDDEN, "{{vault:elsewhere}} may not go to files"),
        HEADER(7, Disposition.SECRET_FORBIDDEN, "HTTP header"),
        SEALED_VAULT(7, Disposition.SECRET_UNRESOLVED, "cannot open"),
        NO_SCALAR(7, Disposition.SECRET_UNRESOLVED, "'/port'");

        private final int step;
        private final Disposition disposition;
        private final String said;

        Cause(int step, Disposition disposition, String said) {
            this.step = step;
            this.disposition = disposition;
            this.said = said;
        }

        /** A policy has one document; one that cannot be read says nothing else. */
        private boolean excludes(Cause other) {
            return this == UNREADABLE_POLICY
                    && Set.of(SWITCHED_OFF, TOOL_DENIED, SECRETS_DENIED).contains(other);
        }
    }

    static Stream<Arguments> pairs() {
        List<Arguments> pairs = new ArrayList<>();
        for (Cause one : Cause.values()) {
            for (Cause other : Cause.values()) {
                if (one.compareTo(other) < 0 && !one.excludes(other) && !other.excludes(one)) {
                    pairs.add(Arguments.of(one, other));
                }
            }
        }
        return pairs.stream();
    }

    @ParameterizedTest
    @EnumSource(Cause.class)
    @DisplayName(
            "P1: each cause of steps 0 to 7 refuses with its code, before any prompt, without a call; 0 to 6 read no vault")
    void eachCauseRefuses(Cause cause) {
        refusedFor(cause, EnumSet.of(cause));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    @DisplayName("Section 2: of two causes the earlier step's code wins")
    void theEarlierStepWins(Cause earlier, Cause later) {
        refusedFor(earlier, EnumSet.of(earlier, later));
    }

    @Test
    @DisplayName("Section 2: whatever causes are left, the first of them speaks")
    void theFirstOfAllSpeaks() {
        EnumSet<Cause> left = EnumSet.allOf(Cause.class);
        left.remove(Cause.UNREADABLE_POLICY);
        for (Cause first : EnumSet.copyOf(left)) {
            refusedFor(first, left);
            left.remove(first);
        }
    }

    @Test
    @DisplayName("The cases differ by nothing but their causes: without one, the person is asked and the call runs")
    void withoutACauseTheCallRuns() {
        Scene scene = new Scene(EnumSet.noneOf(Cause.class));

        assertThat(Outcomes.disposition(scene.gate.runApproved(scene.call))).isEqualTo(Disposition.EXECUTED);
    }

    private static void refusedFor(Cause expected, Set<Cause> causes) {
        Scene scene = new Scene(causes);

        Refusal refusal = Outcomes.refusal(scene.gate.run(scene.call));

        assertThat(refusal.disposition()).as(refusal.text()).isEqualTo(expected.disposition);
        assertThat(refusal.text()).contains(expected.said);
        assertThat(scene.gate.approvalStore.uses()).as("asked").isZero();
        assertThat(scene.gate.upstream.calls()).as("sent").isZero();
        assertThat(scene.gate.ledger.intents()).isEmpty();
        assertThat(scene.gate.ledger.entry().disposition()).isEqualTo(expected.disposition);
        assertThat(scene.gate.vault.isAllWiped()).isTrue();
        if (expected.step < 7) {
            assertThat(scene.gate.vault.reads()).as("reads of the vault").isZero();
        }
    }

    /** A gate and a call in which these causes are present, and no others. */
    private static final class Scene {
        private final TestGate gate;
        private final TestCall call;

        Scene(Set<Cause> causes) {
            boolean unreadable = causes.contains(Cause.UNREADABLE_POLICY);
            gate = new TestGate(new MemoryPolicy(unreadable ? "{" : policy(causes)), 10, Cap.DEFAULT_MAX_CHARACTERS);
            gate.vault.put("good", "good-value-1");
            gate.vault.put("tagged", "tagged-value", "", DestinationRules.ANYWHERE, List.of("ai-provider"));
            gate.vault.put(
                    "elsewhere",
                    "elsewhere-value",
                    "",
                    new DestinationRules(List.of("other"), List.of(), List.of()),
                    List.of());
            if (causes.contains(Cause.SEALED_VAULT)) {
                gate.vault.seal();
            }
            if (causes.contains(Cause.KILL_SWITCH)) {
                gate.kill();
            }
            call = gate.call(arguments(causes)).by(caller(causes)).schema("""
                    {"properties": {
                        "port": {"type": "integer"},
                        "header": {"type": "string", "x-mcp-header": "X-Token"}}}""");
        }

        private Caller caller(Set<Cause> causes) {
            List<Permission> denied = new ArrayList<>();
            if (causes.contains(Cause.NO_TOOL_CALL)) {
                denied.add(Permission.TOOL_CALL);
            }
            if (causes.contains(Cause.NO_SECRET_USE)) {
                denied.add(Permission.SECRET_USE);
            }
            return gate.agents.put("caller", denied.toArray(Permission[]::new));
        }

        private static String policy(Set<Cause> causes) {
            return """
                    {"secretBearingCalls": "%s", "secretReferencesEnabled": %s, "tools": {"files__write": "%s"}}""".formatted(
                            causes.contains(Cause.SECRETS_DENIED) ? "DENY" : "ASK",
                            !causes.contains(Cause.SWITCHED_OFF),
                            causes.contains(Cause.TOOL_DENIED) ? "DENY" : "ALLOW");
        }

        private static String arguments(Set<Cause> causes) {
            StringBuilder arguments = new StringBuilder("{\"text\": \"{{vault:good}}\"");
            if (causes.contains(Cause.UNKNOWN_SECRET)) {
                arguments.append(", \"unknown\": \"{{vault:unknown}}\"");
            }
            if (causes.contains(Cause.EMPTY_FIELD)) {
                arguments.append(", \"empty\": \"{{vault:good#notes}}\"");
            }
            if (causes.contains(Cause.AI_PROVIDER)) {
                arguments.append(", \"tagged\": \"{{vault:tagged}}\"");
            }
            if (causes.contains(Cause.DESTINATION)) {
                arguments.append(", \"elsewhere\": \"{{vault:elsewhere}}\"");
            }
            if (causes.contains(Cause.HEADER)) {
                arguments.append(", \"header\": \"{{vault:good}}\"");
            }
            if (causes.contains(Cause.NO_SCALAR)) {
                arguments.append(", \"port\": \"{{vault:good}}\"");
            }
            if (causes.contains(Cause.MALFORMED)) {
                arguments.append(", \"malformed\": \"{{vault:}}\"");
            }
            return arguments.append('}').toString();
        }
    }
}
