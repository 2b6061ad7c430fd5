package dev.postern.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * The directory that holds everything of one installation, locked for this process. Mode 0700; the files in it 0600.
 *
 * <p>The lock is the operating system's on {@code postern.lock}, so it ends with the process, however that ends. The
 * file also holds the process's id, for the sentence a second process gets. Thread-safe.
 */
public final class DataDirectory implements AutoCloseable {
    private static final String DATABASE = "postern.db";
    private static final String KEY = "postern.key";
    private static final String LOCK = "postern.lock";

    /**
     * Who asks whether a directory is held holds it itself for an instant, so one refusal is not the last word.
     */
    private static final int ATTEMPTS = 20;

    private static final long BETWEEN_ATTEMPTS_NANOS = 25_000_000;

    /**
     * Directories this JVM holds. Needed because closing <em>any</em> descriptor of a file drops all POSIX locks that the
     * process has on it: the lock file must not even be opened again here.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel channel;

    private DataDirectory(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /**
     * Makes the directory where needed, and takes it for this process.
     *
     * @throws DataDirectoryException if it cannot be made or written, is no directory, or another process holds it
     */
    public static DataDirectory open(Path directory) {
        Path path = prepare(directory);
        if (!HELD.add(path)) {
            throw held(path, ProcessHandle.current().pid() + "");
        }
        try {
            return new DataDirectory(path, lock(path));
        } catch (RuntimeException e) {
            HELD.remove(path);
            throw e;
        }
    }

    /** Whether a process, this one included, holds the directory. Changes nothing there. */
    public static boolean isHeld(Path directory) {
        Path path;
        try {
            path = directory.toRealPath();
        } catch (IOException e) {
            return false;
        }
        if (HELD.contains(path)) {
            return true;
        }
        try (FileChannel channel = FileChannel.open(path.resolve(LOCK), StandardOpenOption.READ)) {
            FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true);
            return lock == null;
        } catch (IOException e) {
            return false;
        }
    }

    /** The database file of a directory that need not be held. */
    public static Path databaseIn(Path directory) {
        return directory.resolve(DATABASE);
    }

    /** The key file of a directory that need not be held. */
    public static Path keyIn(Path directory) {
        return directory.resolve(KEY);
    }

    /** The directory itself, absolute and without symbolic links. */
    public Path path() {
        return path;
    }

    /** The SQLite database. */
    public Path databaseFile() {
        return path.resolve(DATABASE);
    }

    /** The file that holds the key, where no other source is chosen (V2). */
    public Path keyFile() {
        return path.resolve(KEY);
    }

    /** Lets the next process in. Idempotent. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // The lock goes with the process at the latest.
        } finally {
            HELD.remove(path);
        }
    }

    @Override
    public String toString() {
        return "DataDirectory[" + path + "]";
    }

    private static Path prepare(Path directory) {
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new DataDirectoryException("The data directory " + directory + " is a file.");
        }
        try {
            PrivateFiles.createDirectory(directory);
            Path path = directory.toRealPath();
            if (!PrivateFiles.isPrivate(path)) {
                closeToOthers(path);
            }
            return path;
        } catch (IOException e) {
            throw new DataDirectoryException("The data directory " + directory
                    + " cannot be made or is not this user's: choose another with --data or POSTERN_DATA.");
        }
    }

    /**
     * Changes the mode of a directory that is new, ours, or holds nothing but files made for us, such as a configuration;
     * never that of, say, a home directory given by mistake.
     */
    private static void closeToOthers(Path path) throws IOException {
        boolean ours = Files.exists(path.resolve(LOCK));
        if (!ours) {
            try (Stream<Path> content = Files.list(path)) {
                ours = content.allMatch(file -> file.getFileName().toString().startsWith("postern."));
            }
        }
        if (!ours) {
            throw new DataDirectoryException(
                    "The data directory " + path
                            + " holds other files and is open to other users: make it private with chmod 700, or choose another.");
        }
        PrivateFiles.makePrivate(path);
    }

    private static FileChannel lock(Path path) {
        Path file = path.resolve(LOCK);
        FileChannel channel;
        try {
            PrivateFiles.createFile(file);
            channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new DataDirectoryException("The data directory " + path + " cannot be written.");
        }
        try {
            for (int attempt = 1; channel.tryLock() == null; attempt++) {
                if (attempt == ATTEMPTS) {
                    String holder = holder(channel);
                    channel.close();
                    throw held(path, holder);
                }
                LockSupport.parkNanos(BETWEEN_ATTEMPTS_NANOS);
            }
            channel.truncate(0);
            channel.write(
                    StandardCharsets.US_ASCII.encode(ProcessHandle.current().pid() + "\n"), 0);
            return channel;
        } catch (IOException e) {
            closeQuietly(channel);
            throw new DataDirectoryException("The data directory " + path + " cannot be locked.");
        }
    }

    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(32);
        channel.read(text, 0);
        String id = StandardCharsets.US_ASCII.decode(text.flip()).toString().strip();
        return id.chars().allMatch(Character::isDigit) ? id : "";
    }

    private static DataDirectoryException held(Path path, String holder) {
        return new DataDirectoryException("The data directory " + path + " is in use by "
                + (holder.isEmpty() ? "another process." : "process " + holder + "."));
    }

    private static void closeQuietly(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // Nothing more can be done about it.
        }
    }
}
