package dev.postern.gate.ledger;

/** The ledger cannot make an entry durable. The message names the operation and the SQL state only. */
public final class LedgerUnavailableException extends RuntimeException {
    public LedgerUnavailableException(String what) {
        super(what);
    }
}
