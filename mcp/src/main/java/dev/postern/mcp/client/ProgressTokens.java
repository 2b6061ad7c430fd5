package dev.postern.mcp.client;

import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.json.Splice;
import dev.postern.mcp.wire.MetaKeys;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which open request each progress token of a conversation belongs to. Agents choose their tokens on their own, so two
 * may choose the same; the later one is sent under a token of ours, and its notifications get the agent's back.
 * Thread-safe.
 */
final class ProgressTokens {
    private static final String OURS = "postern-progress-";

    private final Map<Token, Use> uses = new HashMap<>();
    private long minted;

    /** The token of some params; their own array, or a copy with another token where that one is taken. */
    byte[] claim(byte[] params, OpenRequest request) {
        JsonValue value = JsonValue.parse(params).path(MetaKeys.META, MetaKeys.PROGRESS_TOKEN);
        Token token = Token.of(value);
        if (value == null || token == null) {
            return params;
        }
        synchronized (this) {
            if (uses.putIfAbsent(token, new Use(request, null)) == null) {
                return params;
            }
            Token fresh;
            String text;
            do {
                text = OURS + ++minted;
                fresh = new Token(true, text);
            } while (uses.containsKey(fresh));
            uses.put(fresh, new Use(request, JsonValue.parse(value.bytes())));
            return new Splice(params)
                    .replace(value, ('"' + text + '"').getBytes(StandardCharsets.US_ASCII))
                    .apply();
        }
    }

    synchronized void release(OpenRequest request) {
        uses.values().removeIf(use -> use.request == request);
    }

    /** Who asked for the progress that carries this token; null if nobody does any more. */
    synchronized @Nullable OpenRequest owner(JsonValue token) {
        Use use = uses.get(Token.of(token));
        return use == null ? null : use.request;
    }

    /** A progress notification with the agent's own token; the very array where that is what came. */
    synchronized byte[] restore(byte[] notification, JsonValue token) {
        Use use = uses.get(Token.of(token));
        return use == null || use.original == null
                ? notification
                : new Splice(notification).replace(token, use.original.bytes()).apply();
    }

    private record Use(OpenRequest request, @Nullable JsonValue original) {}

    /** Tokens compare by value: a server may spell the number {@code 7.0} as {@code 7}. */
    private record Token(boolean isString, String text) {
        static @Nullable Token of(@Nullable JsonValue value) {
            if (value == null) {
                return null;
            }
            if (value.is(Kind.STRING)) {
                return new Token(true, value.string());
            }
            return value.is(Kind.NUMBER) ? new Token(false, number(value.spelling())) : null;
        }

        private static String number(String spelling) {
            try {
                return new BigDecimal(spelling).stripTrailingZeros().toString();
            } catch (NumberFormatException exponentTooLarge) {
                return spelling;
            }
        }
    }
}
