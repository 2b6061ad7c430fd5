package dev.postern.store.ledger;

import dev.postern.store.file.DataDirectory;
import dev.postern.store.sql.ReadOnlyDatabase;
import dev.postern.store.sql.Statements;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The ledger's reading side. Opens the database read-only, with or without a running gateway, and needs no key.
 *
 * <p>Where no process holds the data directory, an intent without an entry is what a crash left behind. It is then shown as
 * the very line the next start will write: {@code OUTCOME_UNKNOWN}, continuing the chain (L2). Every call sees one
 * moment of the ledger. Calls may come from any thread, one at a time.
 */
public final class LedgerReader implements AutoCloseable {
    private static final String KEYS = "SELECT public_key FROM ledger_key ORDER BY created_at DESC, id";
    private static final String LAST =
            "SELECT " + LineFormat.ENTRY.columnList("") + " FROM ledger ORDER BY position DESC LIMIT ?";
    private static final String BY_ID =
            "SELECT " + LineFormat.ENTRY.columnList("") + " FROM ledger WHERE id = ? ORDER BY position";

    private final ReadOnlyDatabase database;
    private final Path directory;

    private LedgerReader(ReadOnlyDatabase database, Path directory) {
        this.database = database;
        this.directory = directory;
    }

    /** Told how far a verification is. */
    @FunctionalInterface
    public interface Progress {
        void at(long done, long total);
    }

    /**
     * Opens the ledger of a data directory.
     *
     * @throws dev.postern.store.sql.StoreException with one plain sentence, if there is none or it cannot be read
     */
    public static LedgerReader open(Path dataDirectory) {
        return new LedgerReader(ReadOnlyDatabase.open(DataDirectory.databaseIn(dataDirectory)), dataDirectory);
    }

    /** The last lines, oldest first. */
    public List<LedgerLine> tail(int count) {
        return database.snapshot("ledger.tail", statements -> {
            List<ChainRow> rows = new ArrayList<>(statements
                    .list(LAST, row -> ChainRow.read(LineFormat.ENTRY, row), count)
                    .reversed());
            rows.addAll(cutShort(statements));
            return rows.subList(Math.max(0, rows.size() - count), rows.size()).stream()
                    .map(LedgerLine::of)
                    .toList();
        });
    }

    /** The line of a call. */
    public Optional<LedgerLine> find(String id) {
        return database.snapshot("ledger.find", statements -> {
            Optional<ChainRow> row = statements.first(BY_ID, found -> ChainRow.read(LineFormat.ENTRY, found), id);
            if (row.isEmpty()) {
                row = cutShort(statements).stream()
                        .filter(open -> open.id().equals(id))
                        .findFirst();
            }
            return row.map(LedgerLine::of);
        });
    }

