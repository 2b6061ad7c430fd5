package dev.postern.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Files and directories that only their owner can read: mode 0600 and 0700 from the moment they exist. On a file system
 * without POSIX permissions the user's profile directory has to do that work, and nothing is checked.
 */
public final class PrivateFiles {
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");

    private static final FileAttribute<?>[] NONE = {};

    private PrivateFiles() {}

    /** Makes a directory, and the ones above it, unless it is there. */
    public static void createDirectory(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory, posix(directory) ? attributes(DIRECTORY) : NONE);
        }
    }

    /** Takes other users' rights to a directory away. */
    static void makePrivate(Path directory) throws IOException {
        if (!isPrivate(directory)) {
            Files.setPosixFilePermissions(directory, DIRECTORY);
        }
    }

    /** Makes an empty file unless it is there. */
    public static void createFile(Path file) throws IOException {
        if (Files.exists(file)) {
            return;
        }
        Files.createFile(file, posix(file) ? attributes(FILE) : NONE);
    }

    /**
     * Writes a file so that a crash leaves the old content or the new: through a neighbour that is flushed to the disk
     * and renamed.
     */
    public static void replace(Path file, byte[] content) throws IOException {
        Path neighbour = file.resolveSibling(file.getFileName() + ".tmp");
        Files.deleteIfExists(neighbour);
        createFile(neighbour);
        try (FileChannel channel = FileChannel.open(neighbour, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(neighbour, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        forceName(file);
    }

    /** Makes a new or changed name of a file survive a power cut, where the system lets a directory be opened. */
    public static void forceName(Path file) {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null) {
            return;
        }
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            // Windows cannot open a directory; its file system journals renames by itself.
        }
    }

    /** Whether nobody but the owner can read or write this file or directory. */
    public static boolean isPrivate(Path path) throws IOException {
        if (!posix(path)) {
            return true;
        }
        return DIRECTORY.containsAll(Files.getPosixFilePermissions(path));
    }

    private static FileAttribute<?>[] attributes(Set<PosixFilePermission> permissions) {
        return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)};
    }

    private static boolean posix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
