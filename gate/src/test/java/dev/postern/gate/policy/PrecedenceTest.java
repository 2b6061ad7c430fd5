package dev.postern.gate.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.agent.Permission;
import dev.postern.gate.approval.GrantTerms;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Outcome;
import dev.postern.gate.scrub.Cap;
import dev.postern.gate.testing.MemoryPolicy;
import dev.postern.gate.testing.Outcomes;
import dev.postern.gate.testing.TestCall;
import dev.postern.gate.testing.TestGate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * P10, over every combination of what can decide a call, against an oracle that knows nothing but the contract's list. The
 * oracle is written to be read beside the contract, not to be short.
 */
class PrecedenceTest {
    private static final List<String> RULES = List.of("", "ALLOW", "ASK", "DENY");

    /** One combination. */
    private record Case(
            String kill,
            boolean toolCallDenied,
            boolean notAllowed,
            boolean secretUseDenied,
            boolean unreadable,
            boolean referencesOff,
            String tool,
            String server,
            boolean secretsDenied,
            boolean bearsSecret,
            boolean granted) {

        /** What the contract says becomes of it, the strongest first. */
        Disposition expected() {
            if (!kill.isEmpty()) {
                return Disposition.KILL_SWITCH;
            }
            // RBAC: the tool, then secret.use. An unreadable policy allows and switches off nothing.
            if (toolCallDenied) {
                return Disposition.POLICY_DENIED;
            }
            if (notAllowed && !unreadable) {
                return Disposition.POLICY_DENIED;
            }
            if (bearsSecret && referencesOff && !unreadable) {
                return Disposition.SECRET_FORBIDDEN;
            }
            if (bearsSecret && secretUseDenied) {
                return Disposition.SECRET_FORBIDDEN;
            }
            if (unreadable) {
                return Disposition.POLICY_DENIED;
            }
            if (tool.equals("DENY") || server.equals("DENY")) {
                return Disposition.POLICY_DENIED;
            }
            if (bearsSecret && secretsDenied) {
                return Disposition.SECRET_FORBIDDEN;
            }
            if (bearsSecret) {
                return granted ? Disposition.EXECUTED : Disposition.APPROVAL_PENDING;
            }
            if (tool.equals("ASK")) {
                return Disposition.APPROVAL_PENDING;
            }
            if (tool.equals("ALLOW")) {
                return Disposition.EXECUTED;
            }
            if (server.equals("ASK")) {
                return Disposition.APPROVAL_PENDING;
            }
            return Disposition.EXECUTED;
        }

        String policy() {
            if (unreadable) {
                return "{\"secretBearingCalls\":\"ALLOW\"}";
            }
            return "{\"secretBearingCalls\":\"" + (secretsDenied ? "DENY" : "ASK") + "\",\"secretReferencesEnabled\":"
                    + !referencesOff
                    + ",\"tools\":{" + (tool.isEmpty() ? "" : "\"files__write\":\"" + tool + "\"") + "}"
                    + ",\"servers\":{" + (server.isEmpty() ? "" : "\"files\":\"" + server + "\"") + "}"
                    + ",\"agents\":{\"agent-name\":{\"allow\":[\"" + (notAllowed ? "web__*" : "files__*") + "\"]}}}";
        }
    }

    @Test
    @DisplayName("P10: every combination comes out as the contract's list says, and nothing runs that it forbids")
    void everyCombination() {
        List<Case> cases = cases();
        assertThat(cases).hasSizeGreaterThan(10_000);
        for (Case each : cases) {
            TestGate gate = gate(each);
            TestCall call = gate.call(each.bearsSecret ? "{\"text\":\"{{vault:db}}\"}" : "{\"text\":\"x\"}");
            int before = gate.upstream.calls();

            Outcome outcome = gate.run(call);

            assertThat(Outcomes.disposition(outcome)).as("%s", each).isEqualTo(each.expected());
            assertThat(gate.upstream.calls() - before)
                    .as("%s", each)
                    .isEqualTo(each.expected() == Disposition.EXECUTED ? 1 : 0);
        }
    }

    private static TestGate gate(Case each) {
        MemoryPolicy store = new MemoryPolicy(each.granted ? PolicyDocument.DEFAULT : each.policy());
        TestGate gate = new TestGate(store, 100, Cap.DEFAULT_MAX_CHARACTERS);
        gate.vault.put("db", "database-password");
        if (each.granted) {
            CompletableFuture<Outcome> first = gate.start(gate.call("{\"text\":\"{{vault:db}}\"}"));
            String id = gate.approvalStore.awaitRequest().id();
            gate.approvals.approve(id, "operator", new GrantTerms(null, null));
            Outcomes.of(first);
            if (!each.unreadable) {
                gate.applyPolicy(each.policy());
            }
        }
        List<Permission> denied = new ArrayList<>();
        if (each.toolCallDenied) {
            denied.add(Permission.TOOL_CALL);
        }
        if (each.secretUseDenied) {
            denied.add(Permission.SECRET_USE);
        }
        gate.agent(denied.toArray(Permission[]::new));
        switch (each.kill) {
            case "ALL" -> gate.killSwitch.engage(Kill.Scope.ALL, "operator", null);
            case "AGENT" -> gate.killSwitch.engage(Kill.Scope.agent("agent-name"), "operator", null);
            case "SERVER" -> gate.killSwitch.engage(Kill.Scope.server("files"), "operator", null);
            default -> {}
        }
        return gate;
    }

    private static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (String kill : List.of("", "ALL", "AGENT", "SERVER")) {
            for (String tool : RULES) {
                for (String server : RULES) {
                    for (int bits = 0; bits < 1 << 8; bits++) {
                        Case each = new Case(
                                kill,
                                bit(bits, 0),
                                bit(bits, 1),
                                bit(bits, 2),
                                bit(bits, 3),
                                bit(bits, 4),
                                tool,
                                server,
                                bit(bits, 5),
                                bit(bits, 6),
                                bit(bits, 7));
                        // A grant is made under a readable policy, and an unreadable one cannot be applied after it.
                        if (!(each.unreadable && each.granted)) {
                            cases.add(each);
                        }
                    }
                }
            }
        }
        return cases;
    }

    private static boolean bit(int bits, int at) {
        return (bits >> at & 1) == 1;
    }
}
