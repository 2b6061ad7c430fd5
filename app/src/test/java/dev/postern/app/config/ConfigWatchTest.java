package dev.postern.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file stands beside a database that is written with every call. */
class ConfigWatchTest {
    @TempDir
    Path directory;

    @Test
    void aChangeIsNoticedWhileTheFilesBesideItAreWrittenAllTheTime() throws Exception {
        Path file = Files.writeString(directory.resolve("postern.json"), "{}");
        Path database = directory.resolve("postern.db-wal");
        CountDownLatch changed = new CountDownLatch(1);
        try (ConfigWatch ignored = new ConfigWatch(file, changed::countDown)) {
            Files.writeString(file, "{\"mcpServers\":{}}");
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            // Each wait is shorter than what a change settles in, so the neighbour is never left alone for that long.
            while (!changed.await(10, TimeUnit.MILLISECONDS) && System.nanoTime() < end) {
                Files.writeString(database, "" + System.nanoTime());
            }
            assertThat(changed.getCount()).isZero();
        }
    }
}
