package dev.postern.gate.call;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Why a call has no answer: a stable code, what happened, what to do next. All text is ours and static but for names;
 * never a value, never the agent's or a server's text.
 *
 * @param code the code the agent's result starts with, such as {@code SECRET_UNRESOLVED}
 * @param retryable whether the same call, sent again, may succeed without anything else being changed
 * @param what one sentence, without its full stop
 * @param next one sentence, without its full stop
 * @param details further members of {@code _meta["dev.postern/refusal"]}, such as {@code pointer} or {@code expires_at}
 */
public record Refusal(
        String code,
        Disposition disposition,
        boolean retryable,
        String what,
        String next,
        Map<String, Object> details) {

    /** A refusal whose code is its disposition's name and that has no details. */
    public static Refusal of(Disposition disposition, boolean retryable, String what, String next) {
        return new Refusal(disposition.name(), disposition, retryable, what, next, Map.of());
    }

    /** The same refusal with its texts put through {@code masking}: they may repeat a name the agent chose. */
    public Refusal masked(UnaryOperator<String> masking) {
        Map<String, Object> masked = new LinkedHashMap<>();
        details.forEach((name, value) -> masked.put(name, value instanceof String text ? masking.apply(text) : value));
        return new Refusal(code, disposition, retryable, masking.apply(what), masking.apply(next), masked);
    }

    /** {@code CODE: what happened. What to do next.} */
    public String text() {
        return code + ": " + what + ". " + next + ".";
    }
}
