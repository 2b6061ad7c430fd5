package dev.postern.store.ledger;

import dev.postern.store.file.DataDirectory;
import dev.postern.store.ledger.Verification.Broken;
import dev.postern.store.sql.Database;
import dev.postern.store.sql.OperatorLog;
import dev.postern.store.sql.ReadOnlyDatabase;
import dev.postern.store.sql.Statements;
import dev.postern.store.sql.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Moves old entries out of the database, provably: a segment is written to files, its end is signed, and only then are its rows
 * removed. Verification goes through the files first. When files are deleted in the end, the signed end of the segment stays:
 * it proves how many entries there were, and that those after it follow. Thread-safe; one archive at a time.
 */
public final class LedgerArchives {
    /** A segment is at most so long, so that neither a file nor a look at one is without bounds. */
    static final long LARGEST_SEGMENT = 1_000_000;

    private static final int ROWS_A_TRANSACTION = 500;

    private static final String FIRST_KEPT =
            "SELECT position FROM ledger WHERE position > ? AND +at >= ? ORDER BY position LIMIT 1";
    private static final String AT = "SELECT at FROM ledger WHERE position = ?";
    private static final String NEEDED_INTENT = """
            SELECT coalesce(min(intent), 0) FROM (
                SELECT min(intent) AS intent FROM ledger_open
                UNION ALL SELECT min(intent) FROM ledger WHERE position > ?)""";
    private static final String LAST_TRACE = """
            SELECT coalesce((SELECT t.position FROM ledger l JOIN ledger_trace t ON t.id = l.id
            WHERE l.position <= ? ORDER BY l.position DESC LIMIT 1), 0)""";
    private static final String CARRY = """
            INSERT INTO ledger_carried (intent)
            SELECT intent FROM ledger WHERE position > ? AND position <= ? AND intent > ?""";
    private static final String DROP_CARRIED = "DELETE FROM ledger_carried WHERE intent <= ?";
    private static final String RECORD = """
            INSERT INTO ledger_archive (number, name, checkpoint, entries, first_at, last_at, archived_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)""";
    private static final String DELETED = "UPDATE ledger_archive SET deleted_at = ? WHERE number = ?";

    private final Database database;
    private final Path directory;
    private final Checkpoints checkpoints;
    private final OperatorLog log;
    private final InstantSource clock;
    private final ReentrantLock one = new ReentrantLock();

    LedgerArchives(Database database, Path directory, Checkpoints checkpoints, OperatorLog log, InstantSource clock) {
        this.database = database;
        this.directory = directory;
        this.checkpoints = checkpoints;
        this.log = log;
        this.clock = clock;
    }

    /** Where a segment ends in each chain. */
    private record Cut(Head from, Head entries, Head intents, Head traces, String firstAt, String lastAt) {
        Head of(LineFormat chain) {
            return chain == LineFormat.ENTRY ? entries : chain == LineFormat.INTENT ? intents : traces;
        }

        String name() {
            return "ledger-%012d-%012d".formatted(from.position() + 1, entries.position());
        }
    }

    /** Every segment that was archived, in order. */
    public List<ArchivedSegment> list() {
        return database.read("ledger.archives", ArchivedSegment::list);
    }

    /**
     * Archives the entries before the first one that came in at {@code before} or later.
     *
     * @param actor who asked for it, for the record of acts
     * @return what was archived; empty if there was nothing so old
     * @throws StoreException with a sentence, if the stretch is broken, or the files cannot be written; nothing is removed then
     */
    public List<ArchivedSegment> archive(Instant before, String actor) {
        one.lock();
        try {
            int known = list().size();
            sweep();
            while (archiveOne(before, actor)) {
                sweep();
            }
            List<ArchivedSegment> all = list();
            return List.copyOf(all.subList(known, all.size()));
        } finally {
            one.unlock();
        }
    }

    /**
     * Deletes the files of segments whose last call came in before a time. Their signed ends stay.
     *
     * @return what was deleted
     * @throws StoreException with a sentence, if files cannot be deleted
     */
    public List<ArchivedSegment> delete(Instant before, String actor) {
        one.lock();
        try {
            String limit = Lines.at(before);
            List<ArchivedSegment> old = list().stream()
                    .filter(segment -> !segment.isDeleted() && segment.lastAt().compareTo(limit) < 0)
                    .toList();
            for (ArchivedSegment segment : old) {
                database.write(
                        "ledger.delete-archive",
                        statements -> statements.update(DELETED, clock.instant(), segment.number()));
                log.record(actor, "ledger.delete-archive", segment.name());
                new SegmentFiles(directory, segment.name()).delete();
            }
            return old;
        } catch (IOException e) {
            throw StoreException.sentence("An archive in " + directory.resolve(SegmentFiles.DIRECTORY)
                    + " cannot be deleted: is the directory writable?");
        } finally {
            one.unlock();
        }
    }

