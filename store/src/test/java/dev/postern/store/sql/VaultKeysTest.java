package dev.postern.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.reference.Field;
import dev.postern.store.Opened;
import dev.postern.store.crypto.KeyException;
import dev.postern.store.crypto.KeySource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** V2: wrong keys, rotation and its crashes, checking. */
final class VaultKeysTest {
    private static final String ONE = "11".repeat(32);
    private static final String TWO = "22".repeat(32);

    @TempDir
    Path directory;

    @Test
    void aWrongKeyStopsTheStartAndTouchesNothing() throws IOException {
        try (Opened opened = Opened.in(directory, given(ONE))) {
            opened.add("key", "the-value", null);
        }
        Map<String, byte[]> before = files();
        assertThatThrownBy(() -> Opened.in(directory, given(TWO)))
                .isInstanceOf(KeyException.class)
                .hasMessage("The key does not open the vault in " + directory.toRealPath()
                        + ": it was made with another one. Nothing was changed.");
        assertSame(before, files());
        try (Opened opened = Opened.in(directory, given(ONE))) {
            assertThat(opened.open(opened.find("key").orElseThrow(), Field.PASSWORD))
                    .isEqualTo("the-value");
        }
    }

    @Test
    void anotherKindOfKeyStopsTheStartAndMakesNoKeyFile() throws IOException {
        Opened.in(directory, given(ONE)).close();
        Map<String, byte[]> before = files();
        assertThatThrownBy(() -> Opened.in(directory))
                .isInstanceOf(KeyException.class)
                .hasMessageContaining("is opened by a key in POSTERN_KEY, not by a key file.");
        assertSame(before, files());
    }

    @Test
    void aReplacedKeyFileStopsTheStart() throws IOException {
        Opened.in(directory).close();
        Path file = directory.resolve("postern.key");
        Files.writeString(file, TWO);
        assertThatThrownBy(() -> Opened.in(directory)).isInstanceOf(KeyException.class);
        assertThat(file).hasContent(TWO);
    }

