package dev.postern.gate.policy;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.call.ToolCall;
import dev.postern.gate.call.ToolName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One revision of the rules, replaced whole.
 *
 * @param readable false where the stored document cannot be understood: then everything is denied (P11)
 * @param servers rules by server name
 * @param tools rules by {@code server__tool}
 * @param agents what some agents may call at all
 * @param quotas how much some agents may ask of some tools
 */
public record Policy(
        long revision,
        boolean readable,
        SecretBearingCalls secretBearingCalls,
        boolean secretReferencesEnabled,
        boolean resultScrubbingEnabled,
        Map<String, Rule> servers,
        Map<String, Rule> tools,
        List<AgentRules> agents,
        List<Quota> quotas) {
    public Policy {
        servers = Map.copyOf(servers);
        tools = Map.copyOf(tools);
        agents = List.copyOf(agents);
        quotas = List.copyOf(quotas);
    }

    /** Whether calls that bear secrets may be asked for at all. There is no ALLOW (P3). */
    public enum SecretBearingCalls {
        ASK,
        DENY
    }

    /** What a tool or server may do without a reference in the call. */
    public enum Rule {
        ALLOW,
        ASK,
        DENY
    }

    /** What is in force where nothing was ever applied. */
    public static final Policy DEFAULT =
            new Policy(0, true, SecretBearingCalls.ASK, true, true, Map.of(), Map.of(), List.of(), List.of());

    /** Stands for a document that cannot be understood: denies everything, scrubs everything. */
    static Policy unreadable(long revision) {
        return new Policy(
                revision, false, SecretBearingCalls.DENY, false, true, Map.of(), Map.of(), List.of(), List.of());
    }

    /** What keeps a call out although its agent may call tools: a text for the agent; empty where nothing does (A1). */
    Optional<String> objection(ToolCall call) {
        return agents.stream()
                .filter(rules -> rules.concern(call.caller().name()))
                .flatMap(rules -> rules.objection(call).stream())
                .findFirst();
    }

    /** The quotas that concern a call. */
    Limits limits(Caller caller, ToolName name) {
        return quotas.isEmpty()
                ? Limits.NONE
                : new Limits(quotas.stream()
                        .filter(quota -> quota.concerns(caller.name(), name.toString()))
                        .toList());
    }

    /** P10: a DENY on either level denies; then the tool's rule, then the server's, then ALLOW. */
    public Rule ruleFor(ToolName name) {
        @Nullable Rule tool = tools.get(name.toString());
        @Nullable Rule server = servers.get(name.server());
        if (tool == Rule.DENY || server == Rule.DENY) {
            return Rule.DENY;
        }
        return tool != null ? tool : server != null ? server : Rule.ALLOW;
    }
}
