package dev.postern.app.operations;

import dev.postern.gate.agent.AgentStore;
import dev.postern.gate.agent.Caller;
import dev.postern.gate.call.Cancellation;
import dev.postern.mcp.relay.Relay;
import dev.postern.mcp.wire.Message;
import dev.postern.web.api.RelayRequests;
import java.util.Map;
import java.util.Set;

/**
 * The agent that the command line is when it calls a tool: one like any other in store, policy and ledger, whose key nobody
 * holds.
 */
public final class LocalAgent {
    /** What approvals and the ledger call it. */
    public static final String NAME = "command-line";

    private final RelayRequests relay;
    private final AgentStore agents;
    private final String id;

    /** Makes the agent unless it is there. */
    public LocalAgent(Relay relay, AgentStore agents) {
        this.relay = new RelayRequests(relay, "postern");
        this.agents = agents;
        this.id = agents.list().stream()
                .filter(agent -> agent.name().equals(NAME) && !agent.revoked())
                .map(AgentStore.AgentSummary::id)
                .findFirst()
                .orElseGet(() -> agents.add(NAME, Set.of()).id());
    }

    /** Whether no other agent was ever made. */
    public boolean isOnlyAgent() {
        return agents.list().stream().allMatch(agent -> agent.id().equals(id));
    }

    /**
     * Asks as a modern client would and gives the whole response, result or error.
     *
     * @param params without {@code _meta}
     */
    Message ask(String method, Map<String, Object> params, Cancellation cancellation) {
        // Whoever takes progress is held until the approval itself expires (P7).
        return relay.ask(caller(), method, params, NAME, cancellation);
    }

    private Caller caller() {
        return agents.find(id).orElseThrow(() -> new IllegalArgumentException("the agent '" + NAME + "' was revoked"));
    }

    /** Its id, to tell its approvals from others'. */
    String id() {
        return id;
    }
}
