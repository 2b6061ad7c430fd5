package dev.postern.gate.policy;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The policy in force. Reads the store once and after each change; thread-safe. */
public final class Policies {
    private static final Logger log = LoggerFactory.getLogger(Policies.class);

    private final PolicyStore store;
    private final List<Consumer<Policy>> listeners = new CopyOnWriteArrayList<>();
    private volatile Policy current;

    public Policies(PolicyStore store) {
        this.store = store;
        this.current = read(store);
    }

    public Policy current() {
        return current;
    }

    /** The document as it was applied. */
    public byte[] document() {
        return store.current().document();
    }

    /**
     * Replaces the policy whole.
     *
     * @throws PolicyException if the document is not a policy: nothing has changed then
     */
    public synchronized Policy apply(byte[] document, String actor) {
        PolicyDocument.parse(0, document);
        store.apply(document, actor);
        current = read(store);
        announce(current);
        return current;
    }

    /** What was applied, newest first; the built-in default, revision 0, is not among it. */
    public List<PolicyStore.Revision> history(int limit) {
        return store.history(limit);
    }

    /** The document of a revision as it was applied; empty if there is none. */
    public Optional<byte[]> document(long revision) {
        return store.find(revision).map(PolicyStore.Stored::document);
    }

    /** Calls {@code listener} with the policy whenever another one is applied. */
    public AutoCloseable listen(Consumer<Policy> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    private void announce(Policy applied) {
        for (Consumer<Policy> listener : listeners) {
            try {
                listener.accept(applied);
            } catch (RuntimeException e) {
                log.warn("a listener of the policy failed: {}", e.getClass());
            }
        }
    }

    private static Policy read(PolicyStore store) {
        PolicyStore.Stored stored = store.current();
        try {
            return PolicyDocument.parse(stored.revision(), stored.document());
        } catch (PolicyException e) {
            return Policy.unreadable(stored.revision());
        }
    }
}
