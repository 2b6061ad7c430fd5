package dev.postern.store.ledger;

import dev.postern.store.ledger.Verification.Broken;
import dev.postern.store.sql.SigningKeys;
import dev.postern.store.sql.Statements;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoints along one chain, in the order of their places, those of the ledger and those that were kept elsewhere. Holds
 * the next one alone, however many there are.
 */
final class SignedPoints {
    private final LineFormat chain;
    private final Statements statements;
    private final String next;
    private final byte @Nullable [] pinned;
    private final Deque<Checkpoint> kept;
    private final Map<String, byte[]> keys = new HashMap<>();

    private @Nullable Checkpoint ahead;
    private long signed;

    SignedPoints(LineFormat chain, Statements statements, LedgerProofs proofs) throws SQLException {
        this.chain = chain;
        this.statements = statements;
        String column = chain == LineFormat.ENTRY ? "entries" : chain == LineFormat.INTENT ? "intents" : "traces";
        this.next = "SELECT " + Checkpoint.COLUMNS + " FROM ledger_checkpoint WHERE (" + column
                + ", number) > (?, ?) ORDER BY " + column + ", number LIMIT 1";
        this.pinned = proofs.publicKey();
        List<Checkpoint> ordered = new ArrayList<>(proofs.kept());
        ordered.sort(Comparator.comparingLong(point -> point.head(chain).position()));
        this.kept = new ArrayDeque<>(ordered);
        this.ahead = after(-1, -1);
    }

    /** The chain has come so far: what was signed there must be so. */
    @Nullable
    Broken at(Head head) throws SQLException {
        for (Checkpoint point = ahead; point != null && place(point) <= head.position(); point = ahead) {
            Broken broken = check(point, head);
            if (broken != null) {
                return broken;
            }
            ahead = after(place(point), point.number());
        }
        while (!kept.isEmpty() && place(kept.getFirst()) <= head.position()) {
            Broken broken = check(kept.removeFirst(), head);
            if (broken != null) {
                return broken;
            }
        }
        return null;
    }

    /** The chain ends here: nothing was signed beyond. */
    @Nullable
    Broken end(Head last) {
        Checkpoint beyond = ahead != null ? ahead : kept.peekFirst();
        return beyond == null
                ? null
                : new Broken(
                        chain.table(),
                        last.position() + 1,
                        "",
                        "it is missing: checkpoint " + beyond.number() + " signs " + place(beyond)
                                + " lines, and the chain ends at " + last.position());
    }

    /** The chain is known again from here on only: what was signed before cannot be compared. */
    void skipTo(Head head) throws SQLException {
        Checkpoint point = ahead;
        while (point != null && place(point) < head.position()) {
            point = after(place(point), point.number());
        }
        ahead = point;
        kept.removeIf(one -> place(one) < head.position());
    }

    /** The place of the last checkpoint that held. */
    long signed() {
        return signed;
    }

    /** What is wrong with a checkpoint itself; null if its signature holds. */
    @Nullable
    Broken signature(Checkpoint point) throws SQLException {
        return point.isSignedBy(key(point.key()))
                ? null
                : new Broken(
                        "ledger_checkpoint",
                        point.number(),
                        "",
                        pinned == null
                                ? "its signature does not hold"
                                : "its signature is not that of the key that was given");
    }

    private @Nullable Broken check(Checkpoint point, Head head) throws SQLException {
        Broken unsigned = chain == LineFormat.ENTRY ? signature(point) : null;
        if (unsigned != null) {
            return unsigned;
        }
        if (!point.head(chain).equals(head)) {
            return new Broken(
                    chain.table(),
                    Math.min(signed + 1, head.position()),
                    "",
                    "lines " + (signed + 1) + " to " + place(point) + " are not those that checkpoint " + point.number()
                            + " signs: the chain was written anew");
        }
        signed = place(point);
        return null;
    }

    private byte @Nullable [] key(String id) throws SQLException {
        if (pinned != null) {
            return pinned;
        }
        byte[] known = keys.get(id);
        if (known == null) {
            Optional<byte[]> stored = SigningKeys.publicKey(statements, id);
            if (stored.isEmpty()) {
                return null;
            }
            known = stored.get();
            keys.put(id, known);
        }
        return known;
    }

    private @Nullable Checkpoint after(long place, long number) throws SQLException {
        return statements.first(next, Checkpoint::read, place, number).orElse(null);
    }

    private long place(Checkpoint point) {
        return point.head(chain).position();
    }
}
