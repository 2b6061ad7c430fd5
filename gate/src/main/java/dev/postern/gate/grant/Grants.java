package dev.postern.gate.grant;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The grants of a store, and a word to whoever shows them when they change on this node. Thread-safe. */
public final class Grants implements GrantStore {
    private static final Logger log = LoggerFactory.getLogger(Grants.class);

    private final GrantStore store;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    public Grants(GrantStore store) {
        this.store = store;
    }

    /** Runs {@code listener} whenever a grant was given, used or revoked. */
    public AutoCloseable listen(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    @Override
    public void add(Grant grant) {
        store.add(grant);
        announce();
    }

    @Override
    public List<Grant> list() {
        return store.list();
    }

    @Override
    public boolean revoke(String id, String actor) {
        boolean revoked = store.revoke(id, actor);
        if (revoked) {
            announce();
        }
        return revoked;
    }

    @Override
    public int revokeAll(@Nullable String agent, String actor) {
        int revoked = store.revokeAll(agent, actor);
        if (revoked > 0) {
            announce();
        }
        return revoked;
    }

    @Override
    public Optional<List<String>> claim(List<Scope> scopes, Instant now) {
        Optional<List<String>> claimed = store.claim(scopes, now);
        if (claimed.isPresent()) {
            announce();
        }
        return claimed;
    }

    @Override
    public boolean standing(List<String> ids, Instant now) {
        return store.standing(ids, now);
    }

    private void announce() {
        for (Runnable listener : listeners) {
            try {
                listener.run();
            } catch (RuntimeException e) {
                log.warn("a listener of the grants failed: {}", e.getClass());
            }
        }
    }
}
