package dev.postern.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.reference.Field;
import dev.postern.store.Opened;
import dev.postern.store.ledger.LedgerReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can be wrong with a database at the start: one plain sentence, and nothing is damaged. */
final class OpeningTest {
    @TempDir
    Path directory;

    @Test
    void everyFileIsForItsOwnerOnly() throws IOException {
        try (Opened opened = Opened.in(directory.resolve("data"))) {
            opened.add("key", "the-value", null);
            assertThat(mode(directory.resolve("data"))).isEqualTo("rwx------");
            try (Stream<Path> files = Files.walk(directory.resolve("data"))) {
                assertThat(files.filter(Files::isRegularFile).toList())
                        .hasSizeGreaterThanOrEqualTo(5)
                        .allSatisfy(
                                file -> assertThat(mode(file)).as("%s", file).isEqualTo("rw-------"));
            }
        }
    }

    @Test
    void aDatabaseOfANewerPosternIsLeftAlone() throws Exception {
        Opened.in(directory).close();
        Opened.tamper(directory, "INSERT INTO schema_version (version) VALUES (99)");
        byte[] before = Files.readAllBytes(database());
        assertThatThrownBy(() -> Opened.in(directory))
                .isInstanceOf(StoreException.class)
                .hasMessage("The database " + database().toRealPath()
                        + " was written by a newer Postern (schema 99; this one knows "
                        + Migrations.current() + "). Nothing was changed.");
        assertThatThrownBy(() -> LedgerReader.open(directory))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("use the newer one");
        assertThat(Files.readAllBytes(database())).isEqualTo(before);
    }

    @Test
    void anotherFileInItsPlaceIsLeftAlone() throws IOException {
        byte[] content = "not a database at all\n".repeat(500).getBytes(StandardCharsets.UTF_8);
        Files.write(database(), content);
        assertThatThrownBy(() -> Opened.in(directory))
                .isInstanceOf(StoreException.class)
                .hasMessageEndingWith("postern.db is not a database. Nothing was changed.");
        assertThat(Files.readAllBytes(database())).isEqualTo(content);
        assertThat(directory.resolve("postern.key")).doesNotExist();
    }

    @Test
    void aDamagedDatabaseIsLeftAlone() throws IOException {
        Opened.in(directory).close();
        byte[] content = Files.readAllBytes(database());
        Arrays.fill(content, 100, 4096, (byte) 0x5a);
        Files.write(database(), content);
        assertThatThrownBy(() -> Opened.in(directory))
                .isInstanceOf(StoreException.class)
                .hasMessageEndingWith("postern.db is damaged: restore it from a backup. Nothing was changed.");
        assertThat(Files.readAllBytes(database())).isEqualTo(content);
    }

    @Test
    void aTruncatedDatabaseIsNotWrittenTo() throws IOException {
        Opened.in(directory).close();
        byte[] content = Arrays.copyOf(Files.readAllBytes(database()), 5000);
        Files.write(database(), content);
        assertThatThrownBy(() -> Opened.in(directory)).isInstanceOf(StoreException.class);
        assertThat(Files.readAllBytes(database())).isEqualTo(content);
    }

    @Test
    void aFirstStartThatWasCutShortIsGoneOnWith() throws IOException {
        Files.createFile(database());
        try (Opened opened = Opened.in(directory)) {
            assertThat(opened.open(opened.add("key", "the-value", null), Field.PASSWORD))
                    .isEqualTo("the-value");
        }
    }

    @Test
    void aDirectoryWithOddCharactersIsADirectory() {
        Path odd = directory.resolve("a b?c=d&e#f%20ü");
        Opened.in(odd).close();
        assertThat(odd.resolve("postern.db")).exists();
        LedgerReader.open(odd).close();
    }

    @Test
    void thereIsNoLedgerWhereThereIsNoDatabase() {
        assertThatThrownBy(() -> LedgerReader.open(directory))
                .isInstanceOf(StoreException.class)
                .hasMessageStartingWith("There is no database ");
        assertThat(database()).doesNotExist();
    }

    /** Holds for root as well, who may write what is read-only. */
    @Test
    void aJournalThatCannotBeWrittenIsSaidAndNothingIsChanged() throws IOException {
        Opened.in(directory).close();
        byte[] before = Files.readAllBytes(database());
        Files.createDirectory(directory.resolve("postern.db-wal"));
        assertThatThrownBy(() -> Opened.in(directory))
                .isInstanceOf(StoreException.class)
                .hasMessageEndingWith("postern.db cannot be opened: its directory or file is not accessible.");
        assertThat(Files.readAllBytes(database())).isEqualTo(before);
    }

    /** As in a directory that is read-only: SQLite's shared memory cannot be made, and nobody else has the file open. */
    @Test
    void aLedgerWhereNothingCanBeWrittenCanBeRead() throws IOException {
        Opened.in(directory).close();
        Files.createDirectory(directory.resolve("postern.db-shm"));
        try (LedgerReader reader = LedgerReader.open(directory)) {
            assertThat(reader.tail(10)).isEmpty();
        }
    }

    private Path database() {
        return directory.resolve("postern.db");
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
