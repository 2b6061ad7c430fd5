package dev.postern.store.ledger;

import dev.postern.store.ledger.Verification.Broken;
import dev.postern.store.sql.Row;
import dev.postern.store.sql.Statements;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks the chains, through the archives and then the database, and what binds and signs them; stops at the first thing that
 * is wrong. Holds one line at a time.
 */
final class ChainCheck {
    /** An entry names the intent it closes, if its call had one. */
    private static final String ENTRIES = "SELECT " + LineFormat.ENTRY.columnList("l.") + ","
            + " CASE WHEN l.intent IS NULL THEN EXISTS (SELECT 1 FROM ledger_intent n WHERE n.id = l.id)"
            + " ELSE i.id IS DISTINCT FROM l.id END AS astray"
            + " FROM ledger l LEFT JOIN ledger_intent i ON i.position = l.intent"
            + " WHERE l.position > ? ORDER BY l.position";

    /** An intent is closed by one entry, here or in an archive, or open. */
    private static final String INTENTS = "SELECT " + LineFormat.INTENT.columnList("i.") + ","
            + " (SELECT count(*) FROM ledger l WHERE l.intent = i.position)"
            + " + (SELECT count(*) FROM ledger_open o WHERE o.intent = i.position)"
            + " + (SELECT count(*) FROM ledger_carried c WHERE c.intent = i.position) <> 1 AS astray"
            + " FROM ledger_intent i WHERE i.position > ? ORDER BY i.position";

    /** What is said of a call is said of one that has an entry. */
    private static final String TRACES = "SELECT " + LineFormat.TRACE.columnList("t.") + ","
            + " NOT EXISTS (SELECT 1 FROM ledger l WHERE l.id = t.id) AS astray"
            + " FROM ledger_trace t WHERE t.position > ? ORDER BY t.position";

    private static final String STRAY_OPEN = """
            SELECT count(*) FROM ledger_open o
            WHERE NOT EXISTS (SELECT 1 FROM ledger_intent i WHERE i.position = o.intent)""";

    private static final int PROGRESS_STEP = 10_000;

    private final Statements statements;
    private final Path directory;
    private final LedgerReader.Progress progress;
    private final ChainWalk entries;
    private final ChainWalk intents;
    private final ChainWalk traces;
    private final long total;
    private long done;
    private long archived;
    private long deleted;

    ChainCheck(Statements statements, Path directory, LedgerProofs proofs, LedgerReader.Progress progress)
            throws SQLException {
        this.statements = statements;
        this.directory = directory;
        this.progress = progress;
        this.entries = new ChainWalk(LineFormat.ENTRY, new SignedPoints(LineFormat.ENTRY, statements, proofs));
        this.intents = new ChainWalk(LineFormat.INTENT, new SignedPoints(LineFormat.INTENT, statements, proofs));
        this.traces = new ChainWalk(LineFormat.TRACE, new SignedPoints(LineFormat.TRACE, statements, proofs));
        this.total = statements.number("SELECT coalesce(sum(position), 0) FROM ledger_head");
    }

    Verification run() throws SQLException {
        Broken broken = null;
        for (ChainWalk walk : List.of(entries, intents, traces)) {
            broken = broken == null ? walk.resume(Head.ORIGIN) : broken;
        }
        if (broken == null) {
            broken = archives();
        }
        if (broken == null) {
            broken = along(entries, ENTRIES, "its intent is another call's, or is missing");
        }
        if (broken == null) {
            broken = along(intents, INTENTS, "no entry closes it, or more than one");
        }
        if (broken == null) {
            broken = along(traces, TRACES, "no entry has its id");
        }
        if (broken == null && statements.number(STRAY_OPEN) > 0) {
            broken = new Broken(LineFormat.INTENT.table(), 0, "", "an open intent is missing");
        }
        if (broken != null) {
            return broken;
        }
        progress.at(total, total);
        return new Verification.Intact(
                entries.last().position(),
                statements.number("SELECT count(*) FROM ledger_open"),
                entries.last().hash(),
                entries.points().signed(),
                archived,
                deleted);
    }

    private @Nullable Broken archives() throws SQLException {
        for (ArchivedSegment segment : ArchivedSegment.list(statements)) {
            Checkpoint end = segment.end();
            Broken unsigned = entries.points().signature(end);
            if (unsigned != null) {
                return unsigned;
            }
            long before = entries.last().position();
            for (ChainWalk walk : List.of(entries, intents, traces)) {
                Broken broken = segment.isDeleted()
                        ? walk.resume(end.head(walk.format()))
                        : new SegmentFiles(directory, segment.name()).check(walk, this::step);
                if (broken == null && !walk.last().equals(end.head(walk.format()))) {
                    broken = new Broken(
                            "ledger_archive",
                            segment.number(),
                            "",
                            segment.name() + " does not end where its checkpoint says");
                }
                if (broken != null) {
                    return broken;
                }
            }
            long lines = entries.last().position() - before;
            archived += segment.isDeleted() ? 0 : lines;
            deleted += segment.isDeleted() ? lines : 0;
        }
        return null;
    }

    private @Nullable Broken along(ChainWalk walk, String sql, String astray) throws SQLException {
        @Nullable Broken[] broken = {leftover(walk.format(), walk.last())};
        if (broken[0] != null) {
            return broken[0];
        }
        statements.visit(
                sql,
                row -> {
                    broken[0] = step(walk, row, astray);
                    return broken[0] == null;
                },
                walk.last().position());
        if (broken[0] != null) {
            return broken[0];
        }
        Broken unsigned = walk.points().end(walk.last());
        return unsigned == null ? end(walk) : unsigned;
    }

    /** Rows that were archived, and that a crash kept from being removed, still lead to the archive's end. */
    private @Nullable Broken leftover(LineFormat format, Head base) throws SQLException {
        @Nullable Broken[] broken = {null};
        @Nullable Head[] last = {null};
        statements.visit(
                "SELECT " + format.columnList("") + " FROM " + format.table()
                        + " WHERE position <= ? ORDER BY position",
                row -> {
                    ChainRow line = ChainRow.read(format, row);
                    Head before = last[0];
                    boolean follows = before == null
                            ? line.position() > 0
                            : line.position() == before.position() + 1
                                    && line.previousHash().equals(before.hash());
                    last[0] = line.asHead();
                    if (!follows || !line.isWhole()) {
                        broken[0] = new Broken(format.table(), line.position(), line.id(), "it does not belong there");
                    }
                    return broken[0] == null;
                },
                base.position());
        if (broken[0] == null && last[0] != null && !base.equals(last[0])) {
            return new Broken(format.table(), last[0].position(), "", "it does not lead to what was archived");
        }
        return broken[0];
    }

    private @Nullable Broken step(ChainWalk walk, Row row, String astray) throws SQLException {
        ChainRow line = ChainRow.read(walk.format(), row);
        Broken broken = walk.step(line.position(), line.id(), line.previousHash(), line.hash(), line.isWhole());
        if (broken == null && row.truth("astray")) {
            broken = new Broken(walk.format().table(), line.position(), line.id(), astray);
        }
        step();
        return broken;
    }

    private @Nullable Broken end(ChainWalk walk) throws SQLException {
        Head head = Head.of(walk.format(), statements);
        Head last = walk.last();
        if (head.equals(last)) {
            return null;
        }
        return new Broken(
                walk.format().table(),
                last.position() + 1,
                "",
                head.position() > last.position()
                        ? "it is missing: the chain ends at " + head.position()
                        : "the chain's end was changed");
    }

    private void step() {
        if (++done % PROGRESS_STEP == 0) {
            progress.at(done, total);
        }
    }
}
