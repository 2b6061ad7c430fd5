package dev.postern.web.portal.imports;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Files that were read and wait for a person to say what of them to keep: one a session, in memory, wiped when they are taken,
 * replaced or left alone for {@link #KEPT}. Thread-safe.
 */
public final class PendingImports implements AutoCloseable {
    /** How long a preview stays good. */
    public static final Duration KEPT = Duration.ofMinutes(10);

    private final InstantSource clock;
    private final Map<String, Pending> bySession = new HashMap<>();
    private final ScheduledExecutorService wiping = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("import-wipe").factory());

    private record Pending(List<ImportedSecret> secrets, Instant until) {
        void wipe() {
            secrets.forEach(ImportedSecret::close);
        }
    }

    public PendingImports(InstantSource clock) {
        this.clock = clock;
        var _ = wiping.scheduleWithFixedDelay(this::wipeLapsed, 1, 1, TimeUnit.MINUTES);
    }

    /** Keeps a file's secrets for a session; they are this object's to wipe from now on. */
    public synchronized void put(String session, List<ImportedSecret> secrets) {
        Pending before =
                bySession.put(session, new Pending(secrets, clock.instant().plus(KEPT)));
        if (before != null) {
            before.wipe();
        }
    }

    /** Hands a session's secrets over, which are the caller's to close; none if they lapsed. */
    public synchronized List<ImportedSecret> take(String session) {
        wipeLapsed();
        Pending pending = bySession.remove(session);
        return pending == null ? List.of() : pending.secrets();
    }

    private synchronized void wipeLapsed() {
        Instant now = clock.instant();
        bySession.values().removeIf(pending -> {
            boolean isOver = !now.isBefore(pending.until());
            if (isOver) {
                pending.wipe();
            }
            return isOver;
        });
    }

    @Override
    public synchronized void close() {
        wiping.shutdownNow();
        bySession.values().forEach(Pending::wipe);
        bySession.clear();
    }
}