    /**
     * A page of what a filter lets through, newest first. Where a call was cut short by a crash, its line comes with the next
     * start.
     *
     * @param before {@link LedgerPage#NEWEST}, or {@link LedgerPage#older()} of the page before
     * @param limit at most so many lines
     */
    public LedgerPage page(LedgerFilter filter, long before, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("a page has at least one line");
        }
        return database.snapshot(
                "ledger.page", statements -> new LedgerQueries(statements).page(filter, before, limit));
    }

    /** The position of the last entry; 0 where there is none. */
    public long last() {
        return database.snapshot(
                "ledger.last",
                statements -> Head.of(LineFormat.ENTRY, statements).position());
    }

    /** What a filter lets through after a position, oldest first: for following the ledger as it grows. */
    public List<LedgerLine> after(LedgerFilter filter, long position, int limit) {
        return database.snapshot(
                "ledger.after", statements -> new LedgerQueries(statements).after(filter, position, limit));
    }

    /**
     * Counts over time what a filter lets through, oldest first; stretches without a call are left out. Give the filter a
     * {@code since}: all that lies between is read.
     *
     * @param length of a stretch, in whole seconds
     */
    public List<LedgerBucket> buckets(LedgerFilter filter, Duration length) {
        if (length.toSeconds() < 1) {
            throw new IllegalArgumentException("a stretch has at least one second");
        }
        return database.snapshot("ledger.buckets", statements -> new LedgerQueries(statements).buckets(filter, length));
    }

    /** One call's entry, what it was decided on, and when each stage was done. */
    public Optional<LedgerTimeline> timeline(String id) {
        return database.snapshot("ledger.timeline", statements -> {
            Optional<ChainRow> row = statements.first(BY_ID, found -> ChainRow.read(LineFormat.ENTRY, found), id);
            return row.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new LedgerQueries(statements).timeline(LedgerLine.of(row.get())));
        });
    }

    /** The entry of the call that collected an approval, if it came in at {@code since} or later and is closed. */
    public Optional<LedgerLine> ofApproval(String approval, Instant since) {
        return database.snapshot(
                "ledger.of-approval", statements -> new LedgerQueries(statements).ofApproval(approval, since));
    }

    /**
     * Writes every line that a filter lets through, each with a newline (JSON Lines): those of archives first, whatever their
     * place. A whole export is a chain that proves itself; of a filtered one, each line proves only that its own content was
     * not changed. The stream is flushed, not closed.
     *
     * @return how many lines, and where the first of them stands
     * @throws IOException if the stream takes no more, or an archive cannot be read
     */
    public Exported export(OutputStream out, LedgerFilter filter) throws IOException {
        try {
            return database.snapshot("ledger.export", statements -> {
                long[] count = {0};
                Consumer<byte[]> sink = line -> {
                    write(out, line);
                    count[0]++;
                };
                long missing = 0;
                for (ArchivedSegment segment : ArchivedSegment.list(statements)) {
                    if (segment.isDeleted()) {
                        missing += segment.entries();
                    } else if (filter.mayReach(segment)) {
                        exportArchive(segment, filter, sink);
                    }
                }
                List<Object> parameters = filter.parameters();
                parameters.add(
                        ArchivedSegment.base(LineFormat.ENTRY, statements).position());
                statements.visit(
                        "SELECT " + LineFormat.ENTRY.columnList("") + " FROM ledger WHERE " + filter.condition()
                                + " AND position > ? ORDER BY position",
                        row -> {
                            sink.accept(ChainRow.read(LineFormat.ENTRY, row).line());
                            return true;
                        },
                        parameters.toArray());
                for (ChainRow row : cutShort(statements)) {
                    if (filter.admits(row.line())) {
                        sink.accept(row.line());
                    }
                }
                flush(out);
                return new Exported(count[0], missing);
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /**
     * What was exported.
     *
     * @param lines how many
     * @param deleted entries that no export shows any more, since their archives were deleted on purpose
     */
    public record Exported(long lines, long deleted) {}

    private void exportArchive(ArchivedSegment segment, LedgerFilter filter, Consumer<byte[]> sink) {
        try {
            new SegmentFiles(directory, segment.name()).export(line -> {
                if (filter.admits(line)) {
                    sink.accept(line);
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(new IOException("The archive " + segment.name()
                    + " cannot be read; bring its files back to " + SegmentFiles.DIRECTORY + "."));
        }
    }

    /** The public keys that sign the ledger, newest first, X.509; none before the first checkpoint. */
    public List<byte[]> publicKeys() {
        return database.snapshot("ledger.keys", statements -> statements.list(KEYS, row -> row.bytes("public_key")));
    }

    /** Where the chains stood when they were last signed. */
    public Optional<Checkpoint> checkpoint() {
        return database.snapshot("ledger.checkpoint", Checkpoints::last);
    }

    /** What was moved out of the database, in order. */
    public List<ArchivedSegment> archives() {
        return database.snapshot("ledger.archives", ArchivedSegment::list);
    }

    /** As {@link #verify(LedgerProofs, Progress)}, where nothing was kept elsewhere. */
    public Verification verify(Progress progress) {
        return verify(LedgerProofs.NONE, progress);
    }

    /**
     * Checks every line of the chains, through archives and database, what binds them and what signs them; stops at the first
     * that is broken. Memory does not grow with the ledger.
     */
    public Verification verify(LedgerProofs proofs, Progress progress) {
        return database.snapshot(
                "ledger.verify", statements -> new ChainCheck(statements, directory, proofs, progress).run());
    }

    @Override
    public void close() {
        database.close();
    }

    /** The lines that recovery will write; none while a process holds the directory, whose calls are still running. */
    private List<ChainRow> cutShort(Statements statements) throws SQLException {
        List<ChainRow> intents = statements.list(SqlLedger.OPEN_INTENTS, row -> ChainRow.read(LineFormat.INTENT, row));
        if (intents.isEmpty() || DataDirectory.isHeld(directory)) {
            return List.of();
        }
        List<ChainRow> lines = new ArrayList<>();
        Head head = Head.of(LineFormat.ENTRY, statements);
        for (ChainRow intent : intents) {
            ChainRow line = ChainRow.after(LineFormat.ENTRY, head, Lines.unknown(intent));
            lines.add(line);
            head = line.asHead();
        }
        return lines;
    }

    private static void write(OutputStream out, byte[] line) {
        try {
            out.write(line);
            out.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void flush(OutputStream out) {
        try {
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
