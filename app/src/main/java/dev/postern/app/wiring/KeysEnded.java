package dev.postern.app.wiring;

import dev.postern.app.operations.StdioOperation;
import dev.postern.gate.agent.AgentStore;
import dev.postern.gate.agent.Caller;
import dev.postern.gate.call.RunningCalls;
import dev.postern.gate.detect.CapturedValues;
import dev.postern.gate.grant.GrantStore;
import dev.postern.mcp.server.McpHandler;
import java.util.function.Consumer;

/**
 * What ends with an agent's keys (A1): calls that run, sessions and streams, and, with the last key, what was captured for it.
 * Grants end with an agent that was revoked: a key that expired can be replaced, and the agent goes on with what it was granted.
 *
 * @param operator in whose name grants are revoked
 */
record KeysEnded(
        AgentStore agents,
        RunningCalls running,
        McpHandler sessions,
        StdioOperation conversations,
        CapturedValues captured,
        GrantStore grants,
        String operator)
        implements Consumer<Caller> {
    @Override
    public void accept(Caller caller) {
        String agent = caller.agent();
        running.stopCallsOf(caller);
        sessions.endOf(agent);
        conversations.endOf(agent);
        if (agents.find(agent).isEmpty()) {
            captured.forget(agent);
        }
        if (isRevoked(agent)) {
            grants.revokeAll(agent, operator);
        }
    }

    private boolean isRevoked(String id) {
        return agents.list().stream().noneMatch(agent -> agent.id().equals(id) && !agent.revoked());
    }

    /** Nobody tells of a key that expires: it is looked for. */
    void endExpired() {
        agents.endExpired();
        conversations.endExpired();
    }
}
