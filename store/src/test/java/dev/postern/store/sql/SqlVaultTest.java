package dev.postern.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.gate.vault.DestinationRules;
import dev.postern.gate.vault.SecretRecord;
import dev.postern.gate.vault.VaultException;
import dev.postern.gate.vault.VaultWriter;
import dev.postern.gate.vault.VaultWriter.NewSecret;
import dev.postern.reference.Field;
import dev.postern.reference.Reference;
import dev.postern.secret.SecretValue;
import dev.postern.store.Opened;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** V1 to V5 on real SQLite. */
final class SqlVaultTest {
    @TempDir
    Path directory;

    @Test
    @DisplayName("V1: a secret comes back with everything but its value and notes, which open")
    void aSecretIsKept() {
        try (Opened opened = Opened.in(directory)) {
            SecretRecord added = opened.store()
                    .vaultWriter("ada")
                    .add(new NewSecret(
                            "db_password",
                            Opened.secret("s3cr€t\u0000"),
                            Opened.secret("the notes"),
                            "db.example.com",
                            "app",
                            "production",
                            List.of("work", "a\"b"),
                            new DestinationRules(List.of("files"), List.of("files__write"), List.of("Example.com")),
                            "ada"));
            SecretRecord found = opened.find("db_password").orElseThrow();
            assertThat(found).isEqualTo(added);
            assertThat(found.version()).isEqualTo(1);
            assertThat(found.website()).isEqualTo("db.example.com");
            assertThat(found.tags()).containsExactly("work", "a\"b");
            assertThat(found.destinations().hosts()).containsExactly("example.com");
            assertThat(found.fields()).isEqualTo(Set.of(Field.PASSWORD, Field.USERNAME, Field.NOTES));
            assertThat(opened.open(found, Field.PASSWORD)).isEqualTo("s3cr€t\u0000");
            assertThat(opened.open(found, Field.NOTES)).isEqualTo("the notes");
            assertThat(opened.open(found, Field.USERNAME)).isEqualTo("app");
        }
    }

    @Test
    void aSecretIsFoundByItsIdInEitherCase() {
        try (Opened opened = Opened.in(directory)) {
            SecretRecord added = opened.add("one", "value-one", null);
            String id = added.id().toString().toUpperCase(Locale.ROOT);
            assertThat(opened.store().vault().find(Reference.parse("{{secret:" + id + "}}")))
                    .contains(added);
            assertThat(opened.find("two")).isEmpty();
        }
    }

    @Test
    void secretsSurviveARestartAndAreListedByName() {
        try (Opened opened = Opened.in(directory)) {
            opened.add("b", "value-b", null);
            opened.add("a", "value-a", "notes");
        }
        try (Opened opened = Opened.in(directory)) {
            assertThat(opened.store().vault().list())
                    .extracting(SecretRecord::name)
                    .containsExactly("a", "b");
            assertThat(opened.open(opened.find("a").orElseThrow(), Field.PASSWORD))
                    .isEqualTo("value-a");
        }
    }

    @Test
    @DisplayName("V1: names, sizes and taken names")
    void whatIsNoSecretIsRefused() {
        try (Opened opened = Opened.in(directory)) {
            opened.add("taken", "value", null);
            for (String name : new String[] {"", "UPPER", "a b", "a".repeat(65), "taken"}) {
                assertThatThrownBy(() -> opened.add(name, "value", null))
                        .as(name)
                        .isInstanceOf(IllegalArgumentException.class);
            }
            assertThatThrownBy(() -> opened.add("empty", "", null)).isInstanceOf(IllegalArgumentException.class);
            opened.add("largest", "x".repeat(VaultWriter.MAX_VALUE_BYTES), null);
            assertThatThrownBy(() -> opened.add("larger", "x".repeat(VaultWriter.MAX_VALUE_BYTES + 1), null))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(opened.store().vault().list()).hasSize(2);
        }
    }

