package dev.postern.store;

import dev.postern.gate.vault.DestinationRules;
import dev.postern.gate.vault.SecretRecord;
import dev.postern.gate.vault.VaultWriter.NewSecret;
import dev.postern.reference.Field;
import dev.postern.reference.Reference;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import dev.postern.store.crypto.KeySource;
import dev.postern.store.file.DataDirectory;
import dev.postern.store.sql.OperatorLog;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A store in a directory, with its lock, and short ways to what most tests do. */
public final class Opened implements AutoCloseable {
    private final DataDirectory directory;
    private final Store store;
    private final SettableClock clock;

    private Opened(DataDirectory directory, Store store, SettableClock clock) {
        this.directory = directory;
        this.store = store;
        this.clock = clock;
    }

    public static Opened in(Path path) {
        return in(path, KeySource.file());
    }

    public static Opened in(Path path, KeySource key) {
        DataDirectory directory = DataDirectory.open(path);
        SettableClock clock = new SettableClock();
        try {
            return new Opened(directory, Store.open(directory, key, clock), clock);
        } catch (RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    public Store store() {
        return store;
    }

    public SettableClock clock() {
        return clock;
    }

    public SecretRecord add(String name, String value, @Nullable String notes) {
        return store.vaultWriter(OperatorLog.OPERATOR)
                .add(new NewSecret(
                        name,
                        secret(value),
                        notes == null ? null : secret(notes),
                        "example.com",
                        "ada",
                        "the " + name,
                        List.of("work"),
                        DestinationRules.ANYWHERE,
                        "ada"));
    }

    public SecretRecord rotate(String name, String value) {
        return store.vaultWriter(OperatorLog.OPERATOR).rotate(name, secret(value), null);
    }

    public Optional<SecretRecord> find(String name) {
        return store.vault().find(Reference.parse("{{vault:" + name + "}}"));
    }

    public String open(SecretRecord secret, Field field) {
        try (SecretValue value = store.vault().open(secret, field)) {
            return new String(value.reveal(Reveal.TO_DELIVER), StandardCharsets.UTF_8);
        }
    }

    public static SecretValue secret(String text) {
        return new SecretValue(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Runs statements on the database from outside, as somebody with the file could. */
    public static void tamper(Path directory, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + DataDirectory.databaseIn(directory));
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Override
    public void close() {
        store.close();
        directory.close();
    }
}
