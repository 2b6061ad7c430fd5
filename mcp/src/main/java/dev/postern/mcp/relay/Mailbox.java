package dev.postern.mcp.relay;

import dev.postern.mcp.wire.Message;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a legacy session has to say outside of any request, until its client opens a stream to hear it. Keeps the newest
 * {@value #CAPACITY} messages, or 16 MiB of them, and questions before what only tells something. Of several readers the newest gets what comes, since an older one may be a connection that
 * broke unnoticed; each message goes to one. Thread-safe.
 */
public final class Mailbox {
    private static final int CAPACITY = 1_000;
    private static final long MAX_BYTES = 16 << 20;

    private final Deque<Outbound> messages = new ArrayDeque<>();
    private final List<Reader> readers = new ArrayList<>();
    private long bytes;
    private boolean closed;

    /** Adds a message at the end; false if there is no room for it, or nobody will hear it any more. */
    synchronized boolean put(Outbound message) {
        if (closed) {
            return false;
        }
        messages.addLast(message);
        bytes += message.bytes().length;
        while (messages.size() > CAPACITY || (bytes > MAX_BYTES && messages.size() > 1)) {
            if (dropOldest() == message) {
                return false;
            }
        }
        notifyAll();
        return true;
    }

    /** A question that is dropped would never be answered, so it goes last. */
    private Outbound dropOldest() {
        Outbound oldest = messages.stream()
                .filter(message -> message.message().type() != Message.Type.REQUEST)
                .findFirst()
                .orElse(messages.getLast());
        messages.remove(oldest);
        bytes -= oldest.bytes().length;
        return oldest;
    }

    /** Begins to read. */
    public synchronized Reader read() {
        Reader reader = new Reader();
        readers.addLast(reader);
        return reader;
    }

    /** Whether the session has ended. */
    public synchronized boolean isClosed() {
        return closed;
    }

    synchronized void close() {
        closed = true;
        messages.clear();
        bytes = 0;
        notifyAll();
    }

    /** One stream that the client listens to. */
    public final class Reader implements AutoCloseable {
        private Reader() {}

        /** Waits for a message to be here for this reader; false if none came in that time, or the session has ended. */
        public boolean await(Duration patience) throws InterruptedException {
            synchronized (Mailbox.this) {
                long end = System.nanoTime() + patience.toNanos();
                while (!hasNext() && !closed) {
                    long left = end - System.nanoTime();
                    if (left <= 0) {
                        return false;
                    }
                    Mailbox.this.wait(left / 1_000_000 + 1);
                }
                return hasNext();
            }
        }

        /** The next message; null if there is none for this reader now. */
        public @Nullable Outbound poll() {
            synchronized (Mailbox.this) {
                Outbound next = hasNext() ? messages.pollFirst() : null;
                bytes -= next == null ? 0 : next.bytes().length;
                return next;
            }
        }

        private boolean hasNext() {
            return !messages.isEmpty() && equals(readers.getLast());
        }

        /** Gives a message back that the stream could not carry. */
        public void putBack(Outbound message) {
            synchronized (Mailbox.this) {
                if (!closed) {
                    messages.addFirst(message);
                    bytes += message.bytes().length;
                    Mailbox.this.notifyAll();
                }
            }
        }

        /** Leaves what comes to other readers. */
        @Override
        public void close() {
            synchronized (Mailbox.this) {
                readers.remove(this);
                Mailbox.this.notifyAll();
            }
        }
    }
}
