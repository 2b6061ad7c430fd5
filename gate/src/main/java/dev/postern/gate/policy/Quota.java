package dev.postern.gate.policy;

import org.jspecify.annotations.Nullable;

/**
 * How much some agents may ask of some tools. Each agent has a quota of its own, shared by all tools it names. Every limit
 * is optional; of several quotas that concern a call each counts.
 *
 * @param agents which agents, by name
 * @param tools which tools, by {@code server__tool}
 * @param callsPerMinute as many at once, and as many again spread over each minute
 * @param concurrentCalls from the policy's judgement to the end, waiting for a person included
 * @param pendingApprovals requests that an agent has open when it makes a further one
 * @param resultCharacters of text in one answer, at most as many as the gateway's own limit
 * @param callSeconds that a server may take for one call
 */
public record Quota(
        Glob agents,
        Glob tools,
        @Nullable Integer callsPerMinute,
        @Nullable Integer concurrentCalls,
        @Nullable Integer pendingApprovals,
        @Nullable Integer resultCharacters,
        @Nullable Integer callSeconds) {
    boolean concerns(String agentName, String tool) {
        return agents.matches(agentName) && tools.matches(tool);
    }
}
