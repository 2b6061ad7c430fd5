package dev.postern.store.sql;

import java.sql.SQLException;
import org.sqlite.SQLiteException;

/**
 * The database failed. The message is the operation and the database's state code, or one plain sentence where a person
 * starting the program has to act. Never a driver's message and never a cause: both may quote a row.
 */
public final class StoreException extends RuntimeException {
    private final String message;

    private StoreException(String message) {
        this.message = message;
    }

    @Override
    public String getMessage() {
        return message;
    }

    /** A failure to explain to the person who started the program. */
    public static StoreException sentence(String sentence) {
        return new StoreException(sentence);
    }

    /** A failure in the middle of work, such as {@code vault.add failed (SQLITE_FULL)}. */
    static StoreException during(String operation, SQLException failure) {
        return new StoreException(operation + " failed (" + state(failure) + ")");
    }

    /** A failure that no statement reported, such as a closed database. */
    static StoreException during(String operation, String state) {
        return new StoreException(operation + " failed (" + state + ")");
    }

    /** The SQL state, or SQLite's result code, which the driver gives in its place. */
    static String state(SQLException failure) {
        if (failure instanceof SQLiteException sqlite) {
            return sqlite.getResultCode().name();
        }
        return failure.getSQLState() != null ? failure.getSQLState() : "error " + failure.getErrorCode();
    }
}
