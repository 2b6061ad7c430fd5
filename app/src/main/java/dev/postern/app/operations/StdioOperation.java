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
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** {@code connect}: the connection becomes an agent's MCP conversation, one message a line. */
public final class StdioOperation {
    private final Relay relay;
    private final AgentStore agents;
    private final int maxOpen;
    private final Map<Operation.Peer, Connected> connected = new ConcurrentHashMap<>();

    /** Who is connected, and whether the key they came with is still good. */
    private record Connected(Caller caller, BooleanSupplier isGood) {}

    /**
     * Serves nobody yet.
     *
     * @param maxOpen how many requests of one connection may be under way at a time
     */
    public StdioOperation(Relay relay, AgentStore agents, int maxOpen) {
        this.relay = relay;
        this.agents = agents;
        this.maxOpen = maxOpen;
    }

    /** Adds {@code connect}. */
    public void addTo(Map<String, Operation> operations) {
        operations.put("connect", this::connect);
    }

    private @Nullable Object connect(ControlRequest request, Operation.Peer peer) throws InterruptedException {
        byte[] bytes = request.requiredValue().reveal(Reveal.TO_DELIVER);
        String key = new String(bytes, StandardCharsets.UTF_8);
        Arrays.fill(bytes, (byte) 0);
        Caller caller = agents.authenticate(key)
                .orElseThrow(() -> new ControlException(
                        ExitCode.FAILED,
                        "the agent key is unknown, expired or revoked; make one with 'postern agent add NAME'."));
        BooleanSupplier isGood = () -> agents.authenticate(key).isPresent();
        peer.send(Map.of("connected", caller.name()));
        connected.put(peer, new Connected(caller, isGood));
        try (StdioConversation conversation =
                new StdioConversation(relay, caller, maxOpen, line -> send(peer, line, isGood))) {
            for (byte[] line = peer.next(); line != null && isGood.getAsBoolean(); line = peer.next()) {
                conversation.receive(line);
            }
            if (peer.listensOn() && isGood.getAsBoolean()) {
                peer.onHangUp(conversation::close);
                conversation.awaitAnswers();
            }
        } finally {
            connected.remove(peer);
        }
        peer.hangUp(); // a client of MCP is to read nothing but messages
        return null;
    }

    private static void send(Operation.Peer peer, byte[] line, BooleanSupplier isGood) {
        if (!isGood.getAsBoolean()) {
            peer.hangUp();
            return;
        }
        peer.sendLine(line);
    }

    /** Ends every conversation of an agent, whose key is no longer good. */
    public void endOf(String agent) {
        connected.forEach((peer, who) -> {
            if (who.caller().agent().equals(agent)) {
                peer.hangUp();
            }
        });
    }

    /** Ends conversations whose key has expired, also those in which nobody says anything. */
    public void endExpired() {
        connected.forEach((peer, who) -> {
            if (!who.isGood().getAsBoolean()) {
                peer.hangUp();
            }
        });
    }
}
