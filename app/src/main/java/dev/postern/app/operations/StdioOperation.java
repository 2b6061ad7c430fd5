package dev.postern.app.operations;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ControlRequest;
import dev.postern.app.control.ExitCode;
import dev.postern.app.control.Operation;
import dev.postern.gate.agent.AgentStore;
import dev.postern.gate.agent.Caller;
import dev.postern.mcp.relay.Relay;
import dev.postern.secret.Reveal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** {@code connect}: the connection becomes an agent's MCP conversation, one message a line. */
public final class StdioOperation {
    private final Relay relay;
    private final AgentStore agents;
    private final Map<Operation.Peer, Caller> connected = new ConcurrentHashMap<>();

    public StdioOperation(Relay relay, AgentStore agents) {
        this.relay = relay;
        this.agents = agents;
    }

    /** Adds {@code connect}. */
    public void addTo(Map<String, Operation> operations) {
        operations.put("connect", this::connect);
    }

    private @Nullable Object connect(ControlRequest request, Operation.Peer peer) {
        Caller caller = caller(request);
        peer.send(Map.of("connected", caller.name()));
        connected.put(peer, caller);
        try (StdioConversation conversation = new StdioConversation(relay, caller, peer::sendLine)) {
            for (byte[] line = peer.next(); line != null; line = peer.next()) {
                conversation.receive(line);
            }
            conversation.awaitAnswers();
        } finally {
            connected.remove(peer);
        }
        return null;
    }

    /** Ends every conversation of an agent, whose key is no longer good. */
    public void endOf(String agent) {
        connected.forEach((peer, caller) -> {
            if (caller.agent().equals(agent)) {
                peer.hangUp();
            }
        });
    }

    private Caller caller(ControlRequest request) {
        byte[] key = request.requiredValue().reveal(Reveal.TO_DELIVER);
        try {
            return agents.authenticate(new String(key, StandardCharsets.UTF_8))
                    .orElseThrow(() -> new ControlException(
                            ExitCode.FAILED,
                            "the agent key is unknown or revoked; make one with 'postern agent add NAME'."));
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }
}
