package dev.postern.mcp.server;

import dev.postern.mcp.relay.Outbound;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The events of one stream of a session, kept so that a client whose connection broke, or was closed on purpose,
 * can take the stream up again after the last event it saw (2025-11-25, transports, "Resumability and Redelivery"). One
 * connection reads at a time; a later one takes over. Thread-safe.
 */
final class ResumableStream {
    private static final int MAX_EVENTS = 1_000;
    private static final int MAX_BYTES = 1 << 20;

    private final String name;
    private final boolean listened;
    private final Deque<Outbound> kept = new ArrayDeque<>();
    private long keptBytes;
    /** The number of the newest event; the first is 1, and 0 stands for the start. */
    private long newest;

    private long delivered;
    private long reader;
    private boolean attached;
    private boolean over;
    private boolean resting;
    private long overNanos;
    private @Nullable Duration pause;

    /**
     * @param name unique in the session, without a {@code -}
     * @param listened whether it is one of what belongs to no request
     */
    ResumableStream(String name, boolean listened) {
        this.name = name;
        this.listened = listened;
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

    boolean isListened() {
        return listened;
    }

    String idOf(long number) {
        return name + "-" + number;
    }

    /** Adds a message; waits while a connection is far behind. False once the stream is over. */
    synchronized boolean add(Outbound message) {
        try {
            while (!over && attached && isFull()) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        return !over && append(message);
    }

    /** Whether a connection has as much to write as it may; one message may be larger than all that. */
    private boolean isFull() {
        long left = newest - delivered;
        if (left >= MAX_EVENTS) {
            return true;
        }
        long bytes = 0;
        Iterator<Outbound> newestFirst = kept.descendingIterator();
        for (long i = 0; i < left && bytes < MAX_BYTES; i++) {
            bytes += newestFirst.next().bytes().length;
        }
        return bytes >= MAX_BYTES;
    }

    /** Adds what a connection is about to write itself. False if another one has taken over, or the stream is over. */
    synchronized boolean add(long by, Outbound message) {
        return by == reader && !over && append(message);
    }

    /** Whether this connection has something to write, or nothing more to do. */
    synchronized boolean isBehind(long by) {
        return by != reader || over || delivered < newest;
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
        resting = false;
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

    /** As {@link #detach}, where nothing is added to the stream unless a connection reads it: it may be forgotten. */
    synchronized void rest(long by) {
        if (by == reader) {
            attached = false;
            resting = true;
            overNanos = System.nanoTime();
        }
    }

    /** The newest message could not be written, and is to be told elsewhere. False if it is not the newest any more. */
    synchronized boolean retract(long number) {
        if (number != newest || kept.isEmpty()) {
            return false;
        }
        keptBytes -= kept.removeLast().bytes().length;
        newest--;
        delivered = Math.min(delivered, newest);
        return true;
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
            wait(left / 1_000_000 + 1);
        }
        return new Step.Over();
    }

    private Outbound event(long number) {
        long skip = number - oldest();
        return kept.stream().skip(skip).findFirst().orElseThrow();
    }

    synchronized boolean hasBeenOverFor(Duration time) {
        return isOver() && System.nanoTime() - overNanos > time.toNanos();
    }

    /** Whether nothing more comes, unless the client comes back for it. */
    synchronized boolean isOver() {
        return over || resting;
    }

    synchronized long bytes() {
        return keptBytes;
    }
}
