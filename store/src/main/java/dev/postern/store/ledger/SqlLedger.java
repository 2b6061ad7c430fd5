package dev.postern.store.ledger;

import dev.postern.gate.ledger.CallTrace;
import dev.postern.gate.ledger.Ledger;
import dev.postern.gate.ledger.LedgerEntry;
import dev.postern.gate.ledger.LedgerIntent;
import dev.postern.gate.ledger.LedgerUnavailableException;
import dev.postern.store.sql.Database;
import dev.postern.store.sql.OperatorLog;
import dev.postern.store.sql.SigningKeys;
import dev.postern.store.sql.Statements;
import dev.postern.store.sql.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The ledger's writing side (L1 to L3).
 *
 * <p>Entries go through one queue, in order, so an entry that nobody waits for is never overtaken by a later one of the
 * same thread. Whoever needs the disk (an intent, the entry that closes one) writes the whole queue with it; everybody else
 * leaves the entry there for the database's writer. The queue is bounded in bytes: a caller waits while it is full.
 *
 * <p>What could not be written stays queued and is tried again with the next write. Until one succeeds, every call waits for
 * its own and fails with it, so nothing runs unrecorded. An intent that failed is not tried again: its call was refused.
 *
 * <p>An intent is closed once. A command of the command line's can outlive the start of a gateway, whose recovery has closed
 * its intent as unknown by then; that stands, and the later entry is not written.
 */
public final class SqlLedger implements Ledger {
    private static final long MAX_QUEUED_BYTES = 64L * 1024 * 1024;
    private static final int ROW_BYTES = 512;

    private static final String OPEN_INTENT = """
            SELECT max(i.position) AS position FROM ledger_intent i JOIN ledger_open o ON o.intent = i.position
            WHERE i.id = ?""";
    private static final String OPEN = "INSERT INTO ledger_open (intent) VALUES (?)";
    private static final String CLOSE = "DELETE FROM ledger_open WHERE intent = ?";
    static final String OPEN_INTENTS = "SELECT " + LineFormat.INTENT.columnList("i.")
            + " FROM ledger_open o JOIN ledger_intent i ON i.position = o.intent ORDER BY i.position";

    private final Database database;
    private final @Nullable Checkpoints checkpoints;
    private final long maxQueuedBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();

    /** Guarded by the lock, as the next two. */
    private final ArrayDeque<Queued> queue = new ArrayDeque<>();

    private long queuedBytes;
    private boolean flushAsked;

    private volatile @Nullable String fault;

    /** A ledger on a database that nobody else appends to. What it writes is signed at the next start of one that signs. */
    public SqlLedger(Database database) {
        this(database, null, MAX_QUEUED_BYTES);
    }

    /** As {@link #SqlLedger(Database)}, signing as it goes. */
    public SqlLedger(Database database, SigningKeys keys, InstantSource clock) {
        this(database, new Checkpoints(keys, clock), MAX_QUEUED_BYTES);
    }

    SqlLedger(Database database, @Nullable Checkpoints checkpoints, long maxQueuedBytes) {
        this.database = database;
        this.checkpoints = checkpoints;
        this.maxQueuedBytes = maxQueuedBytes;
    }

    /** An entry to be written. */
    private record Queued(
            String id,
            List<@Nullable Object> values,
            @Nullable List<@Nullable Object> trace,
            boolean intended,
            long bytes) {}

    /**
     * Closes what a crash left open: an intent without an entry gets one that says {@code outcome unknown} (L2).
     *
     * @return how many there were
     */
    public int recover() {
        return database.write("ledger.recover", statements -> {
            List<ChainRow> intents = statements.list(OPEN_INTENTS, row -> ChainRow.read(LineFormat.INTENT, row));
            Head head = Head.of(LineFormat.ENTRY, statements);
            for (ChainRow intent : intents) {
                head = insert(statements, head, Lines.unknown(intent), intent.position());
            }
            if (!intents.isEmpty()) {
                head.write(LineFormat.ENTRY, statements);
            }
            if (checkpoints != null) {
                checkpoints.signIfDue(statements, head);
            }
            return intents.size();
        });
    }

    @Override
    public void intend(LedgerIntent intent) {
        write("ledger.intend", new Flush(Lines.of(intent)));
    }

    @Override
    public boolean isWritable() {
        return fault == null;
    }

    @Override
    public void append(LedgerEntry entry) {
        List<@Nullable Object> values = Lines.of(entry);
        CallTrace trace = entry.trace();
        Queued queued = new Queued(
                entry.id().value(),
                values,
                trace == null ? null : Lines.of(entry.id(), trace),
                entry.intended(),
                ROW_BYTES + entry.arguments().length);
        boolean alone = enqueue(queued);
        if (entry.intended() || fault != null) {
            write("ledger.append", new Flush(null));
        } else if (alone) {
            // Its outcome is seen by settled(); nobody waits for it.
            var _ = database.writeLater("ledger.append", new Flush(null));
        }
    }

