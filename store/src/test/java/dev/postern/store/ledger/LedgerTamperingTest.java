package dev.postern.store.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.store.Opened;
import dev.postern.store.ledger.Verification.Broken;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** L2: whoever changes the ledger is found out, and the first broken entry is named. */
final class LedgerTamperingTest {
    private static final int ENTRIES = 6;

    @TempDir
    static Path directory;

    /** Entries 1, 3 and 5 have an intent: 1, 2 and 3. Each test changes a copy. */
    @BeforeAll
    static void write() {
        try (Opened opened = Opened.in(directory)) {
            for (int i = 1; i <= ENTRIES; i++) {
                if (i % 2 == 1) {
                    opened.store().ledger().intend(Calls.intent("call" + i));
                    opened.store().ledger().append(Calls.closing("call" + i));
                } else {
                    opened.store().ledger().append(Calls.entry("call" + i, "{\"a\":1}", "error"));
                }
            }
        }
        assertThat(Calls.verify(directory)).isInstanceOf(Verification.Intact.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "id",
                "at",
                "agent",
                "server",
                "tool",
                "arguments",
                "secret_refs",
                "disposition",
                "code",
                "approver",
                "duration_ms",
                "result_bytes",
                "scrub_hits",
                "error",
                "prev_hash",
                "hash"
            })
    @DisplayName("L2: any column of any entry")
    void aChangedColumnIsFound(String column) throws Exception {
        for (String change : List.of("coalesce(" + column + ", '') || 'x'", "x'00'", "NULL", "0.5")) {
            for (int position = 1; position <= ENTRIES; position++) {
                String sql = "UPDATE ledger SET " + column + " = " + change + " WHERE position = " + position;
                if (change.equals("NULL")
                        && !List.of("code", "approver", "error").contains(column)) {
                    continue; // The column is declared not to be null.
                }
                Path copy = copy();
                boolean changes = changes(copy, column + " IS NOT " + change, position);
                Opened.tamper(copy, sql);
                if (changes) {
                    assertThat(broken(copy)).as(sql).isEqualTo(position);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "id",
                "at",
                "agent",
                "server",
                "tool",
                "arguments",
                "secret_refs",
                "approver",
                "prev_hash",
                "hash"
            })
    @DisplayName("L2: any column of any intent")
    void aChangedIntentIsFound(String column) throws Exception {
        for (int position = 1; position <= 3; position++) {
            Path copy = copy();
            Opened.tamper(
                    copy,
                    "UPDATE ledger_intent SET " + column + " = " + column + " || 'x' WHERE position = " + position);
            Broken broken = (Broken) Calls.verify(copy);
            if (column.equals("id")) {
                assertThat(broken.chain()).isEqualTo("ledger");
                assertThat(broken.id()).isEqualTo("call" + (position * 2 - 1));
            } else {
                assertThat(broken.chain()).isEqualTo("ledger_intent");
                assertThat(broken.position()).isEqualTo(position);
            }
        }
    }

    @Test
    void theSameTextAsBytesIsFound() throws Exception {
        Path copy = copy();
        Opened.tamper(copy, "UPDATE ledger SET arguments = CAST(arguments AS BLOB) WHERE position = 4");
        assertThat(broken(copy)).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({"1,2", "2,3", "3,4", "4,5", "5,6", "6,6"})
    @DisplayName("L2: a deleted entry, the last one too")
    void aDeletedEntryIsFound(int deleted, int named) throws Exception {
        Path copy = copy();
        Opened.tamper(copy, "DELETE FROM ledger WHERE position = " + deleted);
        assertThat(broken(copy)).isEqualTo(named);
    }

    @Test
    void deletingEverythingIsFound() throws Exception {
        Path copy = copy();
        Opened.tamper(copy, "DELETE FROM ledger");
        assertThat(broken(copy)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"1,2", "2,3", "3,4", "2,5", "1,6"})
    void swappedEntriesAreFound(int one, int other) throws Exception {
        Path copy = copy();
        Opened.tamper(
                copy,
                "UPDATE ledger SET position = 100 WHERE position = " + one,
                "UPDATE ledger SET position = " + one + " WHERE position = " + other,
                "UPDATE ledger SET position = " + other + " WHERE position = 100");
        assertThat(broken(copy)).isEqualTo(one);
    }

    @Test
    void aMovedLastEntryIsFound() throws Exception {
        Path copy = copy();
        Opened.tamper(copy, "UPDATE ledger SET position = 9 WHERE position = 6");
        assertThat(broken(copy)).isEqualTo(9);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 7})
    void anInsertedEntryIsFound(int position) throws Exception {
        Path copy = copy();
        Opened.tamper(
                copy,
                "UPDATE ledger SET position = position + 100 WHERE position >= " + position,
                "UPDATE ledger SET position = position - 99 WHERE position > 100",
                "CREATE TABLE forged AS SELECT * FROM ledger LIMIT 1",
                "UPDATE forged SET intent = NULL, id = 'forged', position = " + position,
                "INSERT INTO ledger SELECT * FROM forged");
        assertThat(broken(copy)).isEqualTo(position);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE ledger SET intent = NULL WHERE position = 3",
                "UPDATE ledger SET intent = 99 WHERE position = 3",
                "UPDATE ledger SET intent = NULL WHERE position = 5; UPDATE ledger SET intent = 3 WHERE position = 3",
            })
    void anEntryThatNamesAnotherIntentIsFound(String sql) throws Exception {
        Path copy = copy();
        Opened.tamper(copy, sql.split(";"));
        assertThat(broken(copy)).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM ledger_intent WHERE position = 3",
                "INSERT INTO ledger_open (intent) VALUES (2)",
                "INSERT INTO ledger_open (intent) VALUES (42)",
                "UPDATE ledger_head SET hash = '00' WHERE chain = 'ledger'",
                "UPDATE ledger_head SET position = 8 WHERE chain = 'ledger_intent'",
                "DELETE FROM ledger_head",
            })
    void whatBelongsTogetherIsChecked(String sql) throws Exception {
        Path copy = copy();
        Opened.tamper(copy, sql);
        assertThat(Calls.verify(copy)).isInstanceOf(Broken.class);
    }

