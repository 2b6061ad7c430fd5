package dev.postern.store.sql;

import dev.postern.store.crypto.KeyRing;
import dev.postern.store.crypto.RecordKey;
import dev.postern.store.crypto.SealException;
import dev.postern.store.crypto.SigningKey;
import dev.postern.store.crypto.WrappedKey;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;

/** The key that signs the ledger, at rest: the private half sealed under the vault's keys, the public one in the clear. */
public final class SigningKeys {
    private static final String RECORD = "ledger-key";
    private static final String FIELD = "private-key";

    private static final String NEWEST = "SELECT * FROM ledger_key ORDER BY created_at DESC, id LIMIT 1";
    private static final String BEHIND = "SELECT * FROM ledger_key WHERE key_version < ?";
    private static final String INSERT = """
            INSERT INTO ledger_key (id, public_key, key_version, wrapped_key, private_key, created_at)
            VALUES (?, ?, ?, ?, ?, ?)""";
    private static final String REWRAP = "UPDATE ledger_key SET key_version = ?, wrapped_key = ? WHERE id = ?";
    private static final String PUBLIC = "SELECT public_key FROM ledger_key WHERE id = ?";

    private final KeyRing ring;
    private final InstantSource clock;

    SigningKeys(KeyRing ring, InstantSource clock) {
        this.ring = ring;
        this.clock = clock;
    }

    private record Sealed(String id, byte[] publicKey, WrappedKey key, byte[] privateKey) {
        static Sealed of(Row row) throws SQLException {
            return new Sealed(
                    row.text("id"),
                    row.bytes("public_key"),
                    new WrappedKey(row.number("key_version"), row.bytes("wrapped_key")),
                    row.bytes("private_key"));
        }
    }

    /**
     * The key that signs, made if there is none yet.
     *
     * @throws SealException if it does not open, or its public half was exchanged
     */
    public SigningKey current(Statements statements) throws SQLException {
        Optional<Sealed> stored = statements.first(NEWEST, Sealed::of);
        return stored.isPresent() ? open(stored.get()) : create(statements);
    }

    /** The public key of that id. */
    public static Optional<byte[]> publicKey(Statements statements, String id) throws SQLException {
        return statements.first(PUBLIC, row -> row.bytes("public_key"), id);
    }

    private SigningKey open(Sealed sealed) {
        try (RecordKey key = ring.unwrap(sealed.key(), SqlVault.TENANT, RECORD, 1)) {
            byte[] privateKey = key.open(FIELD, sealed.privateKey());
            try {
                return SigningKey.of(privateKey, sealed.publicKey());
            } finally {
                Arrays.fill(privateKey, (byte) 0);
            }
        }
    }

    private SigningKey create(Statements statements) throws SQLException {
        SigningKey made = SigningKey.generate();
        byte[] privateKey = made.privateKey();
        try (RecordKey key = ring.newRecordKey(SqlVault.TENANT, RECORD, 1)) {
            WrappedKey wrapped = ring.wrap(key);
            statements.update(
                    INSERT,
                    made.id(),
                    made.publicKey(),
                    wrapped.keyVersion(),
                    wrapped.bytes(),
                    key.seal(FIELD, privateKey),
                    clock.instant());
        } finally {
            Arrays.fill(privateKey, (byte) 0);
        }
        return made;
    }

    /** Wraps by the newest key-encryption key what an earlier one still wraps. */
    static void rewrap(Statements statements, KeyRing ring) throws SQLException {
        for (Sealed row : statements.list(BEHIND, Sealed::of, ring.newest())) {
            try (RecordKey key = ring.unwrap(row.key(), SqlVault.TENANT, RECORD, 1)) {
                WrappedKey wrapped = ring.wrap(key);
                statements.update(REWRAP, wrapped.keyVersion(), wrapped.bytes(), row.id());
            } catch (SealException e) {
                // Changed by somebody; its old key stays with it.
            }
        }
    }
}
