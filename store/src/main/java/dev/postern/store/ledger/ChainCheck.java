package dev.postern.store.ledger;

import dev.postern.store.ledger.Verification.Broken;
import dev.postern.store.sql.Row;
import dev.postern.store.sql.Statements;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Walks both chains, and the bonds between them, and stops at the first thing that is wrong. */
final class ChainCheck {
    /** An entry names the intent it closes, if its call had one. */
    private static final String ENTRIES = "SELECT " + LineFormat.ENTRY.columnList("l.") + ","
            + " CASE WHEN l.intent IS NULL THEN EXISTS (SELECT 1 FROM ledger_intent n WHERE n.id = l.id)"
            + " ELSE i.id IS DISTINCT FROM l.id END AS astray"
            + " FROM ledger l LEFT JOIN ledger_intent i ON i.position = l.intent ORDER BY l.position";

    /** An intent is closed by one entry, or open. */
    private static final String INTENTS = "SELECT " + LineFormat.INTENT.columnList("i.") + ","
            + " (SELECT count(*) FROM ledger l WHERE l.intent = i.position)"
            + " + (SELECT count(*) FROM ledger_open o WHERE o.intent = i.position) <> 1 AS astray"
            + " FROM ledger_intent i ORDER BY i.position";

    /** What is said of a call is said of one that has an entry. */
    private static final String TRACES = "SELECT " + LineFormat.TRACE.columnList("t.") + ","
            + " NOT EXISTS (SELECT 1 FROM ledger l WHERE l.id = t.id) AS astray"
            + " FROM ledger_trace t ORDER BY t.position";

    private static final String STRAY_OPEN = """
            SELECT count(*) FROM ledger_open o
            WHERE NOT EXISTS (SELECT 1 FROM ledger_intent i WHERE i.position = o.intent)""";

    private static final int PROGRESS_STEP = 10_000;

    private final Statements statements;
    private final LedgerReader.Progress progress;
    private final long total;
    private long done;

    ChainCheck(Statements statements, LedgerReader.Progress progress) throws SQLException {
        this.statements = statements;
        this.progress = progress;
        this.total = statements.number("SELECT coalesce(sum(position), 0) FROM ledger_head");
    }

    Verification run() throws SQLException {
        Walk entries = new Walk(LineFormat.ENTRY, "its intent is another call's, or is missing");
        Broken broken = entries.along(ENTRIES);
        if (broken == null) {
            broken = new Walk(LineFormat.INTENT, "no entry closes it, or more than one").along(INTENTS);
        }
        if (broken == null) {
            broken = new Walk(LineFormat.TRACE, "no entry has its id").along(TRACES);
        }
        if (broken == null && statements.number(STRAY_OPEN) > 0) {
            broken = new Broken(LineFormat.INTENT.table(), 0, "", "an open intent is missing");
        }
        if (broken != null) {
            return broken;
        }
        progress.at(total, total);
        return new Verification.Intact(
                entries.last.position(), statements.number("SELECT count(*) FROM ledger_open"), entries.last.hash());
    }

    /** Along one chain. */
    private final class Walk {
        private final LineFormat format;
        private final String astray;
        private Head last = Head.ORIGIN;
        private @Nullable Broken broken;

        Walk(LineFormat format, String astray) {
            this.format = format;
            this.astray = astray;
        }

        @Nullable
        Broken along(String sql) throws SQLException {
            statements.visit(sql, this::step);
            if (broken != null) {
                return broken;
            }
            Head head = Head.of(format, statements);
            if (head.equals(last)) {
                return null;
            }
            return new Broken(
                    format.table(),
                    last.position() + 1,
                    "",
                    head.position() > last.position()
                            ? "it is missing: the chain ends at " + head.position()
                            : "the chain's end was changed");
        }

        private boolean step(Row row) throws SQLException {
            ChainRow line = ChainRow.read(format, row);
            String reason = fault(line, row);
            if (reason != null) {
                broken = new Broken(format.table(), line.position(), line.id(), reason);
                return false;
            }
            last = line.asHead();
            if (++done % PROGRESS_STEP == 0) {
                progress.at(done, total);
            }
            return true;
        }

        private @Nullable String fault(ChainRow line, Row row) throws SQLException {
            if (line.position() != last.position() + 1) {
                return "line " + (last.position() + 1) + " before it is missing";
            }
            if (!line.previousHash().equals(last.hash())) {
                return "it does not follow from the line before";
            }
            if (!line.isWhole()) {
                return "it was changed";
            }
            return row.truth("astray") ? astray : null;
        }
    }
}
