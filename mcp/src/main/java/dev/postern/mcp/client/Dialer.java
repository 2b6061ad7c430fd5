package dev.postern.mcp.client;

import dev.postern.mcp.wire.Era;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Opens conversations with servers of either era over any transport. A server of both eras is
 * spoken to in the client's. Remembers the era of each configured server, so that only its first start pays for the question. Thread-safe; close it after its connections.
 */
public final class Dialer implements ServerConnector, AutoCloseable {
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(20);

    private final ConnectionLimits limits;
    private final ExecutorService writers = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("postern-server-write-", 0).factory());
    private final EraMemory eras = new EraMemory();

    private final OutgoingHttp http = new OutgoingHttp("postern-server-http", CONNECT_PATIENCE);

    public Dialer(ConnectionLimits limits) {
        this.limits = limits;
    }

    @Override
    public ServerConnection connect(ServerSpec spec, ServerConnection.ClientFace face, ServerListener listener) {
        try {
            return start(spec, face, listener);
        } catch (RuntimeException e) {
            spec.wipe();
            throw e;
        }
    }

    private ServerConnection start(ServerSpec spec, ServerConnection.ClientFace face, ServerListener listener) {
        String fingerprint = eras.fingerprint(spec, face);
        long end = System.nanoTime() + limits.handshake().toNanos();
        Era known = eras.recall(fingerprint);
        Era first = known == null ? face.era() : known;
        boolean again = known != Era.LEGACY && spec.transport() instanceof ServerSpec.Stdio;
        Duration patience = first == Era.MODERN && again ? limits.handshake().dividedBy(2) : limits.handshake();
        while (true) {
            Conversation conversation = new Conversation(spec, face, listener, limits, link(spec));
            Handshake handshake = new Handshake(conversation, patience);
            try {
                conversation.open();
                handshake.shake(first);
                eras.note(fingerprint, conversation.era());
                if (spec.transport() instanceof ServerSpec.Stdio) {
                    // The child has them; HTTP needs its headers to the end.
                    spec.wipe();
                }
                return conversation;
            } catch (RuntimeException e) {
                again &= !handshake.isConclusive() && (first == Era.MODERN || !conversation.isOpen());
                conversation.close();
                eras.forget(fingerprint);
                if (!again) {
                    throw e;
                }
            }
            // Some servers do not survive a message of the other era: start afresh with the other one first.
            again = false;
            first = first == Era.MODERN ? Era.LEGACY : Era.MODERN;
            patience = Duration.ofNanos(Math.max(1, end - System.nanoTime()));
        }
    }

    private Link link(ServerSpec spec) {
        return switch (spec.transport()) {
            case ServerSpec.Stdio stdio -> new StdioLink(spec.name(), stdio, limits, writers);
            case ServerSpec.InProcess embedded -> new EmbeddedLink(embedded.server());
            case ServerSpec.Http address -> new HttpLink(spec, address, limits, http.client());
        };
    }

    @Override
    public void close() {
        writers.shutdown();
        http.close();
    }
}
