package dev.postern.gate.scrub;

import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.json.Splice;
import dev.postern.scrub.LiveSecret;
import dev.postern.scrub.RecentValues;
import dev.postern.scrub.ScrubFailedException;
import dev.postern.scrub.Scrubber;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * The one place every byte from a server passes on its way to an agent (S1): answers, errors, notifications, requests,
 * lists, greetings and stderr. Takes {@link Raw}, gives {@link Scrubbed}, or throws; there is no third way (S10).
 *
 * <p>What it looks for, in a message from server S for user U: the values of calls in flight from U to S, and those in
 * S's configuration (R10), as in the same call (S8); and what U was delivered in the last minutes, on any server, as
 * remembered (S9). With none of them alive a message passes unread (S11).
 *
 * <p>Envelope members that JSON-RPC routes by are not rewritten: a response must keep its id, and {@code "2.0"} must stay
 * even where a secret is {@code 2.0}. A server that puts a value into its method or id gets the message withheld.
 */
public final class ChokePoint {
    private static final Set<String> ROUTING = Set.of("jsonrpc", "id", "method");
    private static final Set<String> PROTOCOL_WORDS = Set.of(
            "2.0",
            "ping",
            "roots/list",
            "sampling/createMessage",
            "elicitation/create",
            "notifications/cancelled",
            "notifications/progress",
            "notifications/message",
            "notifications/elicitation/complete",
            "notifications/prompts/list_changed",
            "notifications/resources/list_changed",
            "notifications/resources/updated",
            "notifications/subscriptions/acknowledged",
            "notifications/tasks/status",
            "notifications/tools/list_changed");

    private final RecentValues recent;
    private final BooleanSupplier enabled;
    private final Map<String, List<LiveSecret>> configured = new ConcurrentHashMap<>();
    private final Map<Lane, List<LiveSecret>> inFlight = new ConcurrentHashMap<>();

    /**
     * A choke point over a memory of recent values.
     *
     * @param enabled policy's {@code resultScrubbingEnabled}; only what goes to the agent heeds it (S14)
     */
    public ChokePoint(RecentValues recent, BooleanSupplier enabled) {
        this.recent = recent;
        this.enabled = enabled;
    }

    /** Values of one call are about to leave: from now until it is closed they are looked for, then remembered (S9). */
    public Delivery deliver(String user, String server, List<LiveSecret> values) {
        Lane lane = new Lane(user, server);
        if (!values.isEmpty()) {
            values.forEach(value -> recent.remember(user, value));
            inFlight.merge(lane, values, ChokePoint::join);
        }
        return () -> {
            if (!values.isEmpty()) {
                values.forEach(value -> recent.remember(user, value)); // the window starts when the call ends
                inFlight.computeIfPresent(lane, (ignored, all) -> without(all, values));
            }
        };
    }

    /** Values in a server's configuration: looked for in all it says, for good (R10). Copies stay with this object. */
    public void configure(String server, List<LiveSecret> values) {
        if (values.isEmpty()) {
            configured.remove(server);
        } else {
            configured.put(server, List.copyOf(values));
        }
    }

    /**
     * Scrubs one whole JSON-RPC message.
     *
     * @throws ScrubFailedException if it cannot be: then no byte of it may be passed on
     */
    public Scrubbed clean(Raw message, String user, String server) {
        if (!enabled.getAsBoolean()) {
            return new Scrubbed(message.bytes(), 0);
        }
        try (Scrubber scrubber = scrubber(user, server)) {
            return scrubber.isEmpty() ? new Scrubbed(message.bytes(), 0) : clean(message.bytes(), scrubber);
        }
    }

    /** Scrubs a line of plain text, such as a server's stderr. */
    public byte[] cleanLine(Raw line, String user, String server) {
        try (Scrubber scrubber = scrubber(user, server)) {
            return scrubber.isEmpty() ? line.bytes() : scrubber.scrubText(line.bytes());
        }
    }

    /**
     * Scrubs JSON of the agent's own that we keep or show: an agent that got hold of a value elsewhere and pastes it must
     * not put it into the ledger or an approval (L1, P8). Holds whatever the policy says (S14).
     */
    public byte[] cleanOwn(byte[] json, String user) {
        List<LiveSecret> live = new ArrayList<>();
        configured.values().forEach(live::addAll);
        inFlight.forEach((lane, values) -> {
            if (lane.user.equals(user)) {
                live.addAll(values);
            }
        });
        try (Scrubber scrubber = Scrubber.of(live, recent.valuesOf(user))) {
            return scrubber.isEmpty() ? json : scrubber.scrub(json);
        }
    }

    private Scrubber scrubber(String user, String server) {
        List<LiveSecret> live = new ArrayList<>(configured.getOrDefault(server, List.of()));
        live.addAll(inFlight.getOrDefault(new Lane(user, server), List.of()));
        return Scrubber.of(live, recent.valuesOf(user));
    }

    private static Scrubbed clean(byte[] bytes, Scrubber scrubber) {
        JsonValue root;
        try {
            root = JsonValue.parse(bytes);
        } catch (JsonException e) {
            throw new ScrubFailedException("the message is not valid JSON");
        }
        Splice splice = new Splice(bytes);
        int[] hits = {0};
        root.forEachMember((name, value) -> {
            if (ROUTING.contains(name.string())) {
                if (isTold(scrubber, value)) {
                    throw new ScrubFailedException("a value stands where the message is routed by");
                }
                return;
            }
            hits[0] += replace(splice, name, scrubber) + replace(splice, value, scrubber);
        });
        return new Scrubbed(splice.apply(), hits[0]);
    }

    private static int replace(Splice splice, JsonValue value, Scrubber scrubber) {
        byte[] before = value.bytes();
        var scrubbed = scrubber.scrubCounting(before);
        if (scrubbed.hits() > 0) {
            splice.replace(value, scrubbed.bytes());
        }
        return scrubbed.hits();
    }

    private static boolean isTold(Scrubber scrubber, JsonValue value) {
        // Only text can smuggle: our own ids are numbers, and the protocol's words say nothing of a secret that equals
        // one.
        return value.is(JsonValue.Kind.STRING)
                && !PROTOCOL_WORDS.contains(value.string())
                && scrubber.scrubCounting(value.bytes()).hits() > 0;
    }

    private static List<LiveSecret> join(List<LiveSecret> one, List<LiveSecret> other) {
        List<LiveSecret> joined = new ArrayList<>(one);
        joined.addAll(other);
        return List.copyOf(joined);
    }

    private static @org.jspecify.annotations.Nullable List<LiveSecret> without(
            List<LiveSecret> all, List<LiveSecret> gone) {
        List<LiveSecret> rest = new ArrayList<>(all);
        gone.forEach(rest::remove); // by identity: live secrets have no other equality
        return rest.isEmpty() ? null : List.copyOf(rest);
    }

    private record Lane(String user, String server) {}

    /** Values that are out; closed when the call is over. */
    public interface Delivery extends AutoCloseable {
        @Override
        void close();
    }
}
