package dev.postern.app.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** What this process writes to, as seen by whoever reads it. */
public final class StandardOutput {
    private static final int NUMBER = 1;
    private static final int FOR_EVER = -1;
    private static final long ANSWER = 6;

    private StandardOutput() {}

    /**
     * Waits until nobody can read what is written to standard output any more: a pipe whose other end is closed, a terminal that
     * hung up. Files and terminals that are there can be read for ever. For platform threads.
     */
    public static void awaitUnread() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(LibC.CALL_STATE);
            MemorySegment waiting = arena.allocate(LibC.POLL_ENTRY);
            waiting.set(JAVA_INT, 0, NUMBER);
            // Nothing is waited for but errors and hang-ups, which are always told of.
            while (waiting.get(JAVA_SHORT, ANSWER) == 0) {
                LibC.poll(state, waiting, 1, FOR_EVER);
            }
        }
    }
}
