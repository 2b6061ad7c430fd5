package dev.postern.mcp.server;

import dev.postern.mcp.relay.Outbound;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The events of one response stream of a session, kept so that a client whose connection broke, or was closed on purpose,
 * can take the stream up again after the last event it saw (2025-11-25, transports, "Resumability and Redelivery"). One
 * connection reads at a time; a later one takes over. Thread-safe.
 */
final class ResumableStream {
    private static final int MAX_EVENTS = 1_000;
    private static final int MAX_BYTES = 1 << 20;

    private final String name;
    private final Deque<Outbound> kept = new ArrayDeque<>();
    private long keptBytes;
    /** The number of the newest event; the first is 1, and 0 stands for the start. */
    private long newest;

    private long delivered;
    private long reader;
    private boolean attached;
    private boolean over;
    private long overNanos;
    private @Nullable Duration pause;

    /** @param name unique in the session, without a {@code -} */
    ResumableStream(String name) {
        this.name = name;
    }

    /** What a reader does next. */
    sealed interface Step {
        /** Writes a message; the last one ends the stream. */
        record Event(long number, Outbound message, boolean last) implements Step {}

        /** Nothing was said for a while. */
        record Silence() implements Step {}

        /** Ends the connection, since nothing more comes or another one has taken over. */
        record Over() implements Step {}

        /** Ends the connection for a while: the server has ended its own, and wants the client to come back. */
        record Paused(Duration until) implements Step {}
    }

    String name() {
        return name;
    }

    String idOf(long number) {
        return name + "-" + number;
    }

    /** Adds a message; waits while a connection is far behind. False once the stream is over. */
    synchronized boolean add(Outbound message) {
        try {
            while (!over && attached && newest - delivered >= MAX_EVENTS) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        return !over && append(message);
    }

    private boolean append(Outbound message) {
        kept.addLast(message);
        keptBytes += message.bytes().length;
        newest++;
        // What a connection still has to write stays; what nobody reads makes room.
        while (kept.size() > 1
                && (kept.size() > MAX_EVENTS || keptBytes > MAX_BYTES)
                && (!attached || oldest() <= delivered)) {
            keptBytes -= kept.removeFirst().bytes().length;
        }
        notifyAll();
        return true;
    }

    private long oldest() {
        return newest - kept.size() + 1;
    }

    /**
     * Nothing more will come.
     *
     * @param answer the last message; null for none
     */
    synchronized void end(@Nullable Outbound answer) {
        if (over) {
            return;
        }
        if (answer != null) {
            append(answer);
        }
        over = true;
        overNanos = System.nanoTime();
        notifyAll();
    }

    /** Ends the connection, not the stream. */
    synchronized void pause(Duration until) {
        pause = until;
        notifyAll();
    }

    /** A connection reads from here on, after the event of that number. Returns what it names itself by. */
    synchronized long attach(long after) {
        attached = true;
        pause = null;
        delivered = Math.clamp(after, oldest() - 1, newest);
        notifyAll();
        return ++reader;
    }

    synchronized void detach(long by) {
        if (by == reader) {
            attached = false;
            notifyAll();
        }
    }

    /** What to do next; waits that long at most. The message before counts as written. */
    synchronized Step next(long by, Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (by == reader) {
            if (delivered < newest) {
                delivered++;
                notifyAll();
                return new Step.Event(delivered, event(delivered), over && delivered == newest);
            }
            Duration until = pause;
            if (over || until != null) {
                return over || until == null ? new Step.Over() : new Step.Paused(until);
            }
            long left = end - System.nanoTime();
            if (left <= 0) {
                return new Step.Silence();
            }
            wait(Math.max(1, left / 1_000_000));
        }
        return new Step.Over();
    }

    private Outbound event(long number) {
        long skip = number - oldest();
        return kept.stream().skip(skip).findFirst().orElseThrow();
    }

    synchronized boolean hasBeenOverFor(Duration time) {
        return over && System.nanoTime() - overNanos > time.toNanos();
    }

    synchronized boolean isOver() {
        return over;
    }

    synchronized long bytes() {
        return keptBytes;
    }
}
