package dev.postern.mcp.relay;

import java.time.Duration;

/**
 * How many requests of agents are being answered, from when they came until their answers are written, so that a gateway
 * that stops can wait for them. Streams that a client listens to have no end of their own and are not counted. Thread-safe.
 */
public final class Answering {
    private int open;

    /** A request begins to be answered; closed when its answer is written. */
    public synchronized Entry enter() {
        open++;
        return this::leave;
    }

    /** How many are being answered. */
    public synchronized int open() {
        return open;
    }

    private synchronized void leave() {
        open--;
        notifyAll();
    }

    /** One of them. */
    public interface Entry extends AutoCloseable {
        @Override
        void close();
    }

    /** Waits until none is left, or the time is over; whether none is left. */
    public synchronized boolean awaitNone(Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        for (long left = patience.toNanos(); open > 0; left = end - System.nanoTime()) {
            if (left <= 0) {
                return false;
            }
            wait(left / 1_000_000 + 1);
        }
        return true;
    }
}
