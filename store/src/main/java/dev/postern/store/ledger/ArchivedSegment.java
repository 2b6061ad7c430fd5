package dev.postern.store.ledger;

import dev.postern.store.sql.Row;
import dev.postern.store.sql.Statements;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of the ledger that was moved out of the database, or what is left of it: its signed end.
 *
 * @param number from 1
 * @param name of its files, without their endings
 * @param end where each chain stood at its last entry
 * @param entries how many are in it
 * @param firstAt when its first call came in
 * @param lastAt when its last call came in
 * @param deleted when its files were deleted on purpose; null while they are there
 */
public record ArchivedSegment(
        long number,
        String name,
        Checkpoint end,
        long entries,
        String firstAt,
        String lastAt,
        Instant archived,
        @Nullable Instant deleted) {
    private static final String ALL = "SELECT a.number AS segment, a.name, a.entries AS lines, a.first_at, a.last_at,"
            + " a.archived_at, a.deleted_at, c.number, c.at, c.entries, c.hash, c.intents, c.intent_hash, c.traces,"
            + " c.trace_hash, c.key, c.signature"
            + " FROM ledger_archive a JOIN ledger_checkpoint c ON c.number = a.checkpoint ORDER BY a.number";

    /** In order. */
    static List<ArchivedSegment> list(Statements statements) throws SQLException {
        return statements.list(ALL, ArchivedSegment::read);
    }

    /** Where the database's part of a chain begins. */
    static Head base(LineFormat chain, Statements statements) throws SQLException {
        List<ArchivedSegment> all = list(statements);
        return all.isEmpty() ? Head.ORIGIN : all.getLast().end().head(chain);
    }

    private static ArchivedSegment read(Row row) throws SQLException {
        return new ArchivedSegment(
                row.number("segment"),
                row.text("name"),
                Checkpoint.read(row),
                row.number("lines"),
                row.text("first_at"),
                row.text("last_at"),
                row.instant("archived_at"),
                row.instantOrNull("deleted_at"));
    }

    public boolean isDeleted() {
        return deleted != null;
    }
}
