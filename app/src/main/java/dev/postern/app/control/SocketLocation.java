package dev.postern.app.control;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Where a data directory's socket is: {@code postern.sock} in it, or, where that path is longer than the operating system
 * allows, in a private temporary directory whose path the file {@code postern.sock.path} records.
 */
final class SocketLocation {
    /** The smallest limit of the systems we run on (macOS: 104 with its terminating zero). */
    private static final int MAX_PATH_BYTES = 100;

    private final Path direct;
    private final Path record;

    SocketLocation(Path dataDirectory) {
        Path absolute = dataDirectory.toAbsolutePath();
        direct = absolute.resolve("postern.sock");
        record = absolute.resolve("postern.sock.path");
    }

    /** Where to connect to. */
    UnixDomainSocketAddress toConnect() throws IOException {
        if (fits(direct)) {
            return UnixDomainSocketAddress.of(direct);
        }
        return UnixDomainSocketAddress.of(Files.readString(record).strip());
    }

    /** Where to listen, with nothing standing there any more. The caller holds the directory's lock. */
    UnixDomainSocketAddress toBind() throws IOException {
        remove();
        if (fits(direct)) {
            return UnixDomainSocketAddress.of(direct);
        }
        Path directory = Files.createTempDirectory(
                Path.of("/tmp"),
                "postern-",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path socket = directory.resolve("postern.sock");
        Files.writeString(record, socket + "\n");
        return UnixDomainSocketAddress.of(socket);
    }

    /** Removes socket and record, if any. */
    void remove() throws IOException {
        Files.deleteIfExists(direct);
        if (Files.exists(record)) {
            Path socket = Path.of(Files.readString(record).strip());
            Files.deleteIfExists(socket);
            Path directory = socket.getParent();
            if (directory != null && String.valueOf(directory.getFileName()).startsWith("postern-")) {
                Files.deleteIfExists(directory);
            }
            Files.deleteIfExists(record);
        }
    }

    private static boolean fits(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8).length <= MAX_PATH_BYTES;
    }
}
