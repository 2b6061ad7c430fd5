package dev.postern.store.sql;

import static java.util.Objects.requireNonNull;

import dev.postern.gate.detect.CapturedValues;
import dev.postern.gate.vault.DestinationRules;
import dev.postern.gate.vault.SecretRecord;
import dev.postern.gate.vault.VaultException;
import dev.postern.gate.vault.VaultWriter;
import dev.postern.reference.Field;
import dev.postern.reference.Reference;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import dev.postern.store.crypto.KeyRing;
import dev.postern.store.crypto.RecordKey;
import dev.postern.store.crypto.WrappedKey;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writing secrets (V1, V3), in one person's name; every write is in the operators' log. A value that was replaced or
 * removed stays, sealed, until the memory of recent values can no longer need it (S9), and is then deleted.
 */
public final class SqlVaultWriter implements VaultWriter {
    /** The window of S9 and a margin for calls that took their value just before it was replaced. */
    static final Duration KEPT = Duration.ofMinutes(11);

    private static final String INSERT = """
            INSERT INTO secret (id, tenant, name, website, username, description, tags, allowed_servers, allowed_tools,
                allowed_hosts, has_notes, version, owner, created_at, updated_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?)""";
    private static final String INSERT_VERSION = """
            INSERT INTO secret_version (secret_id, version, key_version, wrapped_key, password, notes)
            VALUES (?, ?, ?, ?, ?, ?)""";
    private static final String CHANGE = """
            UPDATE secret SET version = version + 1, website = ?, username = ?, description = ?, tags = ?,
                allowed_servers = ?, allowed_tools = ?, allowed_hosts = ?, has_notes = ?, updated_at = ?
            WHERE id = ?""";
    private static final String CURRENT = """
            SELECT v.* FROM secret_version v JOIN secret s ON s.id = v.secret_id AND s.version = v.version
            WHERE s.id = ?""";
    private static final String RETIRE =
            "UPDATE secret_version SET retired_at = ? WHERE secret_id = ? AND retired_at IS NULL";
    private static final String REMOVE = "UPDATE secret SET removed_at = ? WHERE id = ?";
    private static final String PURGE_VERSIONS = "DELETE FROM secret_version WHERE retired_at <= ?";
    private static final String PURGE_SECRETS = """
            DELETE FROM secret WHERE removed_at <= ?
            AND NOT EXISTS (SELECT 1 FROM secret_version WHERE secret_id = secret.id)""";

    private final Database database;
    private final KeyRing keys;
    private final OperatorLog log;
    private final InstantSource clock;
    private final String actor;

    SqlVaultWriter(Database database, KeyRing keys, OperatorLog log, InstantSource clock, String actor) {
        this.database = database;
        this.keys = keys;
        this.log = log;
        this.clock = clock;
        this.actor = actor;
    }

    @Override
    public SecretRecord add(NewSecret secret) {
        checkName(secret.name());
        check(secret.value(), "value");
        if (secret.notes() != null) {
            check(secret.notes(), "notes");
        }
        String id = UUID.randomUUID().toString();
        return writing("vault.add", statements -> {
            if (SqlVault.byName(statements, secret.name()).isPresent()) {
                throw new IllegalArgumentException("A secret of that name is there already.");
            }
            Instant now = clock.instant();
            statements.update(
                    INSERT,
                    id,
                    SqlVault.TENANT,
                    secret.name(),
                    secret.website(),
                    secret.username(),
                    secret.description(),
                    JsonLists.write(secret.tags()),
                    JsonLists.write(secret.destinations().servers()),
                    JsonLists.write(secret.destinations().tools()),
                    JsonLists.write(secret.destinations().hosts()),
                    secret.notes() != null,
                    secret.owner(),
                    now,
                    now);
            byte[] notes = secret.notes() == null ? null : secret.notes().reveal(Reveal.TO_SEAL);
            insertVersion(statements, id, 1, secret.value(), notes);
            log.record(statements, actor, "secret.add", secret.name());
            return SqlVault.byName(statements, secret.name()).orElseThrow();
        });
    }

    @Override
    public SecretRecord rotate(String name, SecretValue value, @Nullable String description) {
        return change("secret.rotate", name, new Change(value, null, null, null, description, null, null));
    }

    @Override
    public SecretRecord change(String name, Change change) {
        return change(change.value() == null ? "secret.change" : "secret.rotate", name, change);
    }

