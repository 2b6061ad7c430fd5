package dev.postern.app.wiring;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does what is due from time to time, such as wiping values whose window has passed (S9). */
final class Housekeeping implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
    private static final Duration EVERY = Duration.ofSeconds(10);

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("housekeeping").factory());

    Housekeeping(Runnable chore) {
        var _ = clock.scheduleWithFixedDelay(guarded(chore), EVERY.toMillis(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** What fails once is due again. */
    private static Runnable guarded(Runnable chore) {
        return () -> {
            try {
                chore.run();
            } catch (RuntimeException e) {
                LOG.warn("housekeeping failed: {}", e.getClass());
            }
        };
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
