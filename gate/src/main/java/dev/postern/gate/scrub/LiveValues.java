package dev.postern.gate.scrub;

import dev.postern.scrub.LiveSecret;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values that are out: those of calls in flight, by user and server, and those of servers' configurations. Each is
 * kept as a copy of its own, once however many calls deliver it, and wiped when the last of them is over. Not thread-safe:
 * {@link Scrubbers} guards it.
 */
final class LiveValues {
    /** Which values a scrubber is for. A null server stands for all servers. */
    record Selection(@Nullable String server, Set<Long> inFlight) {}

    private record Lane(String user, String server) {}

    private static final class Counted {
        private final LiveSecret secret;
        private int calls;

        Counted(LiveSecret secret) {
            this.secret = copy(secret);
        }
    }

    private final Map<Lane, Map<Long, Counted>> inFlight = new HashMap<>();
    private final Map<String, List<LiveSecret>> configured = new HashMap<>();

    /** @param id equal for equal values only */
    void add(String user, String server, long id, LiveSecret value) {
        inFlight.computeIfAbsent(new Lane(user, server), ignored -> new HashMap<>())
                .computeIfAbsent(id, ignored -> new Counted(value))
                .calls++;
    }

    /** One more call has this value, which is out already. */
    void addAgain(String user, String server, long id) {
        out(user, server, id).calls++;
    }

    /** A copy of a value that is out, which the caller closes. */
    LiveSecret copyOf(String user, String server, long id) {
        return copy(out(user, server, id).secret);
    }

    private Counted out(String user, String server, long id) {
        Counted counted =
                inFlight.getOrDefault(new Lane(user, server), Map.of()).get(id);
        if (counted == null) {
            throw new IllegalStateException("the value is not out");
        }
        return counted;
    }

    void remove(String user, String server, long id) {
        inFlight.computeIfPresent(new Lane(user, server), (ignored, values) -> {
            values.computeIfPresent(id, (same, counted) -> {
                if (--counted.calls > 0) {
                    return counted;
                }
                counted.secret.value().close();
                return null;
            });
            return values.isEmpty() ? null : values;
        });
    }

    void configure(String server, List<LiveSecret> values) {
        List<LiveSecret> before =
                configured.put(server, values.stream().map(LiveValues::copy).toList());
        if (before != null) {
            before.forEach(secret -> secret.value().close());
        }
    }

    /** What may come back to this user from this server; from any server, where it is null. */
    Selection select(String user, @Nullable String server) {
        Set<Long> ids = new HashSet<>();
        inFlight.forEach((lane, values) -> {
            if (lane.user.equals(user) && (server == null || lane.server.equals(server))) {
                ids.addAll(values.keySet());
            }
        });
        return new Selection(server, ids);
    }

    /** Copies of the selected values and of the configured ones, which the caller closes. */
    List<LiveSecret> values(String user, Selection selection) {
        List<LiveSecret> copies = new ArrayList<>();
        configured.forEach((server, values) -> {
            if (selection.server == null || selection.server.equals(server)) {
                values.forEach(secret -> copies.add(copy(secret)));
            }
        });
        Set<Long> left = new HashSet<>(selection.inFlight);
        inFlight.forEach((lane, values) -> values.forEach((id, counted) -> {
            if (lane.user.equals(user) && left.remove(id)) {
                copies.add(copy(counted.secret));
            }
        }));
        return copies;
    }

    private static LiveSecret copy(LiveSecret secret) {
        return new LiveSecret(secret.placeholder(), secret.value().copy());
    }
}