    @Test
    @DisplayName("V3, P6: a change is a new version, keeps what it leaves out, and takes away what it empties")
    void aChangeIsANewVersion() {
        try (Opened opened = Opened.in(directory)) {
            opened.add("key", "the-old-value", "the notes");
            VaultWriter writer = opened.store().vaultWriter("kim");
            SecretRecord changed = writer.change(
                    "key",
                    new VaultWriter.Change(
                            null,
                            null,
                            null,
                            "grace",
                            "",
                            List.of(),
                            new DestinationRules(List.of("files"), List.of(), List.of())));
            assertThat(changed.version()).isEqualTo(2);
            assertThat(changed.username()).isEqualTo("grace");
            assertThat(changed.website()).isEqualTo("example.com");
            assertThat(changed.description()).isNull();
            assertThat(changed.tags()).isEmpty();
            assertThat(changed.destinations().servers()).containsExactly("files");
            assertThat(opened.open(changed, Field.PASSWORD)).isEqualTo("the-old-value");
            assertThat(opened.open(changed, Field.NOTES)).isEqualTo("the notes");
            assertThat(opened.store().operatorLog().latest(1).getFirst())
                    .returns("kim", OperatorLog.Act::actor)
                    .returns("secret.change", OperatorLog.Act::act);
        }
    }

