package dev.postern.store.sql;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The schema, as numbered steps: the file {@code 001_….sql} in a dialect's folder takes an empty database to version 1, and
 * so on. A step that has been released is never changed. Each runs in a transaction with the row that records it.
 */
final class Migrations {
    /** File names without number; the number is the place in the list. Every dialect has the same list. */
    private static final List<String> STEPS = List.of(
            "first",
            "findings",
            "risks",
            "ledger_trace",
            "kills",
            "people",
            "links",
            "agent_keys",
            "approvals_and_grants",
            "pins",
            "passkeys",
            "server_logins",
            "link_agents",
            "passkey_challenges",
            "session_accounts");

    private static final String TABLE = "schema_version";

    private Migrations() {}

    /** The version this program works with. */
    static int current() {
        return STEPS.size();
    }

    /** The version of a database; 0 for an empty one. */
    static int versionOf(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            try (ResultSet tables =
                    statement.executeQuery("SELECT count(*) FROM sqlite_master WHERE name = '" + TABLE + "'")) {
                if (!tables.next() || tables.getInt(1) == 0) {
                    return 0;
                }
            }
            try (ResultSet version = statement.executeQuery("SELECT max(version) FROM " + TABLE)) {
                return version.next() ? version.getInt(1) : 0;
            }
        }
    }

    /** @throws StoreException with a sentence, if a database is of another version than this program works with */
    static void requireCurrent(Connection connection, Path path) throws SQLException {
        int version = versionOf(connection);
        if (version != current()) {
            throw StoreException.sentence(
                    "The database " + path + " has schema " + version + ", and this Postern reads " + current()
                            + (version < current() ? ": start it once." : ": use the newer one."));
        }
    }

    /** Brings a database from a version to the current one. */
    static void apply(Connection connection, int version) throws SQLException {
        for (int next = version + 1; next <= current(); next++) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("BEGIN IMMEDIATE");
                try {
                    for (String sql : step("sqlite", next)) {
                        statement.execute(sql);
                    }
                    statement.execute("INSERT INTO " + TABLE + " (version) VALUES (" + next + ")");
                    statement.execute("COMMIT");
                } catch (SQLException e) {
                    statement.execute("ROLLBACK");
                    throw e;
                }
            }
        }
    }

    /** The statements of a step: each ends with a semicolon at the end of a line; a comment has a line of its own. */
    private static List<String> step(String dialect, int number) {
        String name = "%s/%03d_%s.sql".formatted(dialect, number, STEPS.get(number - 1));
        try (InputStream file = Migrations.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalStateException("no migration " + name);
            }
            String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            return List.of(text.replaceAll("(?m)^--.*\\R", "").strip().split(";\\s*(?:\\R|$)"));
        } catch (IOException e) {
            throw new IllegalStateException("migration " + name + " cannot be read");
        }
    }
}
