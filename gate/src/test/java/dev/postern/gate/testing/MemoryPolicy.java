package dev.postern.gate.testing;

import dev.postern.gate.policy.PolicyDocument;
import dev.postern.gate.policy.PolicyStore;
import java.nio.charset.StandardCharsets;

/** The policy in memory. */
public final class MemoryPolicy implements PolicyStore {
    private long revision;
    private byte[] document;

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
}
