package dev.postern.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.store.crypto.KeySource;
import dev.postern.store.file.DataDirectory;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a write promises. */
final class SqliteDatabaseTest {
    private static final String INSERT =
            "INSERT INTO policy (revision, document, applied_at, actor) VALUES (?, ?, 0, ?)";
    private static final String SYNCHRONOUS = "PRAGMA synchronous";
    private static final long FULL = 2;
    private static final long NORMAL = 1;

    @TempDir
    Path path;

    private DataDirectory directory;
    private Repositories repositories;
    private Database database;

    @BeforeEach
    void open() {
        directory = DataDirectory.open(path);
        repositories = Repositories.open(directory, KeySource.file(), InstantSource.system());
        database = repositories.database();
    }

    @AfterEach
    void close() {
        repositories.close();
        directory.close();
    }

    @Test
    @DisplayName("L3: a write is flushed; one that goes ahead is not, and the next write flushes again")
    void writesAreFlushed() {
        for (int i = 0; i < 3; i++) {
            assertThat(database.<Long>write("test", statements -> statements.number(SYNCHRONOUS)))
                    .isEqualTo(FULL);
            assertThat(database.<Long>writeAhead("test", statements -> statements.number(SYNCHRONOUS)))
                    .isEqualTo(NORMAL);
        }
        assertThat(database.<String>read(
                        "test",
                        statements -> statements
                                .first("PRAGMA journal_mode", row -> row.text("journal_mode"))
                                .orElseThrow()))
                .isEqualTo("wal");
    }

    @Test
    void readersCannotWrite() {
        assertThatThrownBy(() -> database.read("test", statements -> statements.update(INSERT, 1, new byte[0], "ada")))
                .isInstanceOf(StoreException.class)
                .hasMessage("test failed (SQLITE_READONLY)");
    }

    @Test
    void aWriteThatFailsTakesNoOtherAlong() throws Exception {
        AtomicInteger next = new AtomicInteger();
        List<Boolean> written = Racing.race(100, () -> {
            int revision = next.incrementAndGet();
            try {
                return database.write("test", statements -> {
                    statements.update(INSERT, revision, new byte[0], "ada");
                    if (revision % 2 == 0) {
                        throw new IllegalStateException("changed its mind");
                    }
                    return true;
                });
            } catch (IllegalStateException e) {
                return false;
            }
        });
        assertThat(written).filteredOn(won -> won).hasSize(50);
        assertThat(database.<List<Long>>read(
                        "test",
                        statements -> statements.list(
                                "SELECT revision FROM policy ORDER BY revision", row -> row.number("revision"))))
                .isEqualTo(
                        IntStream.rangeClosed(1, 50).mapToObj(i -> 2L * i - 1).toList());
    }

    @Test
    void aFailureNamesOperationAndStateAndQuotesNothing() {
        database.write("test", statements -> statements.update(INSERT, 1, new byte[0], "ada"));
        assertThatThrownBy(() ->
                        database.write("test", statements -> statements.update(INSERT, 1, new byte[0], "hunter2")))
                .isInstanceOf(StoreException.class)
                .hasMessage("test failed (SQLITE_CONSTRAINT_PRIMARYKEY)")
                .hasNoCause();
    }

    @Test
    void aStatementThatFailedWorksAgainOnceItCan() {
        String sql = "INSERT INTO later (one) VALUES (?)";
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> database.write("test", statements -> statements.update(sql, 1)))
                    .isInstanceOf(StoreException.class);
        }
        database.write("test", statements -> statements.update("CREATE TABLE later (one INTEGER)"));
        assertThat(database.<Integer>write("test", statements -> statements.update(sql, 1)))
                .isEqualTo(1);
    }

    @Test
    void anInterruptedCallerStillLearnsWhatBecameOfItsWrite() {
        Thread.currentThread().interrupt();
        assertThat(database.<Integer>write("test", statements -> statements.update(INSERT, 1, new byte[0], "ada")))
                .isEqualTo(1);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aCallerReadsWhatItWrote() throws Exception {
        AtomicInteger next = new AtomicInteger();
        assertThat(Racing.race(64, () -> {
                    int revision = next.incrementAndGet();
                    database.writeAhead("test", statements -> statements.update(INSERT, revision, new byte[0], "ada"));
                    return database.<Long>read(
                            "test",
                            statements ->
                                    statements.number("SELECT count(*) FROM policy WHERE revision = ?", revision));
                }))
                .containsOnly(1L);
    }

    @Test
    void everythingAskedForIsWrittenBeforeTheEnd() {
        for (int i = 1; i <= 500; i++) {
            int revision = i;
            var _ = database.writeLater("test", statements -> statements.update(INSERT, revision, new byte[0], "ada"));
        }
        close();
        assertThatThrownBy(() -> database.write("test", statements -> true))
                .isInstanceOf(StoreException.class)
                .hasMessage("test failed (closed)");
        assertThatThrownBy(() -> database.read("test", statements -> true)).isInstanceOf(StoreException.class);
        open();
        assertThat(repositories.policy().current().revision()).isEqualTo(500);
    }

    @Test
    void virtualThreadsGoOnWhileTheDatabaseWorks() throws Exception {
        // More blocking callers than carriers: if one held its carrier, this would not end.
        int callers = 8 * Runtime.getRuntime().availableProcessors();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var started = new CountDownLatch(1);
            var writing = threads.submit(() -> database.write("test", statements -> {
                try {
                    return started.await(1, TimeUnit.MINUTES);
                } catch (InterruptedException e) {
                    return false;
                }
            }));
            for (int i = 0; i < callers; i++) {
                var _ = threads.submit(() -> database.write("test", statements -> true));
            }
            threads.submit(started::countDown).get();
            assertThat(writing.get()).isTrue();
        }
    }
}
