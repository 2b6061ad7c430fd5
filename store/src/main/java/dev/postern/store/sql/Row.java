package dev.postern.store.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The row a reading stands at. Valid only inside the reader it is passed to. */
public final class Row {
    private final ResultSet rows;

    Row(ResultSet rows) {
        this.rows = rows;
    }

    /** Text of a column that is declared not to be null; if it is null, the read fails. */
    public String text(String column) throws SQLException {
        return present(rows.getString(column));
    }

    public @Nullable String textOrNull(String column) throws SQLException {
        return rows.getString(column);
    }

    public byte[] bytes(String column) throws SQLException {
        return present(rows.getBytes(column));
    }

    public byte @Nullable [] bytesOrNull(String column) throws SQLException {
        return rows.getBytes(column);
    }

    public long number(String column) throws SQLException {
        return rows.getLong(column);
    }

    long number(int column) throws SQLException {
        return rows.getLong(column);
    }

    public @Nullable Integer integerOrNull(String column) throws SQLException {
        int number = rows.getInt(column);
        return rows.wasNull() ? null : number;
    }

    public boolean truth(String column) throws SQLException {
        return rows.getBoolean(column);
    }

    public Instant instant(String column) throws SQLException {
        return Instant.ofEpochMilli(rows.getLong(column));
    }

    public @Nullable Instant instantOrNull(String column) throws SQLException {
        long epochMillis = rows.getLong(column);
        return rows.wasNull() ? null : Instant.ofEpochMilli(epochMillis);
    }

    /** The value of a column, counted from 1, in the type the database keeps it in, whatever the column is declared as. */
    public @Nullable Object raw(int column) throws SQLException {
        return rows.getObject(column);
    }

    private static <T> T present(@Nullable T value) throws SQLException {
        if (value == null) {
            throw new SQLException("null", "22004");
        }
        return value;
    }
}
