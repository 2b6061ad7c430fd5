package dev.postern.store.sql;

import dev.postern.store.crypto.KeyRing;
import dev.postern.store.crypto.KeySource;
import dev.postern.store.file.DataDirectory;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;

/**
 * Opening a data directory's database: first a look at it through a read-only connection, which cannot even fold the
 * journal into the file; only if the schema is known and the key is right, the connection that writes.
 */
record Opening(SqliteDatabase database, KeyRing keys) {
    static Opening of(DataDirectory directory, KeySource source, InstantSource clock) {
        NativeLibrary.prepare(directory.path());
        SqliteFile file = new SqliteFile(directory.databaseFile());
        KeyRing keys = file.exists() ? inspect(file, directory, source) : new KeyRing();
        Connection connection = file.open();
        try {
            Migrations.apply(connection, Migrations.versionOf(connection));
            if (keys.newest() == 0) {
                keys = VaultKeys.create(connection, directory, source, clock);
            }
            return new Opening(new SqliteDatabase(file, connection), keys);
        } catch (SQLException e) {
            SqliteFile.closeQuietly(connection);
            throw file.explained(e);
        } catch (RuntimeException e) {
            SqliteFile.closeQuietly(connection);
            throw e;
        }
    }

    /** The unlocked keys; none if the file was made by a start that did not come as far as making them. */
    private static KeyRing inspect(SqliteFile file, DataDirectory directory, KeySource source) {
        Connection connection = file.openReadOnly();
        try {
            int version = Migrations.versionOf(connection);
            if (version > Migrations.current()) {
                throw StoreException.sentence("The database " + directory.databaseFile()
                        + " was written by a newer Postern (schema " + version + "; this one knows "
                        + Migrations.current() + "). Nothing was changed.");
            }
            return version > 0 && VaultKeys.present(connection)
                    ? VaultKeys.unlock(connection, directory, source)
                    : new KeyRing();
        } catch (SQLException e) {
            throw file.explained(e);
        } finally {
            SqliteFile.closeQuietly(connection);
        }
    }
}
