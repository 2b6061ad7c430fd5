package dev.postern.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Waits for what no event tells of: a file, a descriptor, the end of somebody else's process. Where there is an event, a test
 * waits for that.
 */
public final class Await {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long LOOK_MILLIS = 10;

    private Await() {}

    /** What is waited for. */
    @FunctionalInterface
    public interface Condition {
        /** Whether it is so now. */
        boolean holds() throws Exception;
    }

    /**
     * Looks again and again until something is so.
     *
     * @param what completes "waited in vain until …"
     * @throws AssertionError if it is not so within two minutes
     */
    public static void until(String what, Condition condition) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("waited in vain until " + what);
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    /** Waits until a file is there. */
    public static void file(Path file) throws Exception {
        until(file.getFileName() + " is there", () -> Files.exists(file));
    }
}
