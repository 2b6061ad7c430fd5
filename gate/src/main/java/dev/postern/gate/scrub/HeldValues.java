package dev.postern.gate.scrub;

import dev.postern.scrub.LiveSecret;
import dev.postern.scrub.RecentValues;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Values that are still out although their calls were answered: the answer was a task, whose own answer comes later and may
 * hold them as any answer may (S8). Each is held for as long as the longest of its tasks; then it was delivered lately (S9). Not thread-safe:
 * {@link Scrubbers} guards it.
 */
final class HeldValues {
    /** More of one user's values are not held for one server: no further call is given one. */
    private static final int MOST = 512;

    private final LiveValues values;
    private final RecentValues recent;
    private final Map<Held, Instant> until = new HashMap<>();

    private record Held(String user, String server, long id) {}

    HeldValues(LiveValues values, RecentValues recent) {
        this.values = values;
        this.recent = recent;
    }

    void hold(String user, String server, List<Long> ids, Duration lifetime) {
        Instant end = recent.now().plus(lifetime);
        for (long id : ids) {
            Held value = new Held(user, server, id);
            if (!until.containsKey(value)) {
                values.addAgain(user, server, id);
            }
            until.merge(value, end, (one, other) -> one.isAfter(other) ? one : other);
        }
    }

    boolean isFull(String user, String server) {
        return until.size() >= MOST
                && until.keySet().stream()
                                .filter(value -> value.user.equals(user) && value.server.equals(server))
                                .count()
                        >= MOST;
    }

    /** Lets go of those whose tasks are over. */
    void release() {
        Instant now = recent.now();
        for (Iterator<Map.Entry<Held, Instant>> all = until.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<Held, Instant> one = all.next();
            if (!now.isBefore(one.getValue())) {
                Held value = one.getKey();
                LiveSecret secret = values.copyOf(value.user, value.server, value.id);
                recent.remember(value.user, secret);
                secret.value().close();
                values.remove(value.user, value.server, value.id);
                all.remove();
            }
        }
    }
}
