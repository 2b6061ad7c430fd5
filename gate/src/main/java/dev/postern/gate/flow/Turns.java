package dev.postern.gate.flow;

import java.util.concurrent.Semaphore;

/**
 * Whose turn it is to be prepared: what comes before a call waits for a person, or is sent, is done for a few calls at a time, in
 * the order in which they came. It is work on this machine alone, which more at a time would not hasten; but thousands that
 * come at once would all be half-way at once, each with all that this takes. Thread-safe.
 */
final class Turns {
    private static final int AT_A_TIME = 32;

    private final Semaphore free = new Semaphore(AT_A_TIME, true);

    /** Waits for a turn. */
    Turn take() {
        free.acquireUninterruptibly();
        return new Turn();
    }

    /** One of them. Used by one thread. */
    final class Turn implements AutoCloseable {
        private boolean over;

        /** Lets the next one have its turn; does nothing if it was over before. */
        void end() {
            if (!over) {
                over = true;
                free.release();
            }
        }

        @Override
        public void close() {
            end();
        }
    }
}
