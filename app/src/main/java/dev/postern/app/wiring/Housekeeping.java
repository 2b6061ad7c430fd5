package dev.postern.app.wiring;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Does what is due from time to time, such as wiping values whose window has passed (S9). */
final class Housekeeping implements AutoCloseable {
    private static final Duration EVERY = Duration.ofSeconds(10);

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("housekeeping").factory());

    Housekeeping(Runnable chore) {
        var _ = clock.scheduleWithFixedDelay(chore, EVERY.toMillis(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