    /**
     * Writes what is queued.
     *
     * @throws LedgerUnavailableException if that fails
     */
    public void flush() {
        write("ledger.flush", new Flush(null));
    }

    /**
     * Writes what is queued, and signs where the chains stand.
     *
     * @throws LedgerUnavailableException if that fails
     */
    public void seal() {
        flush();
        if (checkpoints != null) {
            try {
                database.write("ledger.sign", statements -> {
                    checkpoints.signIfBehind(statements);
                    return true;
                });
            } catch (StoreException e) {
                throw new LedgerUnavailableException(e.getMessage());
            }
        }
    }

    /** Moving old entries out, for a ledger that signs. */
    public LedgerArchives archives(Path directory, OperatorLog log, InstantSource clock) {
        if (checkpoints == null) {
            throw new IllegalStateException("a ledger that does not sign has no archives");
        }
        return new LedgerArchives(database, directory, checkpoints, log, clock);
    }

    /** True if nobody has asked for a flush yet that will take this entry. */
    private boolean enqueue(Queued entry) {
        lock.lock();
        try {
            while (queuedBytes > 0 && queuedBytes + entry.bytes() > maxQueuedBytes) {
                String broken = fault;
                if (broken != null) {
                    throw new LedgerUnavailableException(broken);
                }
                room.awaitUninterruptibly();
            }
            queue.add(entry);
            queuedBytes += entry.bytes();
            boolean alone = !flushAsked;
            flushAsked = true;
            return alone;
        } finally {
            lock.unlock();
        }
    }

    private void write(String operation, Flush flush) {
        try {
            database.write(operation, flush);
        } catch (StoreException e) {
            throw new LedgerUnavailableException(e.getMessage());
        }
    }

    private static Head insert(Statements statements, Head head, List<@Nullable Object> values, @Nullable Long intent)
            throws SQLException {
        ChainRow row = ChainRow.after(LineFormat.ENTRY, head, values);
        statements.update(LineFormat.ENTRY.insert(), parameters(row, intent));
        if (intent != null) {
            statements.update(CLOSE, intent);
        }
        return row.asHead();
    }

    private static Head insert(Statements statements, Head head, @Nullable List<@Nullable Object> trace)
            throws SQLException {
        if (trace == null) {
            return head;
        }
        ChainRow row = ChainRow.after(LineFormat.TRACE, head, trace);
        statements.update(LineFormat.TRACE.insert(), parameters(row, null));
        return row.asHead();
    }

    private static @Nullable Object[] parameters(ChainRow row, @Nullable Long intent) {
        List<@Nullable Object> parameters = new ArrayList<>();
        parameters.add(row.position());
        parameters.addAll(row.values());
        parameters.add(row.previousHash());
        parameters.add(row.hash());
        if (row.format() == LineFormat.ENTRY) {
            parameters.add(intent);
        }
        return parameters.toArray();
    }

    /** Writes all that is queued, and then an intent if there is one. */
    private final class Flush implements Database.Work<Boolean> {
        private final @Nullable List<@Nullable Object> intent;
        private List<Queued> taken = List.of();

        Flush(@Nullable List<@Nullable Object> intent) {
            this.intent = intent;
        }

        @Override
        public Boolean run(Statements statements) throws SQLException {
            taken = take();
            if (!taken.isEmpty()) {
                Head head = Head.of(LineFormat.ENTRY, statements);
                Head traced = Head.of(LineFormat.TRACE, statements);
                for (Queued entry : taken) {
                    Long intent = entry.intended() ? intentOf(statements, entry) : null;
                    if (!entry.intended() || intent != null) {
                        head = insert(statements, head, entry.values(), intent);
                        traced = insert(statements, traced, entry.trace());
                    }
                }
                head.write(LineFormat.ENTRY, statements);
                traced.write(LineFormat.TRACE, statements);
                if (checkpoints != null) {
                    checkpoints.signIfDue(statements, head);
                }
            }
            if (intent != null) {
                ChainRow row = ChainRow.after(LineFormat.INTENT, Head.of(LineFormat.INTENT, statements), intent);
                statements.update(LineFormat.INTENT.insert(), parameters(row, null));
                statements.update(OPEN, row.position());
                row.asHead().write(LineFormat.INTENT, statements);
            }
            return true;
        }

        private static @Nullable Long intentOf(Statements statements, Queued entry) throws SQLException {
            long position = statements.number(OPEN_INTENT, entry.id());
            return position == 0 ? null : position;
        }

        private List<Queued> take() {
            lock.lock();
            try {
                List<Queued> all = List.copyOf(queue);
                queue.clear();
                flushAsked = false;
                return all;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void settled(boolean committed) {
            lock.lock();
            try {
                if (committed) {
                    taken.forEach(entry -> queuedBytes -= entry.bytes());
                    fault = null;
                } else {
                    taken.reversed().forEach(queue::addFirst);
                    fault = "The ledger cannot be written.";
                }
                room.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
