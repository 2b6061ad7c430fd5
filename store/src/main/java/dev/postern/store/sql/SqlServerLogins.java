package dev.postern.store.sql;

import dev.postern.gate.vault.ServerLogins;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import dev.postern.store.crypto.KeyRing;
import dev.postern.store.crypto.RecordKey;
import dev.postern.store.crypto.SealException;
import dev.postern.store.crypto.WrappedKey;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logins at servers, a row each, in the vault's envelope and bound to their server's name: so a row under another name does
 * not open, and none is a secret that a reference could name. A replaced one is overwritten. A row that does not open counts
 * as none: signing in again mends it.
 */
final class SqlServerLogins implements ServerLogins {
    private static final Logger LOG = LoggerFactory.getLogger(SqlServerLogins.class);
    private static final String FIELD = "login";

    private static final String FIND = "SELECT * FROM server_login WHERE server = ?";
    private static final String SAVE = """
            INSERT INTO server_login (server, key_version, wrapped_key, login, saved_at)
            VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (server) DO UPDATE SET key_version = excluded.key_version, wrapped_key = excluded.wrapped_key,
                login = excluded.login, saved_at = excluded.saved_at""";
    private static final String REMOVE = "DELETE FROM server_login WHERE server = ?";
    private static final String BEHIND = "SELECT * FROM server_login WHERE key_version < ?";
    private static final String REWRAP = "UPDATE server_login SET key_version = ?, wrapped_key = ? WHERE server = ?";

    private final Database database;
    private final KeyRing keys;
    private final OperatorLog log;
    private final InstantSource clock;

    SqlServerLogins(Database database, KeyRing keys, OperatorLog log, InstantSource clock) {
        this.database = database;
        this.keys = keys;
        this.log = log;
        this.clock = clock;
    }

    @Override
    public Optional<SecretValue> find(String server) {
        Optional<Sealed> row = database.read("login.find", statements -> statements.first(FIND, Sealed::of, server));
        if (row.isEmpty()) {
            return Optional.empty();
        }
        Sealed sealed = row.get();
        try (RecordKey key = keys.unwrap(sealed.key, SqlVault.TENANT, record(server), 1)) {
            byte[] plaintext = key.open(FIELD, sealed.login);
            try {
                return Optional.of(new SecretValue(plaintext));
            } finally {
                Arrays.fill(plaintext, (byte) 0);
            }
        } catch (SealException e) {
            LOG.warn("the login for server '{}' does not open: its row was changed or moved; sign in again", server);
            return Optional.empty();
        }
    }

    @Override
    public void save(String server, SecretValue login) {
        byte[] plaintext = login.reveal(Reveal.TO_SEAL);
        try (RecordKey key = keys.newRecordKey(SqlVault.TENANT, record(server), 1)) {
            WrappedKey wrapped = keys.wrap(key);
            byte[] sealed = key.seal(FIELD, plaintext);
            database.write("login.save", statements -> {
                boolean isNew = statements.first(FIND, Sealed::of, server).isEmpty();
                statements.update(SAVE, server, wrapped.keyVersion(), wrapped.bytes(), sealed, clock.instant());
                if (isNew) {
                    log.record(statements, OperatorLog.OPERATOR, "server.login", server);
                }
                return true;
            });
        } finally {
            Arrays.fill(plaintext, (byte) 0);
        }
    }

    @Override
    public boolean remove(String server) {
        return database.write("login.remove", statements -> {
            boolean removed = statements.update(REMOVE, server) > 0;
            if (removed) {
                log.record(statements, OperatorLog.OPERATOR, "server.logout", server);
            }
            return removed;
        });
    }

    /** Wraps by the newest key-encryption key what an earlier one still wraps. */
    static void rewrap(Statements statements, KeyRing keys) throws SQLException {
        for (Sealed row : statements.list(BEHIND, Sealed::of, keys.newest())) {
            try (RecordKey key = keys.unwrap(row.key, SqlVault.TENANT, record(row.server), 1)) {
                WrappedKey wrapped = keys.wrap(key);
                statements.update(REWRAP, wrapped.keyVersion(), wrapped.bytes(), row.server);
            } catch (SealException e) {
                // Changed or moved by somebody; its old key stays with it.
            }
        }
    }

    private static String record(String server) {
        return "server-login/" + server;
    }

    private record Sealed(String server, WrappedKey key, byte[] login) {
        static Sealed of(Row row) throws SQLException {
            return new Sealed(
                    row.text("server"),
                    new WrappedKey(row.number("key_version"), row.bytes("wrapped_key")),
                    row.bytes("login"));
        }

        @Override
        public String toString() {
            return "Sealed[hidden]";
        }
    }
}
