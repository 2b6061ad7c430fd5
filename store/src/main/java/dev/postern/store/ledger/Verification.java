package dev.postern.store.ledger;

/** What checking the ledger came to (L2). */
public sealed interface Verification {
    /**
     * Every line follows from the one before, and intents and entries belong to each other.
     *
     * @param entries finished calls
     * @param open intents whose call is not finished, or was cut short
     * @param hash of the last entry: whoever notes it can later tell that nothing before it was changed
     */
    record Intact(long entries, long open, String hash) implements Verification {}

    /**
     * The first thing that is not as it was written.
     *
     * @param chain {@code ledger} or {@code ledger_intent}
     * @param position of the first broken line in its chain
     * @param id the call's id as the line has it; empty where the line is missing
     * @param reason what is wrong, without quoting the line
     */
    record Broken(String chain, long position, String id, String reason) implements Verification {}
}