    @Test
    @DisplayName("V3: a new value counts the version up and keeps description and notes")
    void rotatingKeepsTheRest() {
        try (Opened opened = Opened.in(directory)) {
            SecretRecord before = opened.add("key", "old-value", "the notes");
            SecretRecord after = opened.rotate("key", "new-value");
            assertThat(after.version()).isEqualTo(2);
            assertThat(after.id()).isEqualTo(before.id());
            assertThat(after.description()).isEqualTo("the key");
            assertThat(opened.open(after, Field.PASSWORD)).isEqualTo("new-value");
            assertThat(opened.open(after, Field.NOTES)).isEqualTo("the notes");
            assertThat(opened.store().vaultWriter("ada").rotate("key", Opened.secret("third"), "told anew"))
                    .returns("told anew", SecretRecord::description);
            assertThatThrownBy(() -> opened.rotate("unknown", "value")).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    @DisplayName("S9: a replaced value opens until the window ends, and is then gone")
    void anOldVersionIsKeptForTheWindow() {
        try (Opened opened = Opened.in(directory)) {
            SecretRecord before = opened.add("key", "old-value", null);
            opened.rotate("key", "new-value");
            SqlVaultWriter writer = (SqlVaultWriter) opened.store().vaultWriter("operator");
            opened.clock().advance(Duration.ofMinutes(10));
            writer.purge();
            assertThat(opened.open(before, Field.PASSWORD)).isEqualTo("old-value");
            opened.clock().advance(Duration.ofMinutes(1));
            writer.purge();
            assertThatThrownBy(() -> opened.open(before, Field.PASSWORD))
                    .isInstanceOf(VaultException.class)
                    .hasMessage("That version of the secret is gone.");
            assertThat(opened.open(opened.find("key").orElseThrow(), Field.PASSWORD))
                    .isEqualTo("new-value");
        }
    }

    @Test
    void aRemovedSecretIsNotFoundAndItsNameIsFree() {
        try (Opened opened = Opened.in(directory)) {
            SecretRecord removed = opened.add("key", "old-value", null);
            assertThat(opened.store().vaultWriter("ada").remove("key")).isTrue();
            assertThat(opened.store().vaultWriter("ada").remove("key")).isFalse();
            assertThat(opened.find("key")).isEmpty();
            assertThat(opened.store().vault().find(Reference.parse("{{secret:" + removed.id() + "}}")))
                    .isEmpty();
            assertThat(opened.store().vault().list()).isEmpty();
            SecretRecord again = opened.add("key", "another", null);
            assertThat(again.id()).isNotEqualTo(removed.id());
            assertThat(opened.open(removed, Field.PASSWORD)).isEqualTo("old-value");
            opened.clock().advance(SqlVaultWriter.KEPT);
            ((SqlVaultWriter) opened.store().vaultWriter("ada")).purge();
            assertThatThrownBy(() -> opened.open(removed, Field.PASSWORD)).isInstanceOf(VaultException.class);
            assertThat(opened.open(again, Field.PASSWORD)).isEqualTo("another");
        }
    }

    @Test
    @DisplayName("V2: ciphertext copied to another secret, version or field does not open")
    void aCopiedRowDoesNotOpen() throws SQLException {
        SecretRecord mine;
        SecretRecord theirs;
        try (Opened opened = Opened.in(directory)) {
            mine = opened.add("mine", "my value", "my notes");
            theirs = opened.add("theirs", "their value", "their notes");
            opened.rotate("mine", "my new value");
        }
        String from = " FROM secret_version WHERE secret_id = '" + theirs.id() + "')";
        for (String copy : new String[] {
            "UPDATE secret_version SET (wrapped_key, password) = (SELECT wrapped_key, password" + from
                    + " WHERE secret_id = '" + mine.id() + "'",
            "UPDATE secret_version SET (wrapped_key, password) = (SELECT wrapped_key, password FROM secret_version"
                    + " WHERE version = 1 AND secret_id = '" + mine.id() + "') WHERE version = 2",
            "UPDATE secret_version SET password = (SELECT password" + from + " WHERE secret_id = '" + mine.id() + "'",
            "UPDATE secret_version SET password = notes WHERE secret_id = '" + mine.id() + "'"
        }) {
            Opened.tamper(directory, "CREATE TABLE kept AS SELECT * FROM secret_version", copy);
            try (Opened opened = Opened.in(directory)) {
                SecretRecord now = opened.find("mine").orElseThrow();
                assertThatThrownBy(() -> opened.open(now, Field.PASSWORD))
                        .as(copy)
                        .isInstanceOf(VaultException.class)
                        .hasMessageContaining("does not open");
                assertThat(opened.store().keys().check().broken())
                        .containsExactly(mine.id().toString());
            }
            Opened.tamper(
                    directory,
                    "DELETE FROM secret_version",
                    "INSERT INTO secret_version SELECT * FROM kept",
                    "DROP TABLE kept");
        }
        try (Opened opened = Opened.in(directory)) {
            assertThat(opened.open(opened.find("mine").orElseThrow(), Field.PASSWORD))
                    .isEqualTo("my new value");
        }
    }

    @Test
    void theCallersValueIsNotClosed() {
        try (Opened opened = Opened.in(directory);
                SecretValue value = Opened.secret("value")) {
            opened.store()
                    .vaultWriter("ada")
                    .add(new NewSecret(
                            "key", value, null, null, null, null, List.of(), DestinationRules.ANYWHERE, "ada"));
            assertThat(value.copy().length()).isEqualTo(5);
            SecretRecord found = opened.find("key").orElseThrow();
            assertThat(found.fields()).isEqualTo(Set.of(Field.PASSWORD));
            assertThatThrownBy(() -> opened.open(found, Field.NOTES))
                    .isInstanceOf(VaultException.class)
                    .hasMessage("The secret has no notes.");
            assertThatThrownBy(() -> opened.open(found, Field.USERNAME)).isInstanceOf(VaultException.class);
        }
    }

    @Test
    void writesAreInTheOperatorsLogWithoutValues() {
        try (Opened opened = Opened.in(directory)) {
            opened.add("key", "the-value", null);
            opened.store().vaultWriter("grace").rotate("key", Opened.secret("the-next-value"), null);
            opened.store().vaultWriter("grace").remove("key");
            assertThat(opened.store().operatorLog().latest(10))
                    .extracting(act -> act.actor() + " " + act.act() + " " + act.subject())
                    .containsExactly("grace secret.remove key", "grace secret.rotate key", "operator secret.add key");
        }
    }
}