    private SecretRecord change(String act, String name, Change change) {
        if (change.value() != null) {
            check(change.value(), "value");
        }
        if (change.notes() != null && change.notes().length() > MAX_VALUE_BYTES) {
            check(change.notes(), "notes");
        }
        return writing("vault.change", statements -> {
            SecretRecord secret = SqlVault.byName(statements, name)
                    .orElseThrow(() -> new IllegalArgumentException("There is no secret of that name."));
            String id = secret.id().toString();
            Instant now = clock.instant();
            byte[] notes = change.notes() == null
                    ? opened(statements, id, Field.NOTES)
                    : change.notes().length() == 0 ? null : change.notes().reveal(Reveal.TO_SEAL);
            try (SecretValue value = value(statements, id, change)) {
                statements.update(RETIRE, now, id);
                update(statements, secret, change, notes != null, now);
                insertVersion(statements, id, secret.version() + 1, value, notes);
            }
            log.record(statements, actor, act, name);
            return SqlVault.byName(statements, name).orElseThrow();
        });
    }

    private static void update(Statements statements, SecretRecord secret, Change change, boolean hasNotes, Instant now)
            throws SQLException {
        List<String> tags = change.tags() == null ? secret.tags() : change.tags();
        DestinationRules rules = change.destinations() == null ? secret.destinations() : change.destinations();
        statements.update(
                CHANGE,
                changed(change.website(), secret.website()),
                changed(change.username(), secret.username()),
                changed(change.description(), secret.description()),
                JsonLists.write(tags),
                JsonLists.write(rules.servers()),
                JsonLists.write(rules.tools()),
                JsonLists.write(rules.hosts()),
                hasNotes,
                now,
                secret.id().toString());
    }

    private static @Nullable String changed(@Nullable String to, @Nullable String from) {
        return to == null ? from : to.isEmpty() ? null : to;
    }

    private SecretValue value(Statements statements, String id, Change change) throws SQLException {
        if (change.value() != null) {
            return change.value().copy();
        }
        byte[] kept = requireNonNull(opened(statements, id, Field.PASSWORD));
        try {
            return new SecretValue(kept);
        } finally {
            Arrays.fill(kept, (byte) 0);
        }
    }

    @Override
    public boolean remove(String name) {
        return writing("vault.remove", statements -> {
            Optional<SecretRecord> secret = SqlVault.byName(statements, name);
            if (secret.isEmpty()) {
                return false;
            }
            Instant now = clock.instant();
            String id = secret.get().id().toString();
            statements.update(RETIRE, now, id);
            statements.update(REMOVE, now, id);
            log.record(statements, actor, "secret.remove", name);
            return true;
        });
    }

    /** Deletes what was replaced or removed and is no longer remembered. The store calls it by itself. */
    void purge() {
        database.write("vault.purge", statements -> {
            Instant before = clock.instant().minus(KEPT);
            return statements.update(PURGE_VERSIONS, before) + statements.update(PURGE_SECRETS, before);
        });
    }

    /** Seals a version under a data key of its own. Wipes the notes. */
    private void insertVersion(
            Statements statements, String id, long version, SecretValue value, byte @Nullable [] notes)
            throws SQLException {
        byte[] password = value.reveal(Reveal.TO_SEAL);
        try (RecordKey key = keys.newRecordKey(SqlVault.TENANT, id, version)) {
            WrappedKey wrapped = keys.wrap(key);
            statements.update(
                    INSERT_VERSION,
                    id,
                    version,
                    wrapped.keyVersion(),
                    wrapped.bytes(),
                    key.seal(Field.PASSWORD.label(), password),
                    notes == null ? null : key.seal(Field.NOTES.label(), notes));
        } finally {
            Arrays.fill(password, (byte) 0);
            if (notes != null) {
                Arrays.fill(notes, (byte) 0);
            }
        }
    }

    private byte @Nullable [] opened(Statements statements, String id, Field field) throws SQLException {
        SqlVault.Sealed current =
                statements.first(CURRENT, SqlVault.Sealed::of, id).orElseThrow();
        byte[] sealed = field == Field.NOTES ? current.notes() : current.password();
        if (sealed == null) {
            return null;
        }
        try (RecordKey key = keys.unwrap(current.key(), SqlVault.TENANT, id, current.version())) {
            return key.open(field.label(), sealed);
        }
    }

    private <T> T writing(String operation, Database.Work<T> work) {
        try {
            return database.write(operation, work);
        } catch (StoreException e) {
            throw new VaultException(e.getMessage());
        }
    }

    private static void checkName(String name) {
        try {
            new Reference(Reference.Kind.VAULT, name, Field.PASSWORD, List.of());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("A secret's name is 1 to 64 of a-z 0-9 _ . -");
        }
        if (CapturedValues.isReserved(name)) {
            throw new IllegalArgumentException(
                    "Names such as captured.1 are given to values that were captured; choose another.");
        }
    }

    private static void check(SecretValue value, String what) {
        if (value.length() == 0) {
            throw new IllegalArgumentException("The " + what + " of a secret is not empty.");
        }
        if (value.length() > MAX_VALUE_BYTES) {
            throw new IllegalArgumentException(
                    "The " + what + " of a secret has at most " + MAX_VALUE_BYTES + " bytes.");
        }
    }
}
