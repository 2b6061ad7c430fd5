package dev.postern.store.sql;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;

/**
 * Where rows are kept. Calls come from any thread, virtual ones too, and block it; the work itself runs on a thread of
 * the database's own, so it must be short and must not wait for anything.
 */
public interface Database extends ReadableDatabase, AutoCloseable {
    /** {@inheritDoc} Sees every write that has returned. */
    @Override
    <T> T read(String operation, Work<T> work);

    /**
     * Writes, all or nothing, and returns when it is on the disk. Writes happen one after the other, in the order they were
     * asked for.
     *
     * @throws StoreException if it failed; then nothing of it is left
     */
    <T> T write(String operation, Work<T> work);

    /**
     * As {@link #write}, but returns once it is committed: a crash of this process leaves it, a power cut may take it back.
     * It is on the disk when a later {@link #write} has returned. For a step that nothing may follow but such a write.
     */
    <T> T writeAhead(String operation, Work<T> work);

    /** As {@link #write}, without waiting. The future fails with a {@link StoreException}. */
    <T> CompletableFuture<T> writeLater(String operation, Work<T> work);

    /** Finishes the writes that were asked for, and closes. */
    @Override
    void close();

    /** Statements that belong together. An unchecked exception from it reaches the caller, and nothing is written. */
    @FunctionalInterface
    interface Work<T> {
        T run(Statements statements) throws SQLException;

        /**
         * Called once after a write was asked for, on the database's thread, before whoever waits for it goes on; of writes
         * that are lost together, from the last to the first. For work that takes from a queue of its own and has to
         * put back what was not written.
         */
        default void settled(boolean committed) {}
    }
}
