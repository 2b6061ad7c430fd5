package dev.postern.store.ledger;

import dev.postern.store.sql.Row;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of a chained table, as it stands.
 *
 * @param values its columns in the format's order, in the types the database keeps
 */
record ChainRow(LineFormat format, long position, List<@Nullable Object> values, String previousHash, String hash) {

    /** Reads a row of {@link LineFormat#columnList}. */
    static ChainRow read(LineFormat format, Row row) throws SQLException {
        List<@Nullable Object> values = new ArrayList<>(format.width());
        for (int i = 0; i < format.width(); i++) {
            values.add(row.raw(i + 2));
        }
        return new ChainRow(
                format,
                row.number("position"),
                values,
                String.valueOf(row.raw(format.width() + 2)),
                String.valueOf(row.raw(format.width() + 3)));
    }

    /** The row that follows a chain's head. */
    static ChainRow after(LineFormat format, Head head, List<@Nullable Object> values) {
        String hash = LineFormat.hash(format.unhashed(values, head.hash()));
        return new ChainRow(format, head.position() + 1, values, head.hash(), hash);
    }

    Head asHead() {
        return new Head(position, hash);
    }

    String id() {
        return String.valueOf(values.getFirst());
    }

    /** The line as it is exported. */
    byte[] line() {
        return LineFormat.hashed(format.unhashed(values, previousHash), hash);
    }

    /** Whether the hash is that of the columns. */
    boolean isWhole() {
        return format.isTyped(values)
                && LineFormat.hash(format.unhashed(values, previousHash)).equals(hash);
    }

    @Override
    public String toString() {
        return "ChainRow[" + format + " " + position + "]";
    }
}
