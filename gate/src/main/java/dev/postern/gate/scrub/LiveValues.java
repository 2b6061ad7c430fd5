package dev.postern.gate.scrub;

import dev.postern.scrub.LiveSecret;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The values that are out: those of calls in flight, by user and server, and those of servers' configurations. Hands out
 * copies, made while nothing can be taken away, so that a call that ends cannot wipe a value another is just reading.
 * Thread-safe.
 */
final class LiveValues {
    private record Lane(String user, String server) {}

    private final Map<Lane, List<LiveSecret>> inFlight = new HashMap<>();
    private final Map<String, List<LiveSecret>> configured = new HashMap<>();

    synchronized void add(String user, String server, List<LiveSecret> values) {
        if (!values.isEmpty()) {
            inFlight.computeIfAbsent(new Lane(user, server), ignored -> new ArrayList<>())
                    .addAll(values);
        }
    }

    synchronized void remove(String user, String server, List<LiveSecret> values) {
        inFlight.computeIfPresent(new Lane(user, server), (ignored, all) -> {
            values.forEach(all::remove); // by identity: live secrets have no other equality
            return all.isEmpty() ? null : all;
        });
    }

    synchronized void configure(String server, List<LiveSecret> values) {
        List<LiveSecret> kept = new ArrayList<>();
        copy(values, kept);
        List<LiveSecret> before = configured.put(server, kept);
        if (before != null) {
            before.forEach(secret -> secret.value().close());
        }
    }

    /** What may come back to this user from this server. The caller closes the copies. */
    synchronized List<LiveSecret> of(String user, String server) {
        List<LiveSecret> copies = new ArrayList<>();
        copy(configured.getOrDefault(server, List.of()), copies);
        copy(inFlight.getOrDefault(new Lane(user, server), List.of()), copies);
        return copies;
    }

    /** What this user must not be able to write down: what is out on their behalf, and every server's configuration. */
    synchronized List<LiveSecret> of(String user) {
        List<LiveSecret> copies = new ArrayList<>();
        configured.values().forEach(values -> copy(values, copies));
        inFlight.forEach((lane, values) -> {
            if (lane.user.equals(user)) {
                copy(values, copies);
            }
        });
        return copies;
    }

    private static void copy(List<LiveSecret> from, List<LiveSecret> to) {
        from.forEach(secret ->
                to.add(new LiveSecret(secret.placeholder(), secret.value().copy())));
    }
}
