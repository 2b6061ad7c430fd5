package dev.postern.gate.policy;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.agent.Permission;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Filling;
import dev.postern.gate.call.Refusal;
import dev.postern.gate.call.RefusedException;
import dev.postern.gate.call.ToolCall;
import dev.postern.gate.policy.Policy.Rule;
import dev.postern.gate.policy.Policy.SecretBearingCalls;
import dev.postern.gate.substitute.Referenced;
import java.util.Map;

/** Steps 0 and 3 to 6, in the contract's order. Reads no vault (P1). */
public final class PolicyStep {
    private final Policies policies;
    private final KillSwitch killSwitch;

    public PolicyStep(Policies policies, KillSwitch killSwitch) {
        this.policies = policies;
        this.killSwitch = killSwitch;
    }

    /** Step 0: kill switch, and may this agent call this tool with these arguments. */
    public void admit(ToolCall call) {
        admit(call, call.caller());
        requireAllowed(policies.current(), call);
    }

    private static void requireAllowed(Policy policy, ToolCall call) {
        policy.objection(call).ifPresent(objection -> {
            throw refused(
                    policy,
                    Disposition.POLICY_DENIED,
                    objection,
                    "Use what this agent is allowed, or ask the operator to change the policy");
        });
    }

    /** Step 0 with the caller as it stands when the confirm step asks again. */
    private void admit(ToolCall call, Caller caller) {
        killSwitch.refusing(caller, call.tool().server()).ifPresent(refusal -> {
            throw new RefusedException(refusal);
        });
        if (!caller.may(Permission.TOOL_CALL)) {
            throw refused(
                    Disposition.POLICY_DENIED,
                    false,
                    "this agent lacks the permission tool.call",
                    "Ask the operator for an agent key that has it");
        }
    }

    /** Steps 3 to 6, and step 0 once more for a call into whose arguments something has come from elsewhere since. */
    public Judged judge(Referenced referenced) {
        Policy policy = policies.current();
        ToolCall call = referenced.call();
        if (!call.filling().equals(Filling.NONE)) {
            requireAllowed(policy, call);
        }
        check(policy, call.caller(), referenced);
        return new Judged(
                referenced,
                policy.revision(),
                policy.ruleFor(call.tool()) == Rule.ASK,
                policy.limits(call.caller(), call.tool()));
    }

    private static void check(Policy policy, Caller caller, Referenced referenced) {
        boolean secrets = referenced.bearsSecrets();
        if (secrets && policy.readable() && !policy.secretReferencesEnabled()) {
            throw refused(
                    policy,
                    Disposition.SECRET_FORBIDDEN,
                    "secret references are switched off by policy",
                    "Ask the operator to set secretReferencesEnabled, or call without a reference");
        }
        if (secrets && !caller.may(Permission.SECRET_USE)) {
            throw refused(
                    Disposition.SECRET_FORBIDDEN,
                    false,
                    "this agent lacks the permission secret.use",
                    "Ask the operator for an agent key that has it");
        }
        if (!policy.readable()) {
            throw refused(
                    policy,
                    Disposition.POLICY_DENIED,
                    "the policy cannot be read, so every call is denied",
                    "Ask the operator to mend it with 'postern policy apply FILE'");
        }
        if (policy.ruleFor(referenced.call().tool()) == Rule.DENY) {
            throw refused(
                    policy,
                    Disposition.POLICY_DENIED,
                    "the policy denies " + referenced.call().tool(),
                    "Use another tool, or ask the operator to change the policy");
        }
        if (secrets && policy.secretBearingCalls() == SecretBearingCalls.DENY) {
            throw refused(
                    policy,
                    Disposition.SECRET_FORBIDDEN,
                    "the policy denies every call that bears a secret",
                    "Ask the operator to set secretBearingCalls to ASK, or call without a reference");
        }
    }

    /**
     * The policy's part of step 9: what was judged must still hold, under the very revision that was approved (P6).
     */
    public void confirm(Judged judged, Caller caller) {
        admit(judged.call(), caller);
        Policy policy = policies.current();
        check(policy, caller, judged.referenced());
        if (policy.revision() != judged.policyRevision()) {
            throw refused(
                    Disposition.POLICY_DENIED,
                    true,
                    "the policy was changed while the call waited",
                    "Send the same call again to have it judged by the new policy");
        }
    }

    /** What a document decided says which one. */
    private static RefusedException refused(Policy policy, Disposition disposition, String what, String next) {
        return new RefusedException(new Refusal(
                disposition.name(), disposition, false, what, next, Map.of("policy_revision", policy.revision())));
    }

    private static RefusedException refused(Disposition disposition, boolean retryable, String what, String next) {
        return new RefusedException(Refusal.of(disposition, retryable, what, next));
    }
}
