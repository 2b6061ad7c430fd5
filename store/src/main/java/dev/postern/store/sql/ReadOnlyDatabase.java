package dev.postern.store.sql;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * A database as it stands, for reading beside the process that writes it, or without one. Needs no key. Calls block the
 * caller; from a virtual thread the work is done on a platform thread, as everything with SQLite. One call at a time.
 */
public final class ReadOnlyDatabase implements AutoCloseable {
    private final Statements statements;

    private ReadOnlyDatabase(Statements statements) {
        this.statements = statements;
    }

    /**
     * Opens a SQLite file.
     *
     * @throws StoreException with a sentence, if there is none, it is damaged, or of another version of the schema
     */
    public static ReadOnlyDatabase open(Path path) {
        return onPlatformThread(() -> {
            SqliteFile file = new SqliteFile(path);
            Connection connection = file.openReadOnly();
            try {
                Migrations.requireCurrent(connection, path);
                return new ReadOnlyDatabase(new Statements(connection));
            } catch (SQLException e) {
                SqliteFile.closeQuietly(connection);
                throw file.explained(e);
            } catch (RuntimeException e) {
                SqliteFile.closeQuietly(connection);
                throw e;
            }
        });
    }

    /**
     * Reads in one transaction: everything it sees is of one moment.
     *
     * @throws StoreException if it failed
     */
    public synchronized <T> T snapshot(String operation, Database.Work<T> work) {
        return onPlatformThread(() -> {
            try {
                statements.update("BEGIN");
                try {
                    return work.run(statements);
                } finally {
                    statements.update("ROLLBACK");
                }
            } catch (SQLException e) {
                throw StoreException.during(operation, e);
            }
        });
    }

    @Override
    public synchronized void close() {
        statements.close();
    }

    private static <T> T onPlatformThread(Supplier<T> work) {
        if (!Thread.currentThread().isVirtual()) {
            return work.get();
        }
        CompletableFuture<T> result = CompletableFuture.supplyAsync(
                work, task -> Thread.ofPlatform().name("postern-store-reading").start(task));
        try {
            return result.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }
}
