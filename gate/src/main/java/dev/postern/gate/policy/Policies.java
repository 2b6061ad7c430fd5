package dev.postern.gate.policy;

/** The policy and kill switch in force. Reads the store once and after each change; thread-safe. */
public final class Policies {
    private final PolicyStore store;
    private volatile Policy current;
    private volatile boolean killed;

    public Policies(PolicyStore store) {
        this.store = store;
        this.current = read(store);
        this.killed = store.killed();
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

    public boolean killed() {
        return killed;
    }

    /** Stops every call, or lets calls through again (A3). On: stopped before this returns, even if the store fails. */
    public synchronized void kill(boolean on, String actor) {
        if (on) {
            killed = true;
        }
        store.kill(on, actor);
        killed = on;
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
