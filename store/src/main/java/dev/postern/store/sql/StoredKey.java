package dev.postern.store.sql;

import dev.postern.store.crypto.KeyDerivation;
import dev.postern.store.crypto.KeySource;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A key-encryption key as a row, and the row that says which root key wraps it. */
record StoredKey(long version, byte[] wrapped) {
    private static final String ALL = "SELECT version, wrapped FROM key_encryption_key ORDER BY version DESC";
    private static final String INSERT =
            "INSERT INTO key_encryption_key (version, wrapped, created_at) VALUES (?, ?, ?)";
    private static final String UPDATE = "UPDATE key_encryption_key SET wrapped = ? WHERE version = ?";
    private static final String DROP_UNUSED = """
            DELETE FROM key_encryption_key WHERE version < ?
            AND NOT EXISTS (SELECT 1 FROM secret_version WHERE key_version = key_encryption_key.version)
            AND NOT EXISTS (SELECT 1 FROM ledger_key WHERE key_version = key_encryption_key.version)
            AND NOT EXISTS (SELECT 1 FROM one_time_link WHERE key_version = key_encryption_key.version)
            AND NOT EXISTS (SELECT 1 FROM server_login WHERE key_version = key_encryption_key.version)""";
    private static final String TRACE = "SELECT * FROM root_key WHERE id = 1";
    private static final String REMEMBER = """
            INSERT INTO root_key (id, kind, salt, memory_kibibytes, iterations, lanes) VALUES (1, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, salt = excluded.salt,
                memory_kibibytes = excluded.memory_kibibytes, iterations = excluded.iterations, lanes = excluded.lanes""";

    /** The newest first. */
    static List<StoredKey> list(Statements statements) throws SQLException {
        return statements.list(ALL, row -> new StoredKey(row.number("version"), row.bytes("wrapped")));
    }

    void insert(Statements statements, Instant now) throws SQLException {
        statements.update(INSERT, version, wrapped, now);
    }

    void update(Statements statements) throws SQLException {
        statements.update(UPDATE, wrapped, version);
    }

    static void dropUnused(Statements statements, long before) throws SQLException {
        statements.update(DROP_UNUSED, before);
    }

    static Optional<KeySource.Trace> trace(Statements statements) throws SQLException {
        return statements.first(TRACE, row -> {
            byte[] salt = row.bytesOrNull("salt");
            return new KeySource.Trace(
                    KeySource.Kind.valueOf(row.text("kind")),
                    salt == null
                            ? null
                            : new KeyDerivation(
                                    salt, (int) row.number("memory_kibibytes"), (int) row.number("iterations"), (int)
                                            row.number("lanes")));
        });
    }

    static void remember(Statements statements, KeySource.Trace trace) throws SQLException {
        KeyDerivation derivation = trace.derivation();
        if (derivation == null) {
            statements.update(REMEMBER, trace.kind().name(), null, null, null, null);
        } else {
            statements.update(
                    REMEMBER,
                    trace.kind().name(),
                    derivation.salt(),
                    derivation.memoryKibibytes(),
                    derivation.iterations(),
                    derivation.lanes());
        }
    }

    @Override
    public String toString() {
        return "StoredKey[version=" + version + "]";
    }
}
