package dev.postern.store.sql;

import dev.postern.reference.Field;
import dev.postern.store.crypto.KeyException;
import dev.postern.store.crypto.KeyRing;
import dev.postern.store.crypto.KeySource;
import dev.postern.store.crypto.RecordKey;
import dev.postern.store.crypto.RootKey;
import dev.postern.store.crypto.SealException;
import dev.postern.store.crypto.WrappedKey;
import dev.postern.store.file.DataDirectory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The vault's keys at rest: unlocking them at the start, replacing them while the vault is in use, and checking that
 * everything opens (V2). Opening a stored key-encryption key is the check that the operator's key is the right one, and
 * happens before anything is written.
 */
public final class VaultKeys {
    private static final int ROWS_A_TRANSACTION = 200;

    private static final String BEHIND = """
            SELECT * FROM secret_version WHERE key_version < ? AND (secret_id, version) > (?, ?)
            ORDER BY secret_id, version LIMIT ?""";
    private static final String REWRAP =
            "UPDATE secret_version SET key_version = ?, wrapped_key = ? WHERE secret_id = ? AND version = ?";
    private static final String AFTER = """
            SELECT * FROM secret_version WHERE (secret_id, version) > (?, ?)
            ORDER BY secret_id, version LIMIT ?""";

    private final Database database;
    private final DataDirectory directory;
    private final KeySource source;
    private final KeyRing ring;
    private final OperatorLog log;
    private final InstantSource clock;

    VaultKeys(
            Database database,
            DataDirectory directory,
            KeySource source,
            KeyRing ring,
            OperatorLog log,
            InstantSource clock) {
        this.database = database;
        this.directory = directory;
        this.source = source;
        this.ring = ring;
        this.log = log;
        this.clock = clock;
    }

    /**
     * What a check found.
     *
     * @param opened versions of secrets of which every field opens
     * @param broken ids of secrets with a version that does not open, without repetition
     */
    public record Check(long opened, List<String> broken) {}

    /**
     * Unlocks the keys of a vault that has some. Writes nothing.
     *
     * @throws KeyException with a sentence, if the source's key is missing or is not the one of this vault
     */
    static KeyRing unlock(Connection connection, DataDirectory directory, KeySource source) throws SQLException {
        Statements statements = new Statements(connection);
        KeyRing ring = unlock(statements, directory.path(), directory.keyFile(), source);
        StoredKey newest = StoredKey.list(statements).getFirst();
        source.settleIfNext(directory, key -> key.opens(newest.version(), newest.wrapped()));
        return ring;
    }

    /** As {@link #unlock(Connection, DataDirectory, KeySource)}, of a directory that another process may hold. */
    static KeyRing unlock(Statements statements, Path directory, Path keyFile, KeySource source) throws SQLException {
        List<StoredKey> keys = StoredKey.list(statements);
        Optional<KeySource.Trace> trace = StoredKey.trace(statements);
        if (keys.isEmpty() || trace.isEmpty()) {
            throw StoreException.sentence("The database in " + directory + " holds no vault keys.");
        }
        if (trace.get().kind() != source.kind()) {
            throw new KeyException("The vault in " + directory + " is opened by "
                    + named(trace.get().kind()) + ", not by " + named(source.kind()) + ". Nothing was changed.");
        }
        StoredKey newest = keys.getFirst();
        RootKey root = source.find(keyFile, trace.get(), key -> key.opens(newest.version(), newest.wrapped()));
        if (root == null) {
            throw new KeyException("The key does not open the vault in " + directory
                    + ": it was made with another one. Nothing was changed.");
        }
        try (root) {
            KeyRing ring = new KeyRing();
            keys.forEach(key -> ring.add(root, key.version(), key.wrapped()));
            return ring;
        }
    }

    /** Makes the keys of a new vault. */
    static KeyRing create(Connection connection, DataDirectory directory, KeySource source, InstantSource clock)
            throws SQLException {
        KeySource.Made made = source.create(directory);
        try (RootKey root = made.key()) {
            Statements statements = new Statements(connection);
            byte[] wrapped = KeyRing.generate(root, 1);
            statements.update("BEGIN IMMEDIATE");
            StoredKey.remember(statements, made.trace());
            new StoredKey(1, wrapped).insert(statements, clock.instant());
            statements.update("COMMIT");
            KeyRing ring = new KeyRing();
            ring.add(root, 1, wrapped);
            return ring;
        }
    }

    static boolean present(Connection connection) throws SQLException {
        return new Statements(connection).number("SELECT count(*) FROM key_encryption_key") > 0;
    }

    /**
     * Replaces the keys while the vault is in use: a new key-encryption key under a new root key, then every data key
     * rewrapped, then the old ones deleted. With a key file the file is replaced; with a given key or a passphrase the
     * root key stays what it is (see {@link #rotate(KeySource, String)}).
     *
     * @return how many data keys were rewrapped
     */
    public long rotate(String actor) {
        return rotate(source, actor);
    }

