package dev.postern.app.wiring;

import dev.postern.gate.ledger.Ledger;
import dev.postern.gate.ledger.LedgerEntry;
import dev.postern.gate.ledger.LedgerIntent;

/** Stands in until the store keeps a ledger. */
final class UnwrittenLedger implements Ledger {
    @Override
    public void intend(LedgerIntent intent) {}

    @Override
    public void append(LedgerEntry entry) {}

    @Override
    public boolean isWritable() {
        return true;
    }
}
