package dev.postern.mcp.relay;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a legacy session has to say outside of any request, until its client opens a stream to hear it. Keeps the newest
 * {@value #CAPACITY} messages. Thread-safe; any number of streams may take from it, each message goes to one.
 */
public final class Mailbox {
    private static final int CAPACITY = 1_000;
    private static final Outbound END = Outbound.ours(new byte[0]);

    private final LinkedBlockingDeque<Outbound> messages = new LinkedBlockingDeque<>(CAPACITY);
    private volatile boolean closed;

    boolean put(Outbound message) {
        if (closed) {
            return false;
        }
        while (!messages.offerLast(message)) {
            messages.pollFirst();
        }
        return true;
    }

    /** The next message; null if none came in that time, or the session has ended. */
    public @Nullable Outbound take(Duration patience) throws InterruptedException {
        Outbound message = messages.pollFirst(patience.toNanos(), TimeUnit.NANOSECONDS);
        if (closed) {
            messages.offerFirst(END); // wakes the next one who waits
            return null;
        }
        return message;
    }

    /** Gives a message back that its stream could not carry. */
    public void putBack(Outbound message) {
        messages.offerFirst(message);
    }

    /** Whether the session has ended. */
    public boolean isClosed() {
        return closed;
    }

    void close() {
        closed = true;
        messages.clear();
        messages.offerFirst(END);
    }
}