    /**
     * As {@link #rotate(String)}, with the root key of another source from now on, such as a new {@code POSTERN_KEY}. A
     * crash on the way leaves a vault that one of the two sources opens, and {@link #finish} does the rest.
     */
    public synchronized long rotate(KeySource next, String actor) {
        KeySource.Made made = next.createNext(directory);
        long version = ring.newest() + 1;
        try (RootKey root = made.key()) {
            byte[] wrapped = KeyRing.generate(root, version);
            database.write("vault.rotate-key", statements -> {
                for (StoredKey key : StoredKey.list(statements)) {
                    new StoredKey(key.version(), ring.rewrap(root, key.version())).update(statements);
                }
                new StoredKey(version, wrapped).insert(statements, clock.instant());
                StoredKey.remember(statements, made.trace());
                log.record(statements, actor, "vault.rotate-key", "version " + version);
                return true;
            });
            ring.add(root, version, wrapped);
        }
        next.settle(directory);
        return finish();
    }

    /** {@link #finish}, where a rotation was cut short. */
    void finishIfBehind() {
        if (database.read("vault.keys", StoredKey::list).size() > 1) {
            finish();
        }
    }

    /**
     * Rewraps what is still wrapped by an earlier key-encryption key, and deletes those that wrap nothing any more. A row
     * that does not open stays as it is, for {@link #check}.
     */
    long finish() {
        long newest = ring.newest();
        long rewrapped = 0;
        Cursor at = Cursor.START;
        while (true) {
            Cursor from = at;
            List<SqlVault.Sealed> behind = database.write("vault.rewrap", statements -> {
                List<SqlVault.Sealed> rows = statements.list(
                        BEHIND, SqlVault.Sealed::of, newest, from.secret(), from.version(), ROWS_A_TRANSACTION);
                for (SqlVault.Sealed row : rows) {
                    rewrap(statements, row);
                }
                if (rows.isEmpty()) {
                    SigningKeys.rewrap(statements, ring);
                    SqlLinks.rewrap(statements, ring);
                    SqlServerLogins.rewrap(statements, ring);
                    StoredKey.dropUnused(statements, newest);
                }
                return rows;
            });
            if (behind.isEmpty()) {
                return rewrapped;
            }
            rewrapped += behind.size();
            at = Cursor.after(behind);
        }
    }

    private void rewrap(Statements statements, SqlVault.Sealed row) throws SQLException {
        try (RecordKey key = ring.unwrap(row.key(), SqlVault.TENANT, row.secret(), row.version())) {
            WrappedKey wrapped = ring.wrap(key);
            statements.update(REWRAP, wrapped.keyVersion(), wrapped.bytes(), row.secret(), row.version());
        } catch (SealException e) {
            // Changed or moved by somebody; its old key stays with it.
        }
    }

    /** Opens every field of every version, and says which secrets do not open. Values are wiped at once. */
    public Check check() {
        long opened = 0;
        List<String> broken = new ArrayList<>();
        Cursor at = Cursor.START;
        while (true) {
            Cursor from = at;
            List<SqlVault.Sealed> rows = database.read(
                    "vault.check",
                    statements -> statements.list(
                            AFTER, SqlVault.Sealed::of, from.secret(), from.version(), ROWS_A_TRANSACTION));
            if (rows.isEmpty()) {
                return new Check(opened, List.copyOf(broken));
            }
            for (SqlVault.Sealed row : rows) {
                if (opens(row)) {
                    opened++;
                } else if (!broken.contains(row.secret())) {
                    broken.add(row.secret());
                }
            }
            at = Cursor.after(rows);
        }
    }

    private boolean opens(SqlVault.Sealed row) {
        try (RecordKey key = ring.unwrap(row.key(), SqlVault.TENANT, row.secret(), row.version())) {
            Arrays.fill(key.open(Field.PASSWORD.label(), row.password()), (byte) 0);
            byte[] notes = row.notes();
            if (notes != null) {
                Arrays.fill(key.open(Field.NOTES.label(), notes), (byte) 0);
            }
            return true;
        } catch (SealException e) {
            return false;
        }
    }

    /** The last row of a batch. */
    private record Cursor(String secret, long version) {
        static final Cursor START = new Cursor("", 0);

        static Cursor after(List<SqlVault.Sealed> rows) {
            return new Cursor(rows.getLast().secret(), rows.getLast().version());
        }
    }

    private static String named(KeySource.Kind kind) {
        return switch (kind) {
            case GIVEN -> "a key in " + KeySource.ENVIRONMENT_VARIABLE;
            case FILE -> "a key file";
            case PASSPHRASE -> "a passphrase";
        };
    }
}