    @Test
    @DisplayName("V2: rotation rewraps every data key, and the old key file opens nothing any more")
    void rotatingRewrapsEverything() throws IOException {
        Path file = directory.resolve("postern.key");
        byte[] oldKey;
        try (Opened opened = Opened.in(directory)) {
            oldKey = Files.readAllBytes(file);
            try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < 450; i++) {
                    int number = i;
                    callers.execute(() -> opened.add("key" + number, "value" + number, "notes" + number));
                }
            }
            opened.rotate("key7", "newer");
            assertThat(opened.store().keys().rotate("ada")).isEqualTo(451);
            assertThat(Files.readAllBytes(file)).isNotEqualTo(oldKey);
            opened.add("after", "after-value", null);
            check(opened);
        }
        try (Opened opened = Opened.in(directory)) {
            check(opened);
        }
        Files.write(file, oldKey);
        assertThatThrownBy(() -> Opened.in(directory)).isInstanceOf(KeyException.class);
    }

    private static void check(Opened opened) {
        assertThat(opened.open(opened.find("key7").orElseThrow(), Field.PASSWORD))
                .isEqualTo("newer");
        assertThat(opened.open(opened.find("key449").orElseThrow(), Field.NOTES))
                .isEqualTo("notes449");
        assertThat(opened.store().keys().check()).returns(452L, VaultKeys.Check::opened);
        assertThat(opened.store().keys().check().broken()).isEmpty();
    }

    @Test
    void aVaultCanMoveToAnotherSource() {
        try (Opened opened = Opened.in(directory, given(ONE))) {
            opened.add("key", "the-value", null);
            opened.store().keys().rotate(given(TWO), "ada");
        }
        assertThatThrownBy(() -> Opened.in(directory, given(ONE))).isInstanceOf(KeyException.class);
        try (Opened opened = Opened.in(directory, given(TWO))) {
            opened.store().keys().rotate(KeySource.passphrase(Opened.secret("correct horse")), "ada");
        }
        assertThatThrownBy(() -> Opened.in(directory, KeySource.passphrase(Opened.secret("wrong horse"))))
                .isInstanceOf(KeyException.class);
        try (Opened opened = Opened.in(directory, KeySource.passphrase(Opened.secret("correct horse")))) {
            assertThat(opened.open(opened.find("key").orElseThrow(), Field.PASSWORD))
                    .isEqualTo("the-value");
        }
    }

    @Test
    void aCrashBeforeTheNewKeyIsStoredLeavesTheOldOneInForce() throws IOException {
        Path file = directory.resolve("postern.key");
        try (Opened opened = Opened.in(directory)) {
            opened.add("key", "the-value", null);
        }
        Files.copy(file, directory.resolve("other"));
        Path next = Files.move(directory.resolve("other"), directory.resolve("postern.key.next"));
        Files.writeString(next, TWO);
        try (Opened opened = Opened.in(directory)) {
            assertThat(opened.open(opened.find("key").orElseThrow(), Field.PASSWORD))
                    .isEqualTo("the-value");
        }
    }

    @Test
    void aCrashBeforeTheNewKeyFileIsInPlaceIsMendedAtTheNextStart() throws IOException {
        Path file = directory.resolve("postern.key");
        byte[] oldKey;
        try (Opened opened = Opened.in(directory)) {
            oldKey = Files.readAllBytes(file);
            opened.add("key", "the-value", null);
            opened.store().keys().rotate("ada");
        }
        Files.move(file, directory.resolve("postern.key.next"), StandardCopyOption.REPLACE_EXISTING);
        Files.write(file, oldKey);
        Files.setPosixFilePermissions(file, Files.getPosixFilePermissions(directory.resolve("postern.key.next")));
        try (Opened opened = Opened.in(directory)) {
            assertThat(opened.open(opened.find("key").orElseThrow(), Field.PASSWORD))
                    .isEqualTo("the-value");
        }
        assertThat(directory.resolve("postern.key.next")).doesNotExist();
        assertThat(Files.readAllBytes(file)).isNotEqualTo(oldKey);
    }

    @Test
    void aRotationCutShortIsFinishedAtTheNextStartAndABrokenRowDoesNotStopIt() throws SQLException {
        try (Opened opened = Opened.in(directory)) {
            opened.add("good", "the-value", null);
            opened.add("broken", "the-value", null);
        }
        Opened.tamper(
                directory,
                "UPDATE secret_version SET wrapped_key = zeroblob(61)"
                        + " WHERE secret_id = (SELECT id FROM secret WHERE name = 'broken')");
        try (Opened opened = Opened.in(directory)) {
            assertThat(opened.store().keys().rotate("ada")).isEqualTo(2);
        }
        try (Opened opened = Opened.in(directory)) {
            assertThat(opened.open(opened.find("good").orElseThrow(), Field.PASSWORD))
                    .isEqualTo("the-value");
            assertThat(opened.store().keys().check().broken())
                    .containsExactly(opened.find("broken").orElseThrow().id().toString());
        }
    }

    private static KeySource given(String text) {
        return KeySource.given(Opened.secret(text));
    }

    private Map<String, byte[]> files() throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> list = Files.list(directory)) {
            for (Path file : list.filter(Files::isRegularFile).toList()) {
                String name = file.getFileName().toString();
                if (!name.endsWith("-shm") && !name.equals("postern.lock")) {
                    files.put(name, Files.readAllBytes(file));
                }
            }
        }
        return files;
    }

    private static void assertSame(Map<String, byte[]> before, Map<String, byte[]> after) {
        // A reader leaves an empty journal beside the file, which holds nothing.
        after.entrySet().removeIf(file -> file.getKey().endsWith("-wal") && file.getValue().length == 0);
        assertThat(after.keySet()).isEqualTo(before.keySet());
        before.forEach((name, bytes) -> assertThat(after.get(name)).as(name).isEqualTo(bytes));
    }
}
