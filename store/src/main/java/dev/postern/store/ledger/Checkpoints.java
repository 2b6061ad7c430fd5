package dev.postern.store.ledger;

import dev.postern.store.crypto.SealException;
import dev.postern.store.crypto.SigningKey;
import dev.postern.store.sql.SigningKeys;
import dev.postern.store.sql.Statements;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Signs where the chains stand: with the thousandth entry since the last time, and at the stop. Used inside writes alone. */
final class Checkpoints {
    /** So many entries at most lie between two. */
    static final long EVERY = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);

    private static final String LAST =
            "SELECT " + Checkpoint.COLUMNS + " FROM ledger_checkpoint ORDER BY entries DESC, number DESC LIMIT 1";
    private static final String NEXT_NUMBER = "SELECT coalesce(max(number), 0) + 1 FROM ledger_checkpoint";
    private static final String INSERT =
            "INSERT INTO ledger_checkpoint (" + Checkpoint.COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private final SigningKeys keys;
    private final InstantSource clock;
    private @Nullable SigningKey key;

    Checkpoints(SigningKeys keys, InstantSource clock) {
        this.keys = keys;
        this.clock = clock;
    }

    static Optional<Checkpoint> last(Statements statements) throws SQLException {
        return statements.first(LAST, Checkpoint::read);
    }

    /** Signs if it is time. */
    void signIfDue(Statements statements, Head entries) throws SQLException {
        long signed = last(statements).map(Checkpoint::entries).orElse(0L);
        if (entries.position() - signed >= EVERY) {
            sign(statements);
        }
    }

    /** Signs if anything was written since the last time. */
    void signIfBehind(Statements statements) throws SQLException {
        Optional<Checkpoint> last = last(statements);
        boolean behind = !Head.of(LineFormat.ENTRY, statements)
                        .equals(last.map(point -> point.head(LineFormat.ENTRY)).orElse(Head.ORIGIN))
                || !Head.of(LineFormat.INTENT, statements)
                        .equals(last.map(point -> point.head(LineFormat.INTENT)).orElse(Head.ORIGIN));
        if (behind) {
            sign(statements);
        }
    }

    private void sign(Statements statements) throws SQLException {
        try {
            sign(
                    statements,
                    Head.of(LineFormat.ENTRY, statements),
                    Head.of(LineFormat.INTENT, statements),
                    Head.of(LineFormat.TRACE, statements));
        } catch (SealException e) {
            // Entries go on: an unsigned ledger is worth more than none. Verification says how much is unsigned.
            LOG.error("the ledger is not signed any more: its key does not open, or was exchanged");
        }
    }

    /** Signs where the chains stood at some place. */
    Checkpoint sign(Statements statements, Head entries, Head intents, Head traces) throws SQLException {
        SigningKey signing = key;
        if (signing == null || SigningKeys.publicKey(statements, signing.id()).isEmpty()) {
            // None yet, or the write that made it was rolled back.
            signing = keys.current(statements);
        }
        Checkpoint point = Checkpoint.sign(
                statements.number(NEXT_NUMBER), Lines.at(clock.instant()), entries, intents, traces, signing);
        statements.update(
                INSERT,
                point.number(),
                point.at(),
                point.entries(),
                point.hash(),
                point.intents(),
                point.intentHash(),
                point.traces(),
                point.traceHash(),
                point.key(),
                point.signature());
        key = signing;
        return point;
    }
}
