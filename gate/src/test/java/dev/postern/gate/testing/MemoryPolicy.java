package dev.postern.gate.testing;

import dev.postern.gate.policy.PolicyDocument;
import dev.postern.gate.policy.PolicyStore;
import java.nio.charset.StandardCharsets;

/** The policy and the kill switch in memory. */
public final class MemoryPolicy implements PolicyStore {
    private long revision;
    private byte[] document;
    private boolean killed;
    private boolean broken;

    public MemoryPolicy(String document) {
        this.document = document.getBytes(StandardCharsets.UTF_8);
    }

    public MemoryPolicy() {
        this(PolicyDocument.DEFAULT);
    }

    @Override
    public synchronized Stored current() {
        return new Stored(revision, document);
    }

    @Override
    public synchronized long apply(byte[] applied, String actor) {
        document = applied.clone();
        return ++revision;
    }

    @Override
    public synchronized boolean killed() {
        return killed;
    }

    @Override
    public synchronized void kill(boolean on, String actor) {
        if (broken) {
            throw new IllegalStateException("policy.kill");
        }
        killed = on;
    }

    /** From now on the kill switch cannot be kept. */
    public synchronized void breakDown() {
        broken = true;
    }
}
