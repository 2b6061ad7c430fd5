package dev.postern.app.operations;

import dev.postern.gate.agent.AgentStore;
import dev.postern.gate.agent.Caller;
import dev.postern.gate.call.Cancellation;
import dev.postern.json.JsonWriter;
import dev.postern.mcp.relay.Outbound;
import dev.postern.mcp.relay.Relay;
import dev.postern.mcp.relay.Scope;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.Message;
import dev.postern.mcp.wire.MetaKeys;
import dev.postern.mcp.wire.ProtocolVersion;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The agent that the command line is when it calls a tool: one like any other in store, policy and ledger, whose key nobody
 * holds.
 */
public final class LocalAgent {
    /** What approvals and the ledger call it. */
    public static final String NAME = "command-line";

    private final Relay relay;
    private final AgentStore agents;
    private final String id;

    /** Makes the agent unless it is there. */
    public LocalAgent(Relay relay, AgentStore agents) {
        this.relay = relay;
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
        Map<String, Object> meta = new LinkedHashMap<>();
        meta.put(MetaKeys.PROTOCOL_VERSION, ProtocolVersion.MODERN);
        meta.put(MetaKeys.CLIENT_INFO, Map.of("name", "postern", "version", "1"));
        meta.put(MetaKeys.CLIENT_CAPABILITIES, Map.of());
        // Whoever takes progress is held until the approval itself expires (P7).
        meta.put(MetaKeys.PROGRESS_TOKEN, NAME);
        Map<String, Object> complete = new LinkedHashMap<>(params);
        complete.put(MetaKeys.META, meta);
        byte[] request = JsonRpc.request("1".getBytes(StandardCharsets.US_ASCII), method, JsonWriter.write(complete));
        Outbound answer =
                relay.answerModern(caller(), new Scope.All(), Message.parse(request), message -> true, cancellation);
        return answer.message();
    }

    private Caller caller() {
        return agents.find(id).orElseThrow(() -> new IllegalArgumentException("the agent '" + NAME + "' was revoked"));
    }

    /** Its id, to tell its approvals from others'. */
    String id() {
        return id;
    }
}
