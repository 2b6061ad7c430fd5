package dev.postern.gate.policy;

import java.util.List;
import java.util.Optional;

/** The policy in force. Reads the store once and after each change; thread-safe. */
public final class Policies {
    private final PolicyStore store;
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
        return current;
    }

    /** What was applied, newest first; the built-in default, revision 0, is not among it. */
    public List<PolicyStore.Revision> history(int limit) {
        return history(Long.MAX_VALUE, limit);
    }

    /** As above, from the one before a revision on. */
    public List<PolicyStore.Revision> history(long before, int limit) {
        return store.history(before, limit);
    }

    /** Who applied a revision, and when; empty if there is none. */
    public Optional<PolicyStore.Revision> revision(long revision) {
        return revision < 1 || revision == Long.MAX_VALUE
                ? Optional.empty()
                : history(revision + 1, 1).stream()
                        .filter(found -> found.revision() == revision)
                        .findFirst();
    }

    /** The document of a revision as it was applied; empty if there is none. */
    public Optional<byte[]> document(long revision) {
        return store.find(revision).map(PolicyStore.Stored::document);
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
