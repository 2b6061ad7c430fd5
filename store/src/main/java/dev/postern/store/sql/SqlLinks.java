package dev.postern.store.sql;

import dev.postern.gate.call.CallId;
import dev.postern.gate.link.LinkOrigin;
import dev.postern.gate.link.LinkStore;
import dev.postern.gate.link.LinkToken;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import dev.postern.store.crypto.KeyRing;
import dev.postern.store.crypto.RecordKey;
import dev.postern.store.crypto.SealException;
import dev.postern.store.crypto.TokenKey;
import dev.postern.store.crypto.WrappedKey;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Values behind one-time links, as rows (O3). A row knows its token's SHA-256 only; the value in it is sealed twice, under a
 * key derived from the token and under a data key of its own in the vault's envelope, bound to its row. So a spent or expired
 * value is gone for good even where a journal or a backup still holds its bytes: nobody has the token.
 *
 * <p>Taking one is a conditional DELETE that returns what it deleted, and opening that is a part of the same
 * transaction: a value that does not open is not taken, and of any number of claims one gets it. Whoever has no live link is
 * told so by a read, whatever the reason, so that all misses take the same way.
 */
public final class SqlLinks implements LinkStore {
    /** More values than these do not wait at a time. */
    static final int MAX_WAITING = 10_000;

    private static final String FIELD = "link";
    private static final String PURPOSE = "postern/link/1";

    private static final String WAITING = "SELECT count(*) FROM one_time_link WHERE expires_at > ?";
    private static final String INSERT = """
            INSERT INTO one_time_link (token_hash, key_version, wrapped_key, value, call_id, agent, user_name, approver,
                placeholder, secret_ref, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";
    private static final String IS_LIVE = "SELECT count(*) FROM one_time_link WHERE token_hash = ? AND expires_at > ?";
    private static final String CLAIM = "DELETE FROM one_time_link WHERE token_hash = ? AND expires_at > ? RETURNING *";
    private static final String EXPIRED = "SELECT count(*) FROM one_time_link WHERE expires_at <= ?";
    private static final String PURGE = "DELETE FROM one_time_link WHERE expires_at <= ?";
    private static final String BEHIND = "SELECT * FROM one_time_link WHERE key_version < ?";
    private static final String REWRAP =
            "UPDATE one_time_link SET key_version = ?, wrapped_key = ? WHERE token_hash = ?";

    private final Database database;
    private final KeyRing keys;
    private final InstantSource clock;

    SqlLinks(Database database, KeyRing keys, InstantSource clock) {
        this.database = database;
        this.keys = keys;
        this.clock = clock;
    }

    @Override
    public boolean add(LinkToken token, SecretValue value, LinkOrigin origin, Instant expires) {
        byte[] hash = token.hash();
        byte[] sealed = sealed(token, value);
        return using(() -> database.write("link.add", statements -> {
            if (statements.number(WAITING, clock.instant()) >= MAX_WAITING) {
                return false;
            }
            try (RecordKey key = keys.newRecordKey(SqlVault.TENANT, record(hash), 1)) {
                WrappedKey wrapped = keys.wrap(key);
                statements.update(
                        INSERT,
                        hash,
                        wrapped.keyVersion(),
                        wrapped.bytes(),
                        key.seal(FIELD, sealed),
                        origin.call().value(),
                        origin.agent(),
                        origin.user(),
                        origin.approver(),
                        origin.placeholder(),
                        origin.secretRef(),
                        expires);
            }
            return true;
        }));
    }

    /** {@inheritDoc} Committed, and on the disk with the ledger's intent that has to follow before anything leaves (L3). */
    @Override
    public Optional<Claimed> claim(LinkToken token) {
        byte[] hash = token.hash();
        Instant now = clock.instant();
        return using(() -> {
            if (database.read("link.live", statements -> statements.number(IS_LIVE, hash, now)) == 0) {
                return Optional.empty();
            }
            return database.writeAhead(
                    "link.claim", statements -> statements.first(CLAIM, row -> open(row, token), hash, now));
        });
    }

    /** Deletes what has expired. The store calls it by itself, more than once a minute. */
    void purge() {
        Instant now = clock.instant();
        if (database.read("link.expired", statements -> statements.number(EXPIRED, now)) > 0) {
            database.write("link.purge", statements -> statements.update(PURGE, now));
        }
    }

    /** Wraps the data keys of waiting values by the newest key-encryption key, in the transaction that rotates it (V2). */
    static void rewrap(Statements statements, KeyRing keys) throws SQLException {
        for (Sealed row : statements.list(BEHIND, Sealed::of, keys.newest())) {
            try (RecordKey key = keys.unwrap(row.key, SqlVault.TENANT, record(row.hash), 1)) {
                WrappedKey wrapped = keys.wrap(key);
                statements.update(REWRAP, wrapped.keyVersion(), wrapped.bytes(), row.hash);
            } catch (SealException e) {
                // Changed or moved by somebody: it stays as it is and expires.
            }
        }
    }

    private Claimed open(Row row, LinkToken token) throws SQLException {
        Sealed sealed = Sealed.of(row);
        LinkOrigin origin = new LinkOrigin(
                new CallId(row.text("call_id")),
                row.text("agent"),
                row.text("user_name"),
                row.text("approver"),
                row.text("placeholder"),
                row.textOrNull("secret_ref"));
        byte[] secret = token.bytes();
        try (RecordKey key = keys.unwrap(sealed.key, SqlVault.TENANT, record(sealed.hash), 1);
                TokenKey inner = TokenKey.of(secret, PURPOSE)) {
            byte[] plaintext = inner.open(key.open(FIELD, row.bytes("value")));
            try {
                return new Claimed(new SecretValue(plaintext), origin);
            } finally {
                Arrays.fill(plaintext, (byte) 0);
            }
        } finally {
            Arrays.fill(secret, (byte) 0);
        }
    }

    private static byte[] sealed(LinkToken token, SecretValue value) {
        byte[] secret = token.bytes();
        byte[] plaintext = value.reveal(Reveal.TO_SEAL);
        try (TokenKey inner = TokenKey.of(secret, PURPOSE)) {
            return inner.seal(plaintext);
        } finally {
            Arrays.fill(plaintext, (byte) 0);
            Arrays.fill(secret, (byte) 0);
        }
    }

    private static String record(byte[] hash) {
        return "link/" + HexFormat.of().formatHex(hash);
    }

    private static <T> T using(Supplier<T> work) {
        try {
            return work.get();
        } catch (StoreException e) {
            throw new LinkException(e.getMessage());
        } catch (SealException e) {
            throw new LinkException("the value behind a link does not open: its row was changed or moved");
        }
    }

    private record Sealed(byte[] hash, WrappedKey key) {
        static Sealed of(Row row) throws SQLException {
            return new Sealed(
                    row.bytes("token_hash"), new WrappedKey(row.number("key_version"), row.bytes("wrapped_key")));
        }

        @Override
        public String toString() {
            return "Sealed[hidden]";
        }
    }
}
