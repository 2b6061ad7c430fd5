package dev.postern.store.ledger;

/** What checking the ledger came to (L2). */
public sealed interface Verification {
    /**
     * Every line follows from the one before, intents and entries belong to each other, and every checkpoint's signature holds
     * over what is there.
     *
     * @param entries finished calls, archived ones included
     * @param open intents whose call is not finished, or was cut short
     * @param hash of the last entry: whoever notes it can later tell that nothing before it was changed
     * @param signed entries up to the last checkpoint; those after it are chained, and not yet signed
     * @param archived entries that are in archives, and were checked there
     * @param deleted entries of which only the signed end is left, since their archives were deleted on purpose
     */
    record Intact(long entries, long open, String hash, long signed, long archived, long deleted)
            implements Verification {}

    /**
     * The first thing that is not as it was written.
     *
     * @param chain {@code ledger}, {@code ledger_intent}, {@code ledger_trace}, {@code ledger_checkpoint} or {@code
     *     ledger_archive}
     * @param position of the first broken line in its chain
     * @param id the call's id as the line has it; empty where the line is missing
     * @param reason what is wrong, without quoting the line
     */
    record Broken(String chain, long position, String id, String reason) implements Verification {}
}
