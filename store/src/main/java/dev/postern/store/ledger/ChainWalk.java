package dev.postern.store.ledger;

import dev.postern.store.ledger.Verification.Broken;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Along one chain, line by line, wherever the lines are kept; stops at the first that is wrong. */
final class ChainWalk {
    private final LineFormat format;
    private final SignedPoints points;
    private Head last = Head.ORIGIN;

    ChainWalk(LineFormat format, SignedPoints points) {
        this.format = format;
        this.points = points;
    }

    LineFormat format() {
        return format;
    }

    SignedPoints points() {
        return points;
    }

    /** The last line that was right. */
    Head last() {
        return last;
    }

    /**
     * The next line.
     *
     * @param whole whether its hash is its own
     * @return what is wrong with it; null if nothing is
     */
    @Nullable
    Broken step(long position, String id, String previousHash, String hash, boolean whole) throws SQLException {
        String reason = fault(position, previousHash, whole);
        if (reason != null) {
            return new Broken(format.table(), position, id, reason);
        }
        last = new Head(position, hash);
        return points.at(last);
    }

    /** Begins, or goes on behind lines that are not looked at. */
    @Nullable
    Broken resume(Head head) throws SQLException {
        points.skipTo(head);
        last = head;
        return points.at(head);
    }

    private @Nullable String fault(long position, String previousHash, boolean whole) {
        if (position != last.position() + 1) {
            return "line " + (last.position() + 1) + " before it is missing";
        }
        if (!previousHash.equals(last.hash())) {
            return "it does not follow from the line before";
        }
        return whole ? null : "it was changed";
    }
}
