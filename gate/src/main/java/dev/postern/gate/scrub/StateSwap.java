package dev.postern.gate.scrub;

import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.json.Splice;
import dev.postern.scrub.ScrubFailedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes a server's {@code requestState} out of an {@code input_required} result before it is scrubbed, and puts a sealed
 * handle in its place afterwards: the state must not be altered, and the handle must not be mistaken for a value (S1).
 */
final class StateSwap {
    private static final byte[] MARK = "\"input_required\"".getBytes(StandardCharsets.US_ASCII);
    private static final String MEMBER = "requestState";
    private static final byte[] EMPTY = {'"', '"'};

    private final byte[] without;
    private final byte[] state;

    private StateSwap(byte[] without, byte[] state) {
        this.without = without;
        this.state = state;
    }

    /**
     * The swap that a message needs; null if it needs none.
     *
     * @param evenWithout whether a result without a state gets a handle all the same
     */
    static @Nullable StateSwap of(byte[] message, boolean evenWithout) {
        if (!contains(message, MARK)) {
            return null;
        }
        JsonValue result;
        try {
            result = JsonValue.parse(message).member("result");
        } catch (JsonException e) {
            throw new ScrubFailedException("the message is not valid JSON");
        }
        if (result == null || !"input_required".equals(result.string("resultType"))) {
            return null;
        }
        List<JsonValue> states = new ArrayList<>();
        result.forEachMember((name, value) -> {
            if (name.string().equals(MEMBER)) {
                states.add(value);
            }
        });
        if (states.size() > 1 || (states.size() == 1 && !states.getFirst().is(Kind.STRING))) {
            throw new ScrubFailedException("requestState is not one string");
        }
        if (states.size() == 1) {
            JsonValue value = states.getFirst();
            return new StateSwap(new Splice(message).replace(value, EMPTY).apply(), value.bytes());
        }
        if (!evenWithout) {
            return null;
        }
        byte[] member = ("\"" + MEMBER + "\":\"\",").getBytes(StandardCharsets.US_ASCII);
        return new StateSwap(
                new Splice(message).insert(result.start() + 1, member).apply(), new byte[0]);
    }

    /** The message with an empty state. */
    byte[] without() {
        return without;
    }

    /** The server's own state, a JSON string token; empty if there was none. */
    byte[] state() {
        return state;
    }

    /** The scrubbed message with the handle in its place. */
    static byte[] with(byte[] scrubbed, String handle) {
        JsonValue place = JsonValue.parse(scrubbed).path("result", MEMBER);
        if (place == null) {
            throw new ScrubFailedException("requestState was lost");
        }
        return new Splice(scrubbed)
                .replace(place, ('"' + handle + '"').getBytes(StandardCharsets.US_ASCII))
                .apply();
    }

    /** Horspool's search: looks at one byte in {@code word.length} where there is no match. */
    private static boolean contains(byte[] text, byte[] word) {
        int last = word.length - 1;
        int at = 0;
        while (at + last < text.length) {
            byte b = text[at + last];
            int offset = last;
            while (offset >= 0 && text[at + offset] == word[offset]) {
                offset--;
            }
            if (offset < 0) {
                return true;
            }
            int shift = word.length;
            for (int i = 0; i < last; i++) {
                if (word[i] == b) {
                    shift = last - i;
                }
            }
            at += shift;
        }
        return false;
    }
}
