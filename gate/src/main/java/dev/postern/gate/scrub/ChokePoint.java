package dev.postern.gate.scrub;

import dev.postern.gate.scrub.Scrubbers.Lease;
import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.json.Splice;
import dev.postern.scrub.LiveSecret;
import dev.postern.scrub.RecentValues;
import dev.postern.scrub.ScrubFailedException;
import dev.postern.scrub.Scrubber;
import dev.postern.secret.SecretValue;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
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
 * Thread-safe.
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
    private final Scrubbers scrubbers;
    private final BooleanSupplier enabled;
    private final RequestStates states = new RequestStates(InstantSource.system());

    /**
     * A choke point over a memory of recent values.
     *
     * @param enabled policy's {@code resultScrubbingEnabled}; only what goes to the agent heeds it (S14)
     */
    public ChokePoint(RecentValues recent, BooleanSupplier enabled) {
        this.recent = recent;
        this.scrubbers = new Scrubbers(recent);
        this.enabled = enabled;
    }

    /**
     * Values of one call are about to leave: from now until it is closed they are looked for, then remembered (S9). They
     * stay the caller's, who closes them after this.
     */
    public Delivery deliver(String user, String server, List<LiveSecret> delivered) {
        return deliver(user, server, delivered, "");
    }

    /**
     * As {@link #deliver(String, String, List)}, for an approved call: where its server asks for more input, the handle in
     * the answer lets the same call go on without being approved again (P7).
     *
     * @param continuation names the approved call and who approved it; empty if nobody had to
     */
    public Delivery deliver(String user, String server, List<LiveSecret> delivered, String continuation) {
        return new Delivery(user, server, delivered, scrubbers.add(user, server, delivered), continuation);
    }

    /** Opens the handles that stand in the place of servers' states. */
    public RequestStates states() {
        return states;
    }

    /** Values in a server's configuration: looked for in all it says, for good (R10). Copied. */
    public void configure(String server, List<LiveSecret> configured) {
        scrubbers.configure(server, configured);
    }

    /**
     * Scrubs one whole JSON-RPC message.
     *
     * @throws ScrubFailedException if it cannot be: then no byte of it may be passed on
     */
    public Scrubbed clean(Raw message, String user, String server) {
        return clean(message, user, server, "");
    }

    private Scrubbed clean(Raw message, String user, String server, String continuation) {
        StateSwap swap = StateSwap.of(message.bytes(), !continuation.isEmpty());
        if (swap == null) {
            return clean(message.bytes(), user, server);
        }
        Scrubbed scrubbed = clean(swap.without(), user, server);
        String handle = states.seal(swap.state(), user, server, continuation);
        return new Scrubbed(StateSwap.with(scrubbed.bytes(), handle), scrubbed.hits());
    }

    private Scrubbed clean(byte[] message, String user, String server) {
        if (!enabled.getAsBoolean()) {
            return new Scrubbed(message, 0);
        }
        try (Lease lease = scrubbers.lease(user, server)) {
            return lease.scrubber().isEmpty() ? new Scrubbed(message, 0) : clean(message, lease.scrubber());
        }
    }

    /** Scrubs a line of plain text on its way to our log, such as a server's stderr; holds whatever the policy says (S14). */
    public byte[] cleanLine(Raw line, String user, String server) {
        try (Lease lease = scrubbers.lease(user, server)) {
            return lease.scrubber().scrubText(line.bytes());
        }
    }

    /**
     * Scrubs JSON of the agent's own that we keep or show: an agent that got hold of a value elsewhere and pastes it must
     * not put it into the ledger or an approval (L1, P8). Holds whatever the policy says (S14).
     *
     * @param references spellings that stay as they are, even where a secret's value is part of one ({@code password})
     * @throws ScrubFailedException if it cannot be: then it must be neither kept nor shown
     */
    public byte[] cleanOwn(byte[] json, String user, List<String> references) {
        try (Lease lease = scrubbers.lease(user, null)) {
            if (lease.scrubber().scrubCounting(json).hits() == 0) {
                return json;
            }
        }
        // What overlaps is replaced as one, under the name of the longer: a reference in its own stead.
        List<LiveSecret> kept = references.stream()
                .map(text -> new LiveSecret(text, new SecretValue(text.getBytes(StandardCharsets.UTF_8))))
                .toList();
        try (Lease lease = scrubbers.leaseWith(user, kept)) {
            return lease.scrubber().scrub(json);
        }
    }

    /** As {@link #cleanOwn}, for lines of our own log. */
    public byte[] cleanLog(byte[] text, String user) {
        try (Lease lease = scrubbers.lease(user, null)) {
            return lease.scrubber().isEmpty() ? text : lease.scrubber().scrubText(text);
        }
    }

    /** As {@link #cleanOwn}, for a text of ours that repeats what the agent wrote: a tool's name, a member's. */
    public String cleanOwnText(String text, String user) {
        try (Lease lease = scrubbers.lease(user, null)) {
            if (lease.scrubber().isEmpty()) {
                return text;
            }
            byte[] written = text.getBytes(StandardCharsets.UTF_8);
            return new String(lease.scrubber().scrubText(written), StandardCharsets.UTF_8);
        }
    }

    /** Wipes what has outlived the memory of recent values. An owner with a clock calls this from time to time (S9). */
    public void wipeLapsed() {
        recent.wipeLapsed();
        scrubbers.wipeLapsed();
    }

    private static Scrubbed clean(byte[] bytes, Scrubber scrubber) {
        JsonValue root;
        try {
            root = JsonValue.parse(bytes);
        } catch (JsonException e) {
            throw new ScrubFailedException("the message is not valid JSON");
        }
        if (!root.is(Kind.OBJECT)) {
            var scrubbed = scrubber.scrubCounting(bytes);
            return new Scrubbed(scrubbed.bytes(), scrubbed.hits());
        }
        Splice splice = new Splice(bytes);
        int[] hits = {0};
        root.forEachMember((name, value) -> {
            if (!ROUTING.contains(name.string())) {
                hits[0] += replace(splice, name, scrubber) + replace(splice, value, scrubber);
            } else if (tells(value, scrubber)) {
                throw new ScrubFailedException("a value stands where the message is routed by");
            }
        });
        return new Scrubbed(splice.apply(), hits[0]);
    }

    private static int replace(Splice splice, JsonValue value, Scrubber scrubber) {
        var scrubbed = scrubber.scrubCounting(value.bytes());
        if (scrubbed.hits() > 0) {
            splice.replace(value, scrubbed.bytes());
        }
        return scrubbed.hits();
    }

    /** Ids of our own are numbers, and the protocol's words say nothing of a secret that equals one. */
    private static boolean tells(JsonValue value, Scrubber scrubber) {
        return switch (value.kind()) {
            case NUMBER, TRUE, FALSE, NULL -> false;
            case STRING ->
                !PROTOCOL_WORDS.contains(value.string())
                        && scrubber.scrubCounting(value.bytes()).hits() > 0;
            case OBJECT, ARRAY -> scrubber.scrubCounting(value.bytes()).hits() > 0;
        };
    }

    /** Values that are out, and the way back for the answer of the call that took them; closed when the call is over. */
    public final class Delivery implements AutoCloseable {
        private final String user;
        private final String server;
        private final List<LiveSecret> delivered;
        private final List<Long> ids;
        private final String continuation;

        private Delivery(String user, String server, List<LiveSecret> delivered, List<Long> ids, String continuation) {
            this.user = user;
            this.server = server;
            this.delivered = delivered;
            this.ids = ids;
            this.continuation = continuation;
        }

        /**
         * Scrubs the call's answer.
         *
         * @throws ScrubFailedException as {@link ChokePoint#clean(Raw, String, String)}
         */
        public Scrubbed clean(Raw answer) {
            return ChokePoint.this.clean(answer, user, server, continuation);
        }

        /** Remembers the values once more: the window starts when the call ends. */
        @Override
        public void close() {
            delivered.forEach(secret -> recent.remember(user, secret));
            scrubbers.remove(user, server, ids);
        }
    }
}
