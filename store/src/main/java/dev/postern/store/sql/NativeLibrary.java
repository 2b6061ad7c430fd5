package dev.postern.store.sql;

import dev.postern.store.file.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * Keeps SQLite's native library unpacked beside the database, which spares every later start the unpacking. Whoever can
 * change the copy can change the database and read the key file as well, so it is trusted as they are. Where anything
 * about it fails, the driver unpacks its own copy as it always does.
 */
final class NativeLibrary {
    private static final String PATH_PROPERTY = "org.sqlite.lib.path";

    private NativeLibrary() {}

    /** To be called before the first connection; a path the launcher has set is left alone. */
    static void prepare(Path directory) {
        if (System.getProperty(PATH_PROPERTY) != null) {
            return;
        }
        try {
            Path kept = directory.resolve("lib").resolve("sqlite-" + SQLiteJDBCLoader.getVersion());
            Path library = kept.resolve(LibraryLoaderUtil.getNativeLibName());
            if (Files.notExists(library)) {
                unpack(kept, library);
            }
            System.setProperty(PATH_PROPERTY, kept.toString());
        } catch (IOException e) {
            // Slower, not worse.
        }
    }

    private static void unpack(Path directory, Path library) throws IOException {
        String resource = LibraryLoaderUtil.getNativeLibResourcePath() + "/" + library.getFileName();
        try (InputStream packed = SQLiteJDBCLoader.class.getResourceAsStream(resource)) {
            if (packed == null) {
                throw new IOException("not in this driver");
            }
            PrivateFiles.createDirectory(directory);
            PrivateFiles.replace(library, packed.readAllBytes());
        }
    }
}