    private boolean archiveOne(Instant before, String actor) {
        Cut cut;
        try (ReadOnlyDatabase reading = ReadOnlyDatabase.open(DataDirectory.databaseIn(directory))) {
            Optional<Cut> found = reading.snapshot("ledger.archive", statements -> {
                Optional<Cut> possible = cut(statements, before);
                if (possible.isPresent()) {
                    write(statements, possible.get());
                }
                return possible;
            });
            if (found.isEmpty()) {
                return false;
            }
            cut = found.get();
        }
        Checkpoint end = database.write("ledger.archive", statements -> record(statements, cut));
        try {
            new SegmentFiles(directory, cut.name()).write(end);
        } catch (IOException e) {
            // The database has it as well; the file is for whoever takes the archive away.
        }
        log.record(actor, "ledger.archive", cut.name());
        return true;
    }

    private Optional<Cut> cut(Statements statements, Instant before) throws SQLException {
        Head from = ArchivedSegment.base(LineFormat.ENTRY, statements);
        Head head = Head.of(LineFormat.ENTRY, statements);
        long kept = statements.number(FIRST_KEPT, from.position(), Lines.at(before));
        long last = Math.min(kept == 0 ? head.position() : kept - 1, from.position() + LARGEST_SEGMENT);
        if (last <= from.position()) {
            return Optional.empty();
        }
        long needed = statements.number(NEEDED_INTENT, last);
        long intents = needed == 0 ? Head.of(LineFormat.INTENT, statements).position() : needed - 1;
        return Optional.of(new Cut(
                from,
                at(LineFormat.ENTRY, last, statements),
                at(LineFormat.INTENT, intents, statements),
                at(LineFormat.TRACE, statements.number(LAST_TRACE, last), statements),
                text(statements, AT, from.position() + 1),
                text(statements, AT, last)));
    }

    private static Head at(LineFormat chain, long position, Statements statements) throws SQLException {
        Head base = ArchivedSegment.base(chain, statements);
        return position <= base.position()
                ? base
                : new Head(
                        position,
                        text(statements, "SELECT hash FROM " + chain.table() + " WHERE position = ?", position));
    }

    private static String text(Statements statements, String sql, long position) throws SQLException {
        return statements
                .first(sql, row -> String.valueOf(row.raw(1)), position)
                .orElseThrow(() -> broken(new Broken("ledger", position, "", "it is missing")));
    }

    /** The files of a segment, checked line by line on the way. */
    private void write(Statements statements, Cut cut) throws SQLException {
        SegmentFiles files = new SegmentFiles(directory, cut.name());
        try {
            for (LineFormat chain : List.of(LineFormat.ENTRY, LineFormat.INTENT, LineFormat.TRACE)) {
                ChainWalk walk = new ChainWalk(chain, new SignedPoints(chain, statements, LedgerProofs.NONE));
                Broken before = walk.resume(ArchivedSegment.base(chain, statements));
                if (before != null) {
                    throw broken(before);
                }
                files.write(
                        chain,
                        sink -> statements.visit(
                                "SELECT " + chain.columnList("") + " FROM " + chain.table()
                                        + " WHERE position > ? AND position <= ? ORDER BY position",
                                row -> {
                                    ChainRow line = ChainRow.read(chain, row);
                                    Broken broken = walk.step(
                                            line.position(),
                                            line.id(),
                                            line.previousHash(),
                                            line.hash(),
                                            line.isWhole());
                                    if (broken != null) {
                                        throw broken(broken);
                                    }
                                    sink.accept(line.line());
                                    return true;
                                },
                                walk.last().position(),
                                cut.of(chain).position()));
            }
        } catch (IOException e) {
            throw StoreException.sentence("The ledger's archive in " + directory.resolve(SegmentFiles.DIRECTORY)
                    + " cannot be written: is there space, and is the directory writable? Nothing was removed.");
        }
    }

    private static StoreException broken(Broken broken) {
        return StoreException.sentence("The ledger is broken at entry " + broken.position() + " of " + broken.chain()
                + ", so nothing was archived: run 'postern ledger verify'.");
    }

    private Checkpoint record(Statements statements, Cut cut) throws SQLException {
        Checkpoint end = checkpoints.sign(statements, cut.entries(), cut.intents(), cut.traces());
        statements.update(
                CARRY,
                cut.from().position(),
                cut.entries().position(),
                cut.intents().position());
        statements.update(DROP_CARRIED, cut.intents().position());
        long number = statements.number("SELECT coalesce(max(number), 0) + 1 FROM ledger_archive");
        statements.update(
                RECORD,
                number,
                cut.name(),
                end.number(),
                cut.entries().position() - cut.from().position(),
                cut.firstAt(),
                cut.lastAt(),
                clock.instant());
        return end;
    }

    /** Removes rows that are archived, a few at a time, so that calls go on; also those a crash left. */
    private void sweep() {
        for (LineFormat chain : List.of(LineFormat.ENTRY, LineFormat.TRACE, LineFormat.INTENT)) {
            String sql = "DELETE FROM " + chain.table() + " WHERE position IN (SELECT position FROM " + chain.table()
                    + " WHERE position <= ? ORDER BY position LIMIT " + ROWS_A_TRANSACTION + ")";
            long base = database.read("ledger.archives", statements -> ArchivedSegment.base(chain, statements))
                    .position();
            while (database.write("ledger.sweep", statements -> statements.update(sql, base)) > 0) {
                // The next few.
            }
        }
    }
}
