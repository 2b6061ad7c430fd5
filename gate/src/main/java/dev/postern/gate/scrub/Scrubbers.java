package dev.postern.gate.scrub;

import dev.postern.gate.detect.CapturedValues;
import dev.postern.gate.scrub.LiveValues.Selection;
import dev.postern.scrub.LiveSecret;
import dev.postern.scrub.RecentValues;
import dev.postern.scrub.Scrubber;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The scrubber for a user, a server and the values that are alive now. To build one costs more than to scrub a small
 * message, and the same few sets of values come again and again, so scrubbers are kept while their values are remembered;
 * what a user's memory forgets, the scrubbers made of it forget too. Thread-safe.
 */
final class Scrubbers {
    private static final int MAX_KEPT_PER_USER = 16;

    private final RecentValues recent;
    private final CapturedValues captured;
    private final LiveValues values = new LiveValues();
    private final Map<String, Kept> byUser = new HashMap<>();
    private final HeldValues held;

    Scrubbers(RecentValues recent, CapturedValues captured) {
        this.recent = recent;
        this.captured = captured;
        this.held = new HeldValues(values, recent);
    }

    /** Takes copies of the values in; returns what names them to {@link #remove}. */
    synchronized List<Long> add(String user, String server, List<LiveSecret> delivered) {
        return delivered.stream()
                .map(secret -> {
                    long id = recent.remember(user, secret);
                    values.add(user, server, id, secret);
                    return id;
                })
                .toList();
    }

    synchronized void remove(String user, String server, List<Long> ids) {
        ids.forEach(id -> values.remove(user, server, id));
    }

    /** Keeps values live beyond their call, for a task that goes on with them; before they are removed. */
    synchronized void hold(String user, String server, List<Long> ids, Duration lifetime) {
        held.hold(user, server, ids, lifetime);
    }

    /** Whether a server's tasks have as many of a user's values as may be held. */
    synchronized boolean holdsAll(String user, String server) {
        return held.isFull(user, server);
    }

    synchronized void configure(String server, List<LiveSecret> configured) {
        values.configure(server, configured);
        byUser.values().forEach(Kept::forget);
        byUser.clear();
    }

    /** For what a server says to a user; for what a user's agent says itself, where the server is null. */
    synchronized Lease lease(String user, @Nullable String server) {
        Selection selection = values.select(user, server);
        Shared shared = kept(user).computeIfAbsent(selection, ignored -> new Shared(build(user, selection, List.of())));
        return new Lease(shared);
    }

    /** As {@link #lease}, for any server and with further values, which it closes; for one use. */
    synchronized Lease leaseWith(String user, List<LiveSecret> further) {
        Shared shared = new Shared(build(user, values.select(user, null), further));
        Lease lease = new Lease(shared);
        shared.forget();
        return lease;
    }

    /** Wipes scrubbers made of values that are no longer remembered. */
    synchronized void wipeLapsed() {
        held.release();
        for (Iterator<Map.Entry<String, Kept>> users = byUser.entrySet().iterator(); users.hasNext(); ) {
            Map.Entry<String, Kept> user = users.next();
            if (!user.getValue().revision.equals(revision(user.getKey()))) {
                user.getValue().forget();
                users.remove();
            }
        }
    }

    private Kept kept(String user) {
        Revision revision = revision(user);
        Kept kept = byUser.get(user);
        if (kept == null || !kept.revision.equals(revision)) {
            if (kept != null) {
                kept.forget();
            }
            kept = new Kept(revision);
            byUser.put(user, kept);
        }
        return kept;
    }

    private Revision revision(String user) {
        return new Revision(recent.revision(user), captured.revision());
    }

    private Scrubber build(String user, Selection selection, List<LiveSecret> further) {
        List<LiveSecret> live = values.values(user, selection);
        live.addAll(further);
        List<LiveSecret> remembered = new ArrayList<>(recent.valuesOf(user));
        remembered.addAll(captured.valuesOf(user));
        try {
            return Scrubber.of(live, remembered);
        } finally {
            live.forEach(secret -> secret.value().close());
            remembered.forEach(secret -> secret.value().close());
        }
    }

    /** What is remembered, as it stood: values that were delivered, and those that were captured. */
    private record Revision(long recent, long captured) {}

    /** One user's scrubbers, by what they are for; those not used longest give way. */
    private static final class Kept extends LinkedHashMap<Selection, Shared> {
        private final Revision revision;

        Kept(Revision revision) {
            super(MAX_KEPT_PER_USER, 0.75f, true);
            this.revision = revision;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Selection, Shared> eldest) {
            if (size() <= MAX_KEPT_PER_USER) {
                return false;
            }
            eldest.getValue().forget();
            return true;
        }

        void forget() {
            values().forEach(Shared::forget);
            clear();
        }
    }

    /** A scrubber that several threads use at once: wiped when it is neither kept nor used. */
    private static final class Shared {
        private final Scrubber scrubber;
        private int users;
        private boolean forgotten;

        Shared(Scrubber scrubber) {
            this.scrubber = scrubber;
        }

        synchronized void enter() {
            users++;
        }

        synchronized void leave() {
            users--;
            wipeIfOver();
        }

        synchronized void forget() {
            forgotten = true;
            wipeIfOver();
        }

        private void wipeIfOver() {
            if (forgotten && users == 0) {
                scrubber.close();
            }
        }
    }

    /** The use of a scrubber, until it is closed. */
    static final class Lease implements AutoCloseable {
        private final Shared shared;

        private Lease(Shared shared) {
            this.shared = shared;
            shared.enter();
        }

        Scrubber scrubber() {
            return shared.scrubber;
        }

        @Override
        public void close() {
            shared.leave();
        }
    }
}
