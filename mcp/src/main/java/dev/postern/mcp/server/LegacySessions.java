package dev.postern.mcp.server;

import dev.postern.gate.agent.Caller;
import dev.postern.mcp.relay.LegacyConversation;
import dev.postern.mcp.relay.Scope;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The open legacy sessions by their {@code Mcp-Session-Id}. One that nobody uses for a while ends. Thread-safe. */
final class LegacySessions implements AutoCloseable {
    private static final int ID_BYTES = 24;

    private final SecureRandom random = new SecureRandom();
    private final Map<String, Session> sessions = new ConcurrentHashMap<>();

    /** A conversation, and whether someone uses it. */
    static final class Session {
        private final LegacyConversation conversation;
        private final ResumableStreams streams = new ResumableStreams();
        private final AtomicInteger users = new AtomicInteger();
        private volatile long lastUsedNanos = System.nanoTime();

        private Session(LegacyConversation conversation) {
            this.conversation = conversation;
        }

        LegacyConversation conversation() {
            return conversation;
        }

        ResumableStreams streams() {
            return streams;
        }

        private void close() {
            conversation.close();
            streams.close();
        }

        /** Until the returned use is closed, the session is not idle. */
        Use use() {
            users.incrementAndGet();
            return () -> {
                lastUsedNanos = System.nanoTime();
                users.decrementAndGet();
            };
        }

        private boolean isIdleFor(long nanos) {
            return users.get() == 0 && !conversation.isBusy() && System.nanoTime() - lastUsedNanos > nanos;
        }
    }

    /** Someone at work in a session. */
    interface Use extends AutoCloseable {
        @Override
        void close();
    }

    /** Keeps a conversation; returns its id: 192 random bits in visible ASCII. */
    String add(LegacyConversation conversation) {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        sessions.put(id, new Session(conversation));
        return id;
    }

    /**
     * The session, if it is this agent's and was opened on this endpoint, by a credential that may no more than this one;
     * null otherwise, as if there were none.
     */
    @Nullable
    Session find(@Nullable String id, Caller caller, Scope scope) {
        Session session = id == null ? null : sessions.get(id);
        return session != null
                        && session.conversation.caller().agent().equals(caller.agent())
                        && session.conversation.caller().denied().containsAll(caller.denied())
                        && session.conversation.scope().equals(scope)
                ? session
                : null;
    }

    /** How many sessions an agent has. */
    int countOf(Caller caller) {
        return (int) sessions.values().stream()
                .filter(session -> session.conversation.caller().agent().equals(caller.agent()))
                .count();
    }

    /** Ends a session. */
    void end(String id) {
        Session session = sessions.remove(id);
        if (session != null) {
            session.close();
        }
    }

    /** Ends every session of an agent; waits for none of it. */
    void endOf(String agent) {
        sessions.forEach((id, session) -> {
            if (session.conversation.caller().agent().equals(agent)) {
                sessions.remove(id);
                Thread.ofVirtual().name("mcp-session-end").start(session::close);
            }
        });
    }

    /** Ends what nobody has used for so long; waits for none of it, since a server may take its time to end. */
    void endIdle(Duration idle) {
        sessions.forEach((id, session) -> {
            if (session.isIdleFor(idle.toNanos())) {
                sessions.remove(id);
                Thread.ofVirtual().name("mcp-session-end").start(session::close);
            } else {
                session.streams.tidy();
            }
        });
    }

    int size() {
        return sessions.size();
    }

    @Override
    public void close() {
        try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            sessions.keySet().forEach(id -> each.execute(() -> end(id)));
        }
    }
}
