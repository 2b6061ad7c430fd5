package dev.postern.mcp.client;

import dev.postern.gate.upstream.UpstreamException.Kind;
import dev.postern.mcp.wire.JsonRpc;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A server in this process. Each request runs on a virtual thread of its own, so that a slow one can be given up like
 * any other; notifications are handled before the sender goes on, so that their order is kept.
 */
final class EmbeddedLink implements Link {
    private final EmbeddedServer server;
    private volatile @Nullable Inbox inbox;

    EmbeddedLink(EmbeddedServer server) {
        this.server = server;
    }

    @Override
    public void open(Inbox newInbox) {
        inbox = newInbox;
    }

    @Override
    public void send(OpenRequest request, byte[] message) {
        Thread.ofVirtual().name("postern-embedded-server").start(() -> {
            try {
                handle(message);
            } catch (RuntimeException e) {
                request.fail(Kind.FAILED, "the server failed before it answered");
            }
        });
    }

    @Override
    public void send(byte[] message) {
        handle(message);
    }

    private void handle(byte[] message) {
        server.handle(message, answer -> {
            Inbox open = inbox;
            if (open != null) {
                open.message(answer, null);
            }
        });
    }

    @Override
    public void abandon(OpenRequest request) {
        byte[] params = ("{\"requestId\":" + request.id() + "}").getBytes(StandardCharsets.US_ASCII);
        handle(JsonRpc.notification("notifications/cancelled", params));
    }

    @Override
    public void close() {
        inbox = null;
    }
}
