package dev.postern.gate.policy;

import dev.postern.gate.call.ToolCall;
import java.util.List;
import java.util.Optional;

/**
 * All that some agents may call: one of the allowed tools, with the arguments it is allowed for. Narrows; nothing here
 * satisfies a secret or overrules a DENY.
 *
 * @param agents which agents, by name
 */
record AgentRules(Glob agents, List<Allowed> allow) {
    /**
     * Tools, and what their arguments must look like.
     *
     * @param tools by {@code server__tool}
     * @param where all of these hold; empty for any arguments
     */
    record Allowed(Glob tools, List<ArgumentPattern> where) {
        Allowed {
            where = List.copyOf(where);
        }
    }

    AgentRules {
        allow = List.copyOf(allow);
    }

    boolean concern(String agentName) {
        return agents.matches(agentName);
    }

    /** What keeps a call out: a text for the agent; empty where the call is allowed. */
    Optional<String> objection(ToolCall call) {
        String tool = call.tool().toString();
        Optional<String> objection = Optional.of("the policy does not let this agent call " + tool);
        for (Allowed allowed : allow) {
            if (!allowed.tools.matches(tool)) {
                continue;
            }
            Optional<ArgumentPattern> unmet = allowed.where.stream()
                    .filter(pattern -> !pattern.matches(call.arguments()))
                    .findFirst();
            if (unmet.isEmpty()) {
                return Optional.empty();
            }
            objection = Optional.of("the policy lets this agent call " + tool + " only with other values at '"
                    + unmet.get().pointer() + "'");
        }
        return objection;
    }
}
