package dev.postern.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postern.store.Forked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One process, private files, plain sentences. */
final class DataDirectoryTest {
    @TempDir
    Path temporary;

    @Test
    void aNewDirectoryIsPrivateWithEverythingAboveIt() throws IOException {
        Path path = temporary.resolve("a/b");
        try (DataDirectory directory = DataDirectory.open(path)) {
            assertThat(mode(directory.path())).isEqualTo("rwx------");
            assertThat(mode(directory.path().resolve("postern.lock"))).isEqualTo("rw-------");
        }
    }

    @Test
    void anEmptyDirectoryIsMadePrivateAndAForeignOneIsNot() throws IOException {
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxr-xr-x"));
        DataDirectory.open(temporary).close();
        assertThat(mode(temporary)).isEqualTo("rwx------");

        Path foreign = Files.createDirectory(temporary.resolve("foreign"));
        Files.createFile(foreign.resolve("letter.txt"));
        Files.setPosixFilePermissions(foreign, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThatThrownBy(() -> DataDirectory.open(foreign))
                .isInstanceOf(DataDirectoryException.class)
                .hasMessageContaining("holds other files and is open to other users");
        assertThat(mode(foreign)).isEqualTo("rwxr-xr-x");
    }

    @Test
    void aDirectoryIsHeldOnceInAProcess() {
        DataDirectory first = DataDirectory.open(temporary);
        assertThat(DataDirectory.isHeld(temporary)).isTrue();
        assertThatThrownBy(() -> DataDirectory.open(temporary))
                .isInstanceOf(DataDirectoryException.class)
                .hasMessageEndingWith(
                        " is in use by process " + ProcessHandle.current().pid() + ".");
        first.close();
        first.close();
        assertThat(DataDirectory.isHeld(temporary)).isFalse();
        DataDirectory.open(temporary).close();
    }

    @Test
    void anotherProcessIsNamedAndItsLockEndsWithIt() throws Exception {
        try (Forked holder = Forked.start(Holder.class, temporary.toString())) {
            assertThat(holder.line()).isEqualTo("held");
            assertThat(DataDirectory.isHeld(temporary)).isTrue();
            assertThatThrownBy(() -> DataDirectory.open(temporary))
                    .isInstanceOf(DataDirectoryException.class)
                    .hasMessageEndingWith(" is in use by process " + holder.pid() + ".");
            holder.kill();
        }
        assertThat(DataDirectory.isHeld(temporary)).isFalse();
        DataDirectory.open(temporary).close();
    }

    @Test
    void aFileIsNoDirectory() throws IOException {
        Path file = Files.createFile(temporary.resolve("file"));
        assertThatThrownBy(() -> DataDirectory.open(file))
                .isInstanceOf(DataDirectoryException.class)
                .hasMessage("The data directory " + file + " is a file.");
        assertThatThrownBy(() -> DataDirectory.open(file.resolve("below")))
                .isInstanceOf(DataDirectoryException.class)
                .hasMessageContaining("cannot be made");
    }

    /** In {@code /proc} even root cannot make a file. */
    @Test
    void aDirectoryThatCannotBeWrittenIsSaidToBeOne() {
        Path unwritable = Path.of("/proc/self/fd");
        assumeTrue(Files.isDirectory(unwritable), "no such directory on this system");
        assertThatThrownBy(() -> DataDirectory.open(unwritable))
                .isInstanceOf(DataDirectoryException.class)
                .hasMessageEndingWith(" cannot be written.");
        assertThatThrownBy(() -> DataDirectory.open(Path.of("/proc/self/none")))
                .isInstanceOf(DataDirectoryException.class)
                .hasMessageContaining("cannot be made");
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    /** Holds a directory until it is killed. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] arguments) throws InterruptedException {
            DataDirectory directory = DataDirectory.open(Path.of(arguments[0]));
            System.out.println("held");
            System.out.flush();
            new CountDownLatch(1).await();
            directory.close();
        }
    }
}