    @Test
    void anIntentThatNobodyClosedIsFoundOnceItIsNotOpenAnyMore() throws Exception {
        Path other = Files.createDirectories(directory.resolve("other"));
        try (Opened opened = Opened.in(other)) {
            opened.store().ledger().intend(Calls.intent("open"));
            assertThat(Calls.verify(other)).isInstanceOf(Verification.Intact.class);
            Opened.tamper(other, "DELETE FROM ledger_open");
            assertThat(Calls.verify(other))
                    .isEqualTo(new Broken("ledger_intent", 1, "open", "no entry closes it, or more than one"));
        }
    }

    private long broken(Path copy) {
        Verification verification = Calls.verify(copy);
        assertThat(verification).isInstanceOf(Broken.class);
        Broken broken = (Broken) verification;
        assertThat(broken.chain()).isEqualTo("ledger");
        return broken.position();
    }

    private Path copy() throws java.io.IOException {
        Path copy = Files.createDirectories(directory.resolve("copy"));
        Files.deleteIfExists(copy.resolve("postern.db-wal"));
        Files.deleteIfExists(copy.resolve("postern.db-shm"));
        Files.copy(directory.resolve("postern.db"), copy.resolve("postern.db"), StandardCopyOption.REPLACE_EXISTING);
        return copy;
    }

    private static boolean changes(Path copy, String condition, int position) throws SQLException {
        try (var connection = java.sql.DriverManager.getConnection("jdbc:sqlite:" + copy.resolve("postern.db"));
                var statement = connection.createStatement();
                var rows =
                        statement.executeQuery("SELECT " + condition + " FROM ledger WHERE position = " + position)) {
            return rows.next() && rows.getBoolean(1);
        }
    }
}
