package dev.postern.gate.testing;

import dev.postern.gate.ledger.Ledger;
import dev.postern.gate.ledger.LedgerEntry;
import dev.postern.gate.ledger.LedgerIntent;
import dev.postern.gate.ledger.LedgerUnavailableException;
import java.util.ArrayList;
import java.util.List;

/** A ledger that keeps everything and fails on demand. */
public final class RecordingLedger implements Ledger {
    private final List<LedgerIntent> intents = new ArrayList<>();
    private final List<LedgerEntry> entries = new ArrayList<>();
    private boolean failing;

    @Override
    public synchronized void intend(LedgerIntent intent) {
        refuseIfFailing();
        intents.add(intent);
    }

    @Override
    public synchronized boolean isWritable() {
        return !failing;
    }

    @Override
    public synchronized void append(LedgerEntry entry) {
        refuseIfFailing();
        entries.add(entry);
    }

    private void refuseIfFailing() {
        if (failing) {
            throw new LedgerUnavailableException("ledger.append");
        }
    }

    public synchronized void fail(boolean on) {
        failing = on;
    }

    public synchronized List<LedgerIntent> intents() {
        return List.copyOf(intents);
    }

    public synchronized List<LedgerEntry> entries() {
        return List.copyOf(entries);
    }

    /** The one entry there is. */
    public LedgerEntry entry() {
        List<LedgerEntry> all = entries();
        if (all.size() != 1) {
            throw new AssertionError("there are " + all.size() + " entries, not one");
        }
        return all.getFirst();
    }
}
