package dev.postern.store.sql;

/** Rows that can be read. */
@FunctionalInterface
public interface ReadableDatabase {
    /**
     * Reads.
     *
     * @param operation names the work in failures, such as {@code vault.find}
     * @throws StoreException if it failed
     */
    <T> T read(String operation, Database.Work<T> work);
}
