package dev.postern.store.sql;

import dev.postern.store.file.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import org.sqlite.SQLiteOpenMode;

/** A SQLite file and how connections to it are opened. What is wrong with the file is told in one plain sentence. */
public final class SqliteFile {
    private static final int BUSY_TIMEOUT_MILLIS = 5_000;
    private static final long JOURNAL_SIZE_LIMIT_BYTES = 64L * 1024 * 1024;

    private final Path path;

    public SqliteFile(Path path) {
        this.path = path;
    }

    /** Whether there is something in the file. */
    boolean exists() {
        try {
            return Files.exists(path) && Files.size(path) > 0;
        } catch (IOException e) {
            throw StoreException.sentence("The database " + path + " cannot be read.");
        }
    }

    /**
     * Opens the file for writing, making it (mode 0600; SQLite gives its journal the same) where there is none.
     *
     * @throws StoreException with a sentence, if it is no database, damaged, or cannot be written
     */
    Connection open() {
        try {
            PrivateFiles.createFile(path);
        } catch (IOException e) {
            throw StoreException.sentence("The database " + path + " cannot be made: its directory is not writable.");
        }
        if (!Files.isWritable(path)) {
            throw StoreException.sentence("The database " + path + " cannot be written: this user may only read it.");
        }
        try {
            return connect(false);
        } catch (SQLException e) {
            throw explained(e);
        }
    }

    /**
     * Opens the file as it stands, for reading alone, whether or not another process has it open.
     *
     * @throws StoreException with a sentence, if there is none, it is no database or damaged
     */
    public Connection openReadOnly() {
        if (Files.notExists(path)) {
            throw StoreException.sentence("There is no database " + path + ".");
        }
        try {
            return readOnly(false);
        } catch (SQLException e) {
            if (Files.exists(path.resolveSibling(path.getFileName() + "-wal"))) {
                throw explained(e);
            }
            // Nobody has it open and the directory cannot be written, so SQLite cannot make its shared memory file; nor
            // need it: the file holds everything and does not change.
            try {
                return readOnly(true);
            } catch (SQLException again) {
                throw explained(again);
            }
        }
    }

    /** Opens one more connection to a file that {@link #open} has opened. */
    Connection connect(boolean readOnly) throws SQLException {
        Connection connection = connection(new SQLiteConfig(), "");
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = " + BUSY_TIMEOUT_MILLIS);
            if (readOnly) {
                statement.execute("PRAGMA query_only = ON");
            } else {
                statement.execute("PRAGMA secure_delete = ON");
                statement.execute("PRAGMA journal_mode = WAL");
                statement.execute("PRAGMA synchronous = FULL");
                statement.execute("PRAGMA foreign_keys = ON");
                statement.execute("PRAGMA journal_size_limit = " + JOURNAL_SIZE_LIMIT_BYTES);
            }
            return connection;
        } catch (SQLException e) {
            closeQuietly(connection);
            throw e;
        }
    }

    private Connection readOnly(boolean immutable) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        Connection connection = connection(config, immutable ? "?immutable=1" : "");
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = " + BUSY_TIMEOUT_MILLIS);
            statement.execute("SELECT count(*) FROM sqlite_master");
            return connection;
        } catch (SQLException e) {
            closeQuietly(connection);
            throw e;
        }
    }

    private Connection connection(SQLiteConfig config, String query) throws SQLException {
        // As a URI, so that no character of the path means anything else.
        config.setOpenMode(SQLiteOpenMode.OPEN_URI);
        String url = "jdbc:sqlite:file:" + path.toUri().getRawPath() + query;
        Connection connection = new JDBC().connect(url, config.toProperties());
        if (connection == null) {
            throw new SQLException("no connection", "08001");
        }
        return connection;
    }

    /** What a person can do about it. */
    StoreException explained(SQLException failure) {
        SQLiteErrorCode code =
                failure instanceof SQLiteException sqlite ? sqlite.getResultCode() : SQLiteErrorCode.UNKNOWN_ERROR;
        return StoreException.sentence("The database " + path
                + switch (code.code & 0xFF) {
                    case 26 -> " is not a database. Nothing was changed.";
                    case 11 -> " is damaged: restore it from a backup. Nothing was changed.";
                    case 8 -> " cannot be written: its directory or file is read-only.";
                    case 14 -> " cannot be opened: its directory or file is not accessible.";
                    case 5, 6 -> " is locked by another program.";
                    case 13 -> " cannot be written: the disk is full.";
                    default -> " cannot be opened (" + StoreException.state(failure) + ").";
                });
    }

    static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            // What was committed is on the disk; there is nothing else to save.
        }
    }
}
