package dev.postern.mcp.client;

import dev.postern.gate.upstream.UpstreamException;
import dev.postern.gate.upstream.UpstreamException.Kind;
import dev.postern.mcp.wire.Era;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Opens conversations with servers of either era over any transport. Remembers the era of each configured server, so
 * that only its first start pays for the question. Thread-safe; close it after its connections.
 */
public final class Dialer implements ServerConnector, AutoCloseable {
    private final ConnectionLimits limits;
    private final ExecutorService writers = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("postern-server-write-", 0).factory());
    private final Map<ServerSpec.Transport, Era> eras = Collections.synchronizedMap(new WeakHashMap<>());

    public Dialer(ConnectionLimits limits) {
        this.limits = limits;
    }

    @Override
    public ServerConnection connect(ServerSpec spec, ServerConnection.ClientFace face, ServerListener listener) {
        long end = System.nanoTime() + limits.handshake().toNanos();
        boolean probe = eras.get(spec.transport()) != Era.LEGACY;
        // The first try leaves the second enough time.
        Duration first = probe ? limits.handshake().dividedBy(2) : limits.handshake();
        try {
            return connect(spec, face, listener, probe, first);
        } catch (UpstreamException e) {
            eras.remove(spec.transport());
            if (!probe || !(spec.transport() instanceof ServerSpec.Stdio)) {
                throw e;
            }
        }
        // Some legacy servers do not survive a request before `initialize`: start afresh without one.
        return connect(spec, face, listener, false, Duration.ofNanos(Math.max(1, end - System.nanoTime())));
    }

    private Conversation connect(
            ServerSpec spec,
            ServerConnection.ClientFace face,
            ServerListener listener,
            boolean probe,
            Duration patience) {
        Conversation conversation = new Conversation(spec, face, listener, limits, link(spec));
        try {
            conversation.open();
            new Handshake(conversation, patience).shake(probe);
            eras.put(spec.transport(), conversation.era());
            return conversation;
        } catch (RuntimeException e) {
            conversation.close();
            throw e;
        }
    }

    private Link link(ServerSpec spec) {
        return switch (spec.transport()) {
            case ServerSpec.Stdio stdio -> new StdioLink(spec.name(), stdio, limits, writers);
            case ServerSpec.InProcess embedded -> new EmbeddedLink(embedded.server());
            case ServerSpec.Http http -> throw new UpstreamException(Kind.FAILED, "no HTTP yet");
        };
    }

    @Override
    public void close() {
        writers.shutdown();
    }
}
