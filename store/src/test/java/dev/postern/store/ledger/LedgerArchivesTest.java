package dev.postern.store.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.postern.gate.call.CallId;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.ToolName;
import dev.postern.gate.ledger.CallTrace;
import dev.postern.gate.ledger.Ledger;
import dev.postern.gate.ledger.LedgerEntry;
import dev.postern.gate.ledger.LedgerIntent;
import dev.postern.store.Opened;
import dev.postern.store.ledger.Verification.Broken;
import dev.postern.store.ledger.Verification.Intact;
import dev.postern.store.sql.StoreException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** L2: old entries can leave the database, and in the end the disk, without the ledger ceasing to be provable. */
final class LedgerArchivesTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final byte[] ARGUMENTS = "{}".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path directory;

    private Opened opened;

    @BeforeEach
    void open() {
        opened = Opened.in(directory);
    }

    @AfterEach
    void close() {
        opened.close();
    }

    @Test
    @DisplayName("L2: an export is the same before and after, and the chain goes through the archive")
    void archivedEntriesStayInTheChain() throws Exception {
        for (int i = 0; i < 10; i++) {
            call(i + 100, false);
            call(i, true);
        }
        List<String> before = Calls.export(directory);
        List<ArchivedSegment> archived = archives().archive(NOON.plusSeconds(5), "operator");
        assertThat(archived).singleElement().satisfies(segment -> {
            assertThat(segment.name()).isEqualTo("ledger-000000000001-000000000010");
            assertThat(segment.entries()).isEqualTo(10);
        });
        assertThat(rows("ledger")).isEqualTo(10);
        assertThat(rows("ledger_intent")).isEqualTo(5);
        assertThat(rows("ledger_trace")).isEqualTo(10);
        assertThat(Calls.export(directory)).isEqualTo(before);
        assertThat(unzipped("ledger-000000000001-000000000010.jsonl.gz")).isEqualTo(before.subList(0, 10));
        assertIntact(20, 10, 0);

        assertThat(archives().archive(NOON.plusSeconds(8), "operator")).hasSize(1);
        assertThat(Calls.export(directory)).isEqualTo(before);
        call(20, true);
        assertIntact(21, 16, 0);
        assertThat(opened.store().operatorLog().latest(1).getFirst().act()).isEqualTo("ledger.archive");
    }

    @Test
    @DisplayName("L2: an intent whose call is still open, or whose entry came later, stays and is not missed")
    void callsAcrossTheCutStayBound() {
        Ledger ledger = opened.store().ledger();
        ledger.intend(intent("slow", 0));
        ledger.intend(intent("quick", 1));
        ledger.append(entry("quick", 1, true));
        ledger.intend(intent("later", 9));
        assertThat(archives().archive(NOON.plusSeconds(5), "operator")).hasSize(1);
        assertThat(rows("ledger")).isZero();
        assertThat(rows("ledger_intent")).isEqualTo(3);
        assertIntact(1, 1, 0);
        ledger.append(entry("slow", 0, true));
        ledger.append(entry("later", 9, true));
        assertIntact(3, 1, 0);
        assertThat(archives().archive(NOON.plusSeconds(99), "operator")).hasSize(1);
        assertThat(rows("ledger_intent")).isZero();
        assertThat(rows("ledger_carried")).isZero();
        assertIntact(3, 3, 0);
    }

    @Test
    @DisplayName("L2: a deleted archive leaves its signed end, and what follows is still proven")
    void aDeletedArchiveLeavesAStub() throws Exception {
        for (int i = 0; i < 6; i++) {
            call(i, true);
        }
        archives().archive(NOON.plusSeconds(3), "operator");
        List<String> whole = Calls.export(directory);
        assertThat(archives().delete(NOON.plusSeconds(2), "operator")).isEmpty();
        assertThat(archives().delete(NOON.plusSeconds(3), "operator")).hasSize(1);
        try (Stream<Path> files = Files.list(directory.resolve("ledger-archive"))) {
            assertThat(files).isEmpty();
        }
        assertIntact(6, 0, 3);
        assertThat(Calls.export(directory)).isEqualTo(whole.subList(3, 6));
        assertThat(archives().list().getFirst().isDeleted()).isTrue();
        Opened.tamper(directory, "UPDATE ledger_checkpoint SET hash = replace(hash, 'a', 'b')");
        assertThat(Calls.verify(directory)).isInstanceOf(Broken.class);
    }

    @Test
    @DisplayName("L2: a changed line of an archive is found and named")
    void aChangedArchiveIsFound() throws Exception {
        for (int i = 0; i < 4; i++) {
            call(i, true);
        }
        archives().archive(NOON.plusSeconds(9), "operator");
        String name = "ledger-000000000001-000000000004.jsonl.gz";
        List<String> lines = unzipped(name);
        for (int line = 0; line < lines.size(); line++) {
            zip(name, lines, line, lines.get(line).replace("\"agent\":\"ann\"", "\"agent\":\"bob\""));
            assertThat(Calls.verify(directory))
                    .isEqualTo(new Broken("ledger", line + 1, "call" + line, "it was changed"));
        }
        zip(name, lines.subList(0, 3), 0, lines.getFirst());
        assertThat(Calls.verify(directory)).isInstanceOf(Broken.class);
        Files.delete(directory.resolve("ledger-archive").resolve(name));
        assertThat(Calls.verify(directory))
                .asInstanceOf(type(Broken.class))
                .returns("the file " + name + " cannot be read; bring it back to ledger-archive", Broken::reason);
    }

    @Test
    @DisplayName("L2: archives that were exchanged, mixed, lengthened or cut are found")
    void archivesInAnothersPlaceAreFound() throws Exception {
        for (int i = 0; i < 6; i++) {
            call(i, true);
        }
        archives().archive(NOON.plusSeconds(3), "operator");
        archives().archive(NOON.plusSeconds(9), "operator");
        String first = "ledger-000000000001-000000000003.jsonl.gz";
        String second = "ledger-000000000004-000000000006.jsonl.gz";
        List<String> early = unzipped(first);
        List<String> late = unzipped(second);
        assertIntact(6, 6, 0);
        List<String> all = Stream.concat(early.stream(), late.stream()).toList();
        List<List<List<String>>> forgeries = List.of(
                List.of(late, early),
                List.of(early, early),
                List.of(late, late),
                List.of(all, List.of()),
                List.of(List.of(), all),
                List.of(all, late),
                List.of(early, all),
                List.of(all.subList(0, 4), all.subList(4, 6)),
                List.of(all.subList(0, 2), all.subList(2, 6)),
                List.of(early, late.subList(0, 2)),
                List.of(early.reversed(), late));
        for (List<List<String>> forged : forgeries) {
            zip(first, forged.getFirst(), -1, "");
            zip(second, forged.getLast(), -1, "");
            assertThat(Calls.verify(directory)).as("%s", forged).isInstanceOf(Broken.class);
        }
        zip(first, early, -1, "");
        zip(second, late, -1, "");
        assertIntact(6, 6, 0);
        Path file = directory.resolve("ledger-archive").resolve(second);
        byte[] whole = Files.readAllBytes(file);
        for (int length = 0; length < whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThat(Calls.verify(directory)).as("cut to %s bytes", length).isInstanceOf(Broken.class);
        }
        ByteArrayOutputStream twice = new ByteArrayOutputStream();
        twice.write(whole);
        twice.write(whole);
        Files.write(file, twice.toByteArray());
        assertThat(Calls.verify(directory)).as("two in one file").isInstanceOf(Broken.class);
        Files.write(file, whole);
        assertIntact(6, 6, 0);
    }

    @Test
    @DisplayName("L2: an archive that the database does not know of any more leaves a gap that is found")
    void aForgottenArchiveIsFound() throws Exception {
        for (int i = 0; i < 6; i++) {
            call(i, true);
        }
        archives().archive(NOON.plusSeconds(3), "operator");
        archives().archive(NOON.plusSeconds(5), "operator");
        assertIntact(6, 5, 0);
        Opened.tamper(directory, "CREATE TABLE kept AS SELECT * FROM ledger_archive");
        for (String which : List.of(
                "number = (SELECT min(number) FROM ledger_archive)",
                "number = (SELECT max(number) FROM ledger_archive)",
                "1 = 1")) {
            Opened.tamper(directory, "DELETE FROM ledger_archive WHERE " + which);
            assertThat(Calls.verify(directory)).as(which).isInstanceOf(Broken.class);
            Opened.tamper(directory, "DELETE FROM ledger_archive", "INSERT INTO ledger_archive SELECT * FROM kept");
            assertIntact(6, 5, 0);
        }
    }

    @Test
    @DisplayName("L2: a broken stretch is not archived, so that it stays where it was found")
    void aBrokenStretchIsNotArchived() throws Exception {
        for (int i = 0; i < 4; i++) {
            call(i, true);
        }
        Opened.tamper(directory, "UPDATE ledger SET tool = 'other' WHERE position = 2");
        assertThatThrownBy(() -> archives().archive(NOON.plusSeconds(9), "operator"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("broken at entry 2 of ledger, so nothing was archived");
        assertThat(rows("ledger")).isEqualTo(4);
        assertThat(archives().list()).isEmpty();
    }

    @Test
    void aFileInTheWayOfTheArchiveIsSaidAndNothingIsRemoved() throws Exception {
        call(1, true);
        Files.writeString(directory.resolve("ledger-archive"), "in the way");
        assertThatThrownBy(() -> archives().archive(NOON.plusSeconds(9), "operator"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("cannot be written")
                .hasMessageEndingWith("Nothing was removed.");
        assertThat(rows("ledger")).isEqualTo(1);
    }

    @Test
    @DisplayName("L2: an entry put where archived ones were is found")
    void anEntryInTheArchivesPlaceIsFound() throws Exception {
        for (int i = 0; i < 4; i++) {
            call(i, true);
        }
        archives().archive(NOON.plusSeconds(2), "operator");
        assertIntact(4, 2, 0);
        Opened.tamper(
                directory,
                "CREATE TABLE forged AS SELECT * FROM ledger LIMIT 1",
                "UPDATE forged SET intent = NULL, position = 2",
                "INSERT INTO ledger SELECT * FROM forged");
        assertThat(Calls.verify(directory)).asInstanceOf(type(Broken.class)).returns(2L, Broken::position);
    }

    @Test
    void thereIsNothingToArchiveTwice() {
        call(1, true);
        assertThat(archives().archive(NOON, "operator")).isEmpty();
        assertThat(archives().archive(NOON.plusSeconds(9), "operator")).hasSize(1);
        assertThat(archives().archive(NOON.plusSeconds(9), "operator")).isEmpty();
    }

    private LedgerArchives archives() {
        return opened.store().ledgerArchives();
    }

    private void assertIntact(long entries, long archived, long deleted) {
        assertThat(Calls.verify(directory))
                .asInstanceOf(type(Intact.class))
                .returns(entries, Intact::entries)
                .returns(archived, Intact::archived)
                .returns(deleted, Intact::deleted);
    }

    private void call(int number, boolean intended) {
        String id = "call" + number;
        if (intended) {
            opened.store().ledger().intend(intent(id, number));
        }
        opened.store().ledger().append(entry(id, number % 100, intended));
    }

    private static LedgerIntent intent(String id, int seconds) {
        return new LedgerIntent(
                new CallId(id),
                NOON.plusSeconds(seconds),
                "ann",
                new ToolName("files", "read"),
                ARGUMENTS,
                List.of(),
                "operator",
                null);
    }

    private static LedgerEntry entry(String id, int seconds, boolean intended) {
        return new LedgerEntry(
                new CallId(id),
                NOON.plusSeconds(seconds),
                "ann",
                new ToolName("files", "read"),
                ARGUMENTS,
                List.of(),
                Disposition.EXECUTED,
                null,
                null,
                1,
                1,
                0,
                null,
                intended,
                List.of(),
                new CallTrace(null, List.of(new CallTrace.Stage("closed", Duration.ofMillis(1)))));
    }

    private long rows(String table) {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("postern.db"));
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT count(*) FROM " + table)) {
            return rows.next() ? rows.getLong(1) : -1;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private List<String> unzipped(String name) throws IOException {
        try (var in = new GZIPInputStream(
                Files.newInputStream(directory.resolve("ledger-archive").resolve(name)))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    private void zip(String name, List<String> lines, int changed, String line) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(bytes)) {
            for (int i = 0; i < lines.size(); i++) {
                out.write(((i == changed ? line : lines.get(i)) + "\n").getBytes(StandardCharsets.UTF_8));
            }
        }
        Files.write(directory.resolve("ledger-archive").resolve(name), bytes.toByteArray());
    }
}
