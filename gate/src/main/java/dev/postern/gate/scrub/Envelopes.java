package dev.postern.gate.scrub;

import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.json.Splice;
import dev.postern.scrub.ScrubFailedException;
import dev.postern.scrub.Scrubber;
import java.util.Arrays;
import java.util.Set;

/**
 * Scrubs JSON-RPC messages, member by member. What JSON-RPC routes by is not rewritten: a response must keep its id, and
 * {@code "2.0"} must stay even where a secret is {@code 2.0}; a server that puts a value into its method or id gets the message
 * withheld. A notification that continues others is scrubbed as one text with them (S4). Thread-safe.
 */
final class Envelopes {
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

    private static final byte[] EMPTY_STRING = {'"', '"'};

    private final Streams streams = new Streams();

    /**
     * Scrubs one whole message.
     *
     * @throws ScrubFailedException if it cannot be: then no byte of it may be passed on
     */
    Scrubbed scrub(byte[] bytes, String user, String server, Scrubber scrubber) {
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
        Streams.Piece piece = Streams.piece(root, user, server);
        if (piece != null) {
            return continued(bytes, piece, scrubber);
        }
        return members(root, bytes, scrubber);
    }

    /** A notification that continues others: its text is scrubbed as theirs, and put back once the rest is clean. */
    private Scrubbed continued(byte[] bytes, Streams.Piece piece, Scrubber scrubber) {
        byte[] text = streams.scrub(piece, scrubber);
        byte[] emptied = new Splice(bytes).replace(piece.text(), EMPTY_STRING).apply();
        Scrubbed rest = members(JsonValue.parse(emptied), emptied, scrubber);
        boolean hit = !Arrays.equals(text, piece.text().bytes());
        if (rest.hits() == 0) {
            byte[] whole = hit ? new Splice(bytes).replace(piece.text(), text).apply() : bytes;
            return new Scrubbed(whole, hit ? 1 : 0);
        }
        Streams.Piece place = Streams.piece(JsonValue.parse(rest.bytes()), "", "");
        if (place == null) {
            throw new ScrubFailedException("a value stands in the name of a notification's text");
        }
        byte[] whole = new Splice(rest.bytes()).replace(place.text(), text).apply();
        return new Scrubbed(whole, rest.hits() + (hit ? 1 : 0));
    }

    private static Scrubbed members(JsonValue root, byte[] bytes, Scrubber scrubber) {
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

    /** Forgets texts that nobody has continued for a while. */
    void wipeIdle() {
        streams.wipeIdle();
    }
}
