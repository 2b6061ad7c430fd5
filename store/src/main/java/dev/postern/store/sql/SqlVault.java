package dev.postern.store.sql;

import dev.postern.gate.vault.DestinationRules;
import dev.postern.gate.vault.SecretRecord;
import dev.postern.gate.vault.Vault;
import dev.postern.gate.vault.VaultException;
import dev.postern.reference.Field;
import dev.postern.reference.Reference;
import dev.postern.secret.SecretValue;
import dev.postern.store.crypto.KeyRing;
import dev.postern.store.crypto.RecordKey;
import dev.postern.store.crypto.SealException;
import dev.postern.store.crypto.WrappedKey;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Secrets at rest, read for one delivery (V1, V2). Name, website and username are kept in the clear, since they are shown;
 * value and notes are sealed. An earlier version of a secret, or a removed one, opens until its window ends (S9).
 */
public final class SqlVault implements Vault {
    /** One installation has one vault; the name is part of what every sealed field is bound to. */
    static final String TENANT = "local";

    private static final String BY_NAME = "SELECT * FROM secret WHERE tenant = ? AND name = ? AND removed_at IS NULL";
    private static final String BY_ID = "SELECT * FROM secret WHERE id = ? AND removed_at IS NULL";
    private static final String ALL = "SELECT * FROM secret WHERE tenant = ? AND removed_at IS NULL ORDER BY name";
    private static final String VERSION = "SELECT * FROM secret_version WHERE secret_id = ? AND version = ?";

    private final ReadableDatabase database;
    private final KeyRing keys;

    SqlVault(ReadableDatabase database, KeyRing keys) {
        this.database = database;
        this.keys = keys;
    }

    @Override
    public Optional<SecretRecord> find(Reference reference) {
        return reading("vault.find", statements -> find(statements, reference));
    }

    @Override
    public List<SecretRecord> list() {
        return reading("vault.list", statements -> statements.list(ALL, SqlVault::secret, TENANT));
    }

    @Override
    public SecretValue open(SecretRecord secret, Field field) {
        if (field == Field.USERNAME) {
            String username = secret.username();
            if (username == null) {
                throw new VaultException("The secret has no username.");
            }
            return new SecretValue(username.getBytes(StandardCharsets.UTF_8));
        }
        Sealed sealed = reading(
                        "vault.open",
                        statements -> statements.first(
                                VERSION, Sealed::of, secret.id().toString(), secret.version()))
                .orElseThrow(() -> new VaultException("That version of the secret is gone."));
        byte[] bytes = field == Field.PASSWORD ? sealed.password() : sealed.notes();
        if (bytes == null) {
            throw new VaultException("The secret has no " + field.label() + ".");
        }
        try (RecordKey key = keys.unwrap(sealed.key(), TENANT, secret.id().toString(), secret.version())) {
            byte[] plaintext = key.open(field.label(), bytes);
            try {
                return new SecretValue(plaintext);
            } finally {
                Arrays.fill(plaintext, (byte) 0);
            }
        } catch (SealException e) {
            throw new VaultException("The secret's " + field.label() + " does not open: its row was changed or moved.");
        }
    }

    private <T> T reading(String operation, Database.Work<T> work) {
        try {
            return database.read(operation, work);
        } catch (StoreException e) {
            throw new VaultException(e.getMessage());
        }
    }

    static Optional<SecretRecord> find(Statements statements, Reference reference) throws SQLException {
        return reference.kind() == Reference.Kind.VAULT
                ? byName(statements, reference.name())
                : statements.first(BY_ID, SqlVault::secret, reference.name());
    }

    static Optional<SecretRecord> byName(Statements statements, String name) throws SQLException {
        return statements.first(BY_NAME, SqlVault::secret, TENANT, name);
    }

    private static SecretRecord secret(Row row) throws SQLException {
        String username = row.textOrNull("username");
        Set<Field> fields = EnumSet.of(Field.PASSWORD);
        if (username != null) {
            fields.add(Field.USERNAME);
        }
        if (row.truth("has_notes")) {
            fields.add(Field.NOTES);
        }
        return new SecretRecord(
                UUID.fromString(row.text("id")),
                row.text("name"),
                row.textOrNull("website"),
                username,
                row.textOrNull("description"),
                JsonLists.read(row.text("tags")),
                new DestinationRules(
                        JsonLists.read(row.text("allowed_servers")),
                        JsonLists.read(row.text("allowed_tools")),
                        JsonLists.read(row.text("allowed_hosts"))),
                Set.copyOf(fields),
                row.number("version"),
                row.text("owner"),
                row.instant("created_at"),
                row.instant("updated_at"));
    }

    /** A version's row: its wrapped data key and the fields sealed by it. */
    record Sealed(String secret, long version, WrappedKey key, byte[] password, byte @Nullable [] notes) {
        static Sealed of(Row row) throws SQLException {
            return new Sealed(
                    row.text("secret_id"),
                    row.number("version"),
                    new WrappedKey(row.number("key_version"), row.bytes("wrapped_key")),
                    row.bytes("password"),
                    row.bytesOrNull("notes"));
        }

        @Override
        public String toString() {
            return "Sealed[" + secret + " version " + version + "]";
        }
    }
}
