package dev.postern.mcp.server;

import dev.postern.gate.agent.Caller;
import dev.postern.mcp.relay.AnswerException;
import dev.postern.mcp.relay.LegacyConversation;
import dev.postern.mcp.relay.Scope;
import dev.postern.mcp.wire.JsonRpc;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The open legacy sessions by their {@code Mcp-Session-Id}, never more of one agent than its share. One that nobody uses for a
 * while ends. Thread-safe.
 */
final class LegacySessions implements AutoCloseable {
    private static final int ID_BYTES = 24;

    private final SecureRandom random = new SecureRandom();
    private final Map<String, Session> sessions = new ConcurrentHashMap<>();
    private final AgentShares shares;
    private final LongSupplier nanoTime;
    private volatile boolean closed;

    /** @param mostPerAgent how many sessions one agent may have; one counts until its servers have ended */
    LegacySessions(int mostPerAgent, LongSupplier nanoTime) {
        this.shares = new AgentShares(mostPerAgent);
        this.nanoTime = nanoTime;
    }

    /** A conversation, and who uses it. */
    final class Session {
        private final String id;
        private final LegacyConversation conversation;
        private final ResumableStreams streams = new ResumableStreams();
        private int users;
        private boolean ended;
        private long lastUsedNanos = nanoTime.getAsLong();

        private Session(String id, LegacyConversation conversation) {
            this.id = id;
            this.conversation = conversation;
        }

        String id() {
            return id;
        }

        LegacyConversation conversation() {
            return conversation;
        }

        ResumableStreams streams() {
            return streams;
        }

        private boolean isOf(String agent) {
            return conversation.caller().agent().equals(agent);
        }

        private synchronized @Nullable Use enter() {
            if (ended) {
                return null;
            }
            users++;
            return new Use(this);
        }

        private synchronized void leave() {
            lastUsedNanos = nanoTime.getAsLong();
            users--;
        }

        /** From here on nobody enters; false if that was so already. */
        private synchronized boolean end() {
            boolean first = !ended;
            ended = true;
            return first;
        }

        /** As {@link #end()}, if nobody has used it for so long. */
        private synchronized boolean endIfIdle(Duration idle) {
            boolean isIdle =
                    users == 0 && !conversation.isBusy() && nanoTime.getAsLong() - lastUsedNanos > idle.toNanos();
            return isIdle && end();
        }

        /** Ends its servers and streams; until then it counts. */
        private void close() {
            try {
                conversation.close();
                streams.close();
            } finally {
                shares.giveBack(conversation.caller().agent());
            }
        }
    }

    /** Someone at work in a session, which is not idle meanwhile. */
    record Use(Session session) implements AutoCloseable {
        @Override
        public void close() {
            session.leave();
        }
    }

    /**
     * Opens a session under an id of 192 random bits in visible ASCII.
     *
     * @param conversation makes its conversation
     * @return null if the agent has as many as it may
     * @throws AnswerException if there can be none
     */
    @Nullable
    Session open(Caller caller, Supplier<LegacyConversation> conversation) {
        if (!shares.take(caller.agent())) {
            return null;
        }
        Session session;
        try {
            byte[] bytes = new byte[ID_BYTES];
            random.nextBytes(bytes);
            session = new Session(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes), conversation.get());
        } catch (RuntimeException e) {
            shares.giveBack(caller.agent());
            throw e;
        }
        sessions.put(session.id, session);
        if (closed) {
            end(session);
            throw new AnswerException(JsonRpc.INTERNAL_ERROR, "the gateway is stopping: try again in a moment");
        }
        return session;
    }

    /**
     * The session, if it is this agent's and was opened on this endpoint, by a credential that may no more than this one;
     * null otherwise, as if there were none.
     */
    @Nullable
    Session find(@Nullable String id, Caller caller, Scope scope) {
        Session session = id == null ? null : sessions.get(id);
        return session != null
                        && session.isOf(caller.agent())
                        && session.conversation.caller().denied().containsAll(caller.denied())
                        && session.conversation.scope().equals(scope)
                ? session
                : null;
    }

    /** As {@link #find}, for someone who is at work in it until the use is closed; null if it has just ended. */
    @Nullable
    Use enter(@Nullable String id, Caller caller, Scope scope) {
        Session session = find(id, caller, scope);
        return session == null ? null : session.enter();
    }

    /** Ends a session, and waits for its servers to end. */
    void end(Session session) {
        if (session.end()) {
            sessions.remove(session.id, session);
            session.close();
        }
    }

    /** Ends every session of an agent; waits for none of it. */
    void endOf(String agent) {
        sessions.values().forEach(session -> {
            if (session.isOf(agent) && session.end()) {
                closeLater(session);
            }
        });
    }

    /** Ends what nobody has used for so long; waits for none of it, since a server may take its time to end. */
    void endIdle(Duration idle) {
        sessions.values().forEach(session -> {
            if (session.endIfIdle(idle)) {
                closeLater(session);
            } else {
                session.streams.tidy();
            }
        });
    }

    private void closeLater(Session session) {
        sessions.remove(session.id, session);
        Thread.ofVirtual().name("mcp-session-end").start(session::close);
    }

    int size() {
        return sessions.size();
    }

    /** Ends every session, and takes no more. */
    @Override
    public void close() {
        closed = true;
        try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            sessions.values().forEach(session -> each.execute(() -> end(session)));
        }
    }
}
