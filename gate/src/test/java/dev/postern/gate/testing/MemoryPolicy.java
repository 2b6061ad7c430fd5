package dev.postern.gate.testing;

import dev.postern.gate.policy.PolicyDocument;
import dev.postern.gate.policy.PolicyStore;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The policy in memory. */
public final class MemoryPolicy implements PolicyStore {
    private long revision;
    private byte[] document;
    private final List<Stored> history = new ArrayList<>();

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
        history.addFirst(new Stored(++revision, document));
        return revision;
    }

    @Override
    public synchronized List<Revision> history(long before, int limit) {
        return history.stream()
                .filter(stored -> stored.revision() < before)
                .limit(limit)
                .map(stored -> new Revision(stored.revision(), Instant.EPOCH, "operator"))
                .toList();
    }

    @Override
    public synchronized Optional<Stored> find(long wanted) {
        return history.stream().filter(stored -> stored.revision() == wanted).findFirst();
    }
}
