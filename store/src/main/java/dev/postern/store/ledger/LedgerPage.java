package dev.postern.store.ledger;

import java.util.List;

/**
 * A stretch of the ledger, newest first. Entries that are added meanwhile do not move it: a page begins below a position.
 *
 * @param lines at most as many as were asked for; fewer do not mean that there are no more
 * @param older where the next page begins, for {@link LedgerReader#page}; 0 where there is none
 */
public record LedgerPage(List<LedgerLine> lines, long older) {
    /** Where the first page begins. */
    public static final long NEWEST = Long.MAX_VALUE;

    public LedgerPage {
        lines = List.copyOf(lines);
    }

    public boolean hasOlder() {
        return older > 0;
    }
}
