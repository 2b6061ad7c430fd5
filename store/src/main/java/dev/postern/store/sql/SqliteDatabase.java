package dev.postern.store.sql;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One SQLite file. One thread writes, two read; each has its own connection, and all are platform threads, because SQLite
 * waiting for a lock or the disk would otherwise hold the carriers that every virtual thread needs.
 *
 * <p><b>Group commit.</b> A write is durable once the disk says so, and that costs more than everything else. So the
 * writer takes all writes that have gathered while it was busy, runs each inside a savepoint of one transaction, and
 * commits them with one flush. A write that fails is rolled back to its savepoint alone; if the commit fails, all of
 * them do. Under load the number of flushes stays the disk's, whatever the number of callers; a lone caller
 * pays one flush and no waiting.
 *
 * <p>Readers see a committed write at once (WAL), so a thread always reads what it wrote.
 */
public final class SqliteDatabase implements Database {
    private static final int READERS = 2;
    private static final int LARGEST_GROUP = 256;
    private static final Write<?> END = new Write<>("end", statements -> "", false);

    private final SqliteFile file;
    private final Statements writer;
    private final LinkedBlockingQueue<Write<?>> asked = new LinkedBlockingQueue<>();
    private final Thread writerThread;
    private final ExecutorService readers;
    private final ConcurrentLinkedDeque<Statements> idleReaders = new ConcurrentLinkedDeque<>();
    private boolean closed;

    /** Of the writer's connection; used by its thread alone. */
    private boolean flushing = true;

    /** Takes over the connection, which nobody else may use any more. */
    SqliteDatabase(SqliteFile file, Connection writer) {
        this.file = file;
        this.writer = new Statements(writer);
        this.writerThread = Thread.ofPlatform().name("postern-store-writer").start(this::writeUntilClosed);
        this.readers = Executors.newFixedThreadPool(
                READERS,
                Thread.ofPlatform().daemon().name("postern-store-reader-", 0).factory());
    }

    /**
     * Opens a file that is there and of this program's schema, for writing. The caller holds the data directory.
     *
     * @throws StoreException with a sentence, if it is not, or cannot be used
     */
    public static SqliteDatabase openExisting(Path path) {
        SqliteFile file = new SqliteFile(path);
        if (!file.exists()) {
            throw StoreException.sentence("There is no database " + path + ".");
        }
        Connection connection = file.open();
        try {
            Migrations.requireCurrent(connection, path);
            return new SqliteDatabase(file, connection);
        } catch (SQLException e) {
            SqliteFile.closeQuietly(connection);
            throw file.explained(e);
        } catch (RuntimeException e) {
            SqliteFile.closeQuietly(connection);
            throw e;
        }
    }

    @Override
    public <T> T read(String operation, Work<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            readers.execute(() -> {
                try {
                    result.complete(readOnIdle(work));
                } catch (SQLException e) {
                    result.completeExceptionally(StoreException.during(operation, e));
                } catch (RuntimeException | Error e) {
                    result.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            throw StoreException.during(operation, "closed");
        }
        return join(result);
    }

    @Override
    public <T> T write(String operation, Work<T> work) {
        return join(writeLater(operation, work));
    }

    @Override
    public <T> T writeAhead(String operation, Work<T> work) {
        return join(ask(new Write<>(operation, work, false)));
    }

    @Override
    public <T> CompletableFuture<T> writeLater(String operation, Work<T> work) {
        return ask(new Write<>(operation, work, true));
    }

    private <T> CompletableFuture<T> ask(Write<T> write) {
        synchronized (asked) {
            if (closed) {
                write.fail(StoreException.during(write.operation, "closed"));
            } else {
                asked.add(write);
            }
        }
        return write.result;
    }

    /** Waits whatever happens to the thread: a write that was asked for either is on the disk or is not. */
    private static <T> T join(CompletableFuture<T> result) {
        try {
            return result.join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw e;
            }
        }
    }

    private <T> T readOnIdle(Work<T> work) throws SQLException {
        Statements statements = idleReaders.poll();
        if (statements == null) {
            statements = new Statements(file.connect(true));
        }
        try {
            return work.run(statements);
        } finally {
            idleReaders.push(statements);
        }
    }

    private void writeUntilClosed() {
        List<Write<?>> group = new ArrayList<>();
        boolean more = true;
        while (more) {
            group.clear();
            try {
                group.add(asked.take());
            } catch (InterruptedException e) {
                continue; // Nobody has a reason to interrupt this thread; the end comes as a write.
            }
            asked.drainTo(group, LARGEST_GROUP - 1);
            more = !group.remove(END);
            if (!group.isEmpty()) {
                writeGroup(group);
            }
        }
    }

    private void writeGroup(List<Write<?>> group) {
        List<Write<?>> written = new ArrayList<>(group.size());
        try {
            flush(group.stream().anyMatch(write -> write.flushed));
            writer.update("BEGIN IMMEDIATE");
            for (Write<?> write : group) {
                if (runInSavepoint(write)) {
                    written.add(write);
                }
            }
            writer.update("COMMIT");
        } catch (SQLException e) {
            rollBack();
            for (Write<?> write : group.reversed()) {
                write.fail(StoreException.during(write.operation, e));
            }
            return;
        }
        written.forEach(Write::succeed);
    }

    /** Whether the next commit waits for the disk. What was committed before it is in the same journal, and goes with it. */
    private void flush(boolean wanted) throws SQLException {
        if (wanted != flushing) {
            writer.execute("PRAGMA synchronous = " + (wanted ? "FULL" : "NORMAL"));
            flushing = wanted;
        }
    }

    /** False if the write failed alone; an exception if the whole transaction is lost with it. */
    private boolean runInSavepoint(Write<?> write) throws SQLException {
        writer.update("SAVEPOINT one");
        try {
            write.run(writer);
            writer.update("RELEASE one");
            return true;
        } catch (SQLException e) {
            try {
                undo();
            } catch (SQLException gone) {
                e.addSuppressed(gone);
                throw e; // SQLite has rolled back by itself, as it does when the disk is full.
            }
            write.fail(StoreException.during(write.operation, e));
        } catch (RuntimeException | Error e) {
            undo();
            write.fail(e);
        }
        return false;
    }

    private void undo() throws SQLException {
        writer.update("ROLLBACK TO one");
        writer.update("RELEASE one");
    }

    private void rollBack() {
        try {
            writer.update("ROLLBACK");
        } catch (SQLException e) {
            // SQLite has rolled back by itself, as it does when the disk is full.
        }
    }

    @Override
    public void close() {
        synchronized (asked) {
            if (closed) {
                return;
            }
            closed = true;
            asked.add(END);
        }
        readers.close();
        boolean interrupted = false;
        while (writerThread.isAlive()) {
            try {
                writerThread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        idleReaders.forEach(Statements::close);
        writer.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A write that somebody waits for. */
    private static final class Write<T> {
        private final String operation;
        private final Work<T> work;
        private final boolean flushed;
        private final CompletableFuture<T> result = new CompletableFuture<>();
        private @Nullable T value;

        Write(String operation, Work<T> work, boolean flushed) {
            this.operation = operation;
            this.work = work;
            this.flushed = flushed;
        }

        void run(Statements statements) throws SQLException {
            value = work.run(statements);
        }

        void succeed() {
            if (!result.isDone()) {
                work.settled(true);
                result.complete(value);
            }
        }

        void fail(Throwable failure) {
            if (!result.isDone()) {
                work.settled(false);
                result.completeExceptionally(failure);
            }
        }
    }
}
