package dev.postern.store.ledger;

import dev.postern.gate.ledger.Ledger;
import dev.postern.store.file.DataDirectory;
import dev.postern.store.sql.SqliteDatabase;
import java.nio.file.Path;

/**
 * The ledger of a data directory that no gateway runs on, for an entry of the command line's. Holds the directory until it is
 * closed, which should be soon. Needs no key, and recovers nothing: an intent that is still open stays open.
 */
public final class LedgerAppender implements AutoCloseable {
    private final DataDirectory directory;
    private final SqliteDatabase database;

    private LedgerAppender(DataDirectory directory, SqliteDatabase database) {
        this.directory = directory;
        this.database = database;
    }

    /**
     * Takes the directory and opens its ledger.
     *
     * @throws dev.postern.store.file.DataDirectoryException if another process holds the directory
     * @throws dev.postern.store.sql.StoreException with a sentence, if there is no database or it cannot be written
     */
    public static LedgerAppender open(Path dataDirectory) {
        DataDirectory directory = DataDirectory.open(dataDirectory);
        try {
            return new LedgerAppender(directory, SqliteDatabase.openExisting(directory.databaseFile()));
        } catch (RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    /** Where to write. */
    public Ledger ledger() {
        return new SqlLedger(database);
    }

    @Override
    public void close() {
        database.close();
        directory.close();
    }
}
