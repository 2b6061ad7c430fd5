package dev.postern.mcp.relay;

import dev.postern.gate.call.Cancellation;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.json.JsonWriter;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.Message;
import dev.postern.scrub.ScrubFailedException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Hears a modern server's changes on behalf of someone who cannot listen to it directly: keeps one
 * {@code subscriptions/listen} open at it. Thread-safe.
 */
final class Listening implements AutoCloseable {
    private static final String LISTEN = "subscriptions/listen";
    private static final String ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

    private final Cancellation cancellation = new Cancellation();

    private Listening() {}

    /** Opens one; what the server then says goes to {@code changes}, on the server's reading thread. */
    static Listening open(ServerLink link, SubscriptionFilter filter, Consumer<Outbound> changes) {
        byte[] params = JsonWriter.write(Map.of("notifications", filter.toMap()));
        Message request = Message.parse(JsonRpc.request("0".getBytes(StandardCharsets.US_ASCII), LISTEN, params));
        Listening listening = new Listening();
        Exchange exchange = message -> {
            if (!message.message().method().equals(ACKNOWLEDGED)) {
                changes.accept(message);
            }
            return true;
        };
        InFlight inFlight = new InFlight(request, exchange, listening.cancellation);
        Thread.ofVirtual().name("mcp-listen").start(() -> {
            try {
                link.request(LISTEN, params, inFlight);
            } catch (UpstreamException | ScrubFailedException e) {
                // It ended with its server; whoever starts that again listens again.
            }
        });
        return listening;
    }

    @Override
    public void close() {
        cancellation.fire();
    }
}
