package dev.postern.store.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements on one connection, keeping them prepared: the texts are constants of this module, so there are few. Used
 * by one thread.
 *
 * <p>Parameters are strings, integers, booleans, byte arrays and instants (as epoch milliseconds), or null.
 */
public final class Statements {
    private final Connection connection;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    public Statements(Connection connection) {
        this.connection = connection;
    }

    /** Reads a row into an object. */
    @FunctionalInterface
    public interface Reader<T> {
        T read(Row row) throws SQLException;
    }

    /** Takes a row; false ends the reading. */
    @FunctionalInterface
    public interface Visitor {
        boolean visit(Row row) throws SQLException;
    }

    /** Inserts, updates or deletes; returns the number of rows changed. */
    public int update(String sql, @Nullable Object... parameters) throws SQLException {
        try {
            return bound(sql, parameters).executeUpdate();
        } catch (SQLException e) {
            forget(sql);
            throw e;
        }
    }

    /** Every row. */
    public <T> List<T> list(String sql, Reader<T> reader, @Nullable Object... parameters) throws SQLException {
        List<T> list = new ArrayList<>();
        visit(
                sql,
                row -> {
                    list.add(reader.read(row));
                    return true;
                },
                parameters);
        return list;
    }

    /** The first row, if there is one. */
    public <T> Optional<T> first(String sql, Reader<T> reader, @Nullable Object... parameters) throws SQLException {
        List<T> first = new ArrayList<>(1);
        visit(
                sql,
                row -> {
                    first.add(reader.read(row));
                    return false;
                },
                parameters);
        return first.stream().findFirst();
    }

    /** The number in the first column of the one row there is; 0 for null. */
    public long number(String sql, @Nullable Object... parameters) throws SQLException {
        long[] number = {0};
        visit(
                sql,
                row -> {
                    number[0] = row.number(1);
                    return false;
                },
                parameters);
        return number[0];
    }

    /** Row by row, holding one at a time. */
    public void visit(String sql, Visitor visitor, @Nullable Object... parameters) throws SQLException {
        try (ResultSet rows = bound(sql, parameters).executeQuery()) {
            Row row = new Row(rows);
            while (rows.next() && visitor.visit(row)) {
                // The visitor does the work.
            }
        } catch (SQLException e) {
            forget(sql);
            throw e;
        }
    }

    /** The driver finalizes a statement that fails with most codes, such as a full disk, and never runs it again. */
    private void forget(String sql) {
        PreparedStatement failed = prepared.remove(sql);
        if (failed != null) {
            try {
                failed.close();
            } catch (SQLException e) {
                // It is gone already.
            }
        }
    }

    /** Runs a statement that is not kept, such as a setting, which SQLite may apply while it prepares it. */
    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Closes the connection. */
    void close() {
        SqliteFile.closeQuietly(connection);
    }

    private PreparedStatement bound(String sql, @Nullable Object... parameters) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        for (int i = 0; i < parameters.length; i++) {
            bind(statement, i + 1, parameters[i]);
        }
        return statement;
    }

    private static void bind(PreparedStatement statement, int index, @Nullable Object parameter) throws SQLException {
        switch (parameter) {
            case null -> statement.setObject(index, null);
            case String text -> statement.setString(index, text);
            case Long number -> statement.setLong(index, number);
            case Integer number -> statement.setLong(index, number);
            case Boolean truth -> statement.setInt(index, truth ? 1 : 0);
            case Instant instant -> statement.setLong(index, instant.toEpochMilli());
            case byte[] bytes -> statement.setBytes(index, bytes);
            default -> throw new IllegalArgumentException("a parameter of type " + parameter.getClass());
        }
    }
}
