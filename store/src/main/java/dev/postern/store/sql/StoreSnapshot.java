package dev.postern.store.sql;

import dev.postern.gate.vault.Vault;
import dev.postern.store.crypto.KeyException;
import dev.postern.store.crypto.KeyRing;
import dev.postern.store.crypto.KeySource;
import dev.postern.store.file.DataDirectory;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.function.Function;

/**
 * The vault and the kill switch as they stand at one moment, for a command of the operator's own. Read beside the process that
 * holds the data directory, or without one; nothing is written and nothing is locked.
 *
 * @param vault opens values while the work runs, and not after it
 * @param killed whether the kill switch stops everything (A3)
 */
public record StoreSnapshot(Vault vault, boolean killed) {
    /**
     * Reads, and wipes the vault's keys when the work is done.
     *
     * @param work must not keep the vault
     * @throws StoreException with a sentence, if there is no database, or it is damaged
     * @throws KeyException with a sentence, if the key is missing or is another's
     */
    public static <T> T read(Path directory, KeySource source, Function<StoreSnapshot, T> work) {
        try {
            return readOnce(directory, source, work);
        } catch (KeyException e) {
            // Keys may be replaced between the look at the database and the one at the key file.
            return readOnce(directory, source, work);
        }
    }

    private static <T> T readOnce(Path directory, KeySource source, Function<StoreSnapshot, T> work) {
        Path file = DataDirectory.databaseIn(directory);
        try (ReadOnlyDatabase database = ReadOnlyDatabase.open(file)) {
            return database.snapshot("vault.read", statements -> {
                try (KeyRing keys = VaultKeys.unlock(statements, directory, DataDirectory.keyIn(directory), source)) {
                    ReadableDatabase here = new ReadableDatabase() {
                        @Override
                        public <R> R read(String operation, Database.Work<R> reading) {
                            try {
                                return reading.run(statements);
                            } catch (SQLException e) {
                                throw StoreException.during(operation, e);
                            }
                        }
                    };
                    return work.apply(new StoreSnapshot(new SqlVault(here, keys), SqlKills.stopsAll(statements)));
                }
            });
        }
    }
}
