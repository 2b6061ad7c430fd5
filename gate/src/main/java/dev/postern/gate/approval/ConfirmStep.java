package dev.postern.gate.approval;

import dev.postern.gate.agent.AgentStore;
import dev.postern.gate.agent.Caller;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Refusal;
import dev.postern.gate.call.RefusedException;
import dev.postern.gate.call.ToolCall;
import dev.postern.gate.call.ToolDefinition;
import dev.postern.gate.definition.Pins;
import dev.postern.gate.grant.GrantStore;
import dev.postern.gate.policy.PolicyStep;
import dev.postern.gate.vault.ResolveStep;
import java.time.InstantSource;

/**
 * Step 9: policy revision, permission, kill switch, secret version, tool definition and grant are still what was approved
 * (P6). Whatever was saved while the prompt was open wins over the approval.
 */
public final class ConfirmStep {
    private final PolicyStep policy;
    private final ResolveStep vault;
    private final AgentStore agents;
    private final GrantStore grants;
    private final Pins pins;
    private final InstantSource clock;

    public ConfirmStep(
            PolicyStep policy,
            ResolveStep vault,
            AgentStore agents,
            GrantStore grants,
            Pins pins,
            InstantSource clock) {
        this.policy = policy;
        this.vault = vault;
        this.agents = agents;
        this.grants = grants;
        this.pins = pins;
        this.clock = clock;
    }

    /**
     * Lets the call pass if nothing it was approved on has changed.
     *
     * @throws RefusedException if anything has changed
     */
    public Confirmed confirm(Approved approved) {
        if (!approved.resolved().mustAsk()) {
            // Nothing was waited for since it was judged.
            return new Confirmed(approved);
        }
        ToolCall call = approved.resolved().call();
        policy.admit(call); // the kill switch comes before all else (P10)
        Caller caller = agents.find(call.caller().agent())
                .orElseThrow(() -> new RefusedException(Refusal.of(
                        Disposition.POLICY_DENIED,
                        false,
                        "this agent's key was revoked while the call waited",
                        "Ask the operator for a new key")));
        policy.confirm(approved.resolved().judged(), caller);
        vault.confirm(approved.resolved());
        if (!isDefinedAsBefore(call, approved.resolved().bearsSecrets())) {
            throw new RefusedException(Refusal.of(
                    Disposition.SECRET_FORBIDDEN,
                    true,
                    "the definition of " + call.tool() + " was changed while the call waited",
                    "List the tools again and send the call anew"));
        }
        if (!approved.grants().isEmpty() && !grants.standing(approved.grants(), clock.instant())) {
            throw new RefusedException(Refusal.of(
                    Disposition.DENIED,
                    true,
                    "the grant for this call was revoked",
                    "Send the same call again to ask a person"));
        }
        String approver = approved.approver();
        if (approved.resolved().bearsSecrets() && approver != null) {
            pins.approved(call, approver);
        }
        return new Confirmed(approved);
    }

    /** Who asked about a tool whose definition nobody had looked at, and that gets no secret, did not rely on it. */
    private static boolean isDefinedAsBefore(ToolCall call, boolean bearsSecrets) {
        if (call.definition() == null && !bearsSecrets) {
            return true;
        }
        ToolDefinition latest = call.definitions().latest();
        return call.definitionHash().equals(latest == null ? "" : latest.hash());
    }
}
