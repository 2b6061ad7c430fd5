package dev.postern.app.wiring;

import dev.postern.app.config.ConfigException;
import dev.postern.app.config.ConfigFile;
import dev.postern.app.config.LedgerRetention;
import dev.postern.store.ledger.LedgerArchives;
import dev.postern.store.sql.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Archives old entries of the ledger, and deletes old archives, as the configuration says: at the start and each six hours. */
final class LedgerChore implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LedgerChore.class);
    private static final Duration FIRST = Duration.ofMinutes(1);
    private static final Duration EVERY = Duration.ofHours(6);
    private static final String ACTOR = "retention";

    private final Path file;
    private final LedgerArchives archives;
    private final InstantSource clock;
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("ledger-retention").factory());

    /**
     * Looks at the configuration, and again each time.
     *
     * @throws ConfigException if it is wrong
     */
    LedgerChore(Path file, LedgerArchives archives, InstantSource clock) {
        this.file = file;
        this.archives = archives;
        this.clock = clock;
        var _ = ConfigFile.read(file).ledgerRetention();
        var _ = scheduler.scheduleWithFixedDelay(this::run, FIRST.toSeconds(), EVERY.toSeconds(), TimeUnit.SECONDS);
    }

    void run() {
        try {
            LedgerRetention retention = ConfigFile.read(file).ledgerRetention();
            Integer keep = retention.keepDays();
            if (keep != null) {
                int moved = archives.archive(ago(keep), ACTOR).size();
                if (moved > 0) {
                    log.info("archived {} segment(s) of the ledger", moved);
                }
            }
            Integer keepArchives = retention.keepArchivesDays();
            if (keepArchives != null) {
                int deleted = archives.delete(ago(keepArchives), ACTOR).size();
                if (deleted > 0) {
                    log.info("deleted {} archive(s) of the ledger", deleted);
                }
            }
        } catch (ConfigException | StoreException e) {
            log.error("the ledger was not archived: {}", e.getMessage());
        }
    }

    private Instant ago(int days) {
        return clock.instant().minus(Duration.ofDays(days));
    }

    @Override
    public void close() {
        scheduler.close();
    }
}
