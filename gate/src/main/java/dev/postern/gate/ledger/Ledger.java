package dev.postern.gate.ledger;

/** The ledger's writing side. Append-only and hash-chained by whoever implements it (L2). */
public interface Ledger {
    /**
     * Writes what is about to leave, durably, before returning (L3).
     *
     * @throws LedgerUnavailableException if it cannot be made durable: then nothing may leave
     */
    void intend(LedgerIntent intent);

    /** False while the last write failed; cheap. */
    boolean isWritable();

    /**
     * Closes a call: one entry in the chain. An entry for an intent waits until it is durable; one without an intent is
     * queued, in order, and written soon.
     *
     * @throws LedgerUnavailableException if the ledger has stopped taking entries
     */
    void append(LedgerEntry entry);
}
