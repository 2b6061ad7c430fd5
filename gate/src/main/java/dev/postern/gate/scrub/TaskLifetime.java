package dev.postern.gate.scrub;

import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How long a call goes on whose answer is a task: the server has taken it, and answers {@code tasks/*} requests with the rest. */
final class TaskLifetime {
    /** No call takes longer, nor does a task. */
    static final Duration LONGEST = Duration.ofHours(12);

    private TaskLifetime() {}

    /** The time for which the server says that it keeps the task, or the longest there is; null if the answer is no task. */
    static @Nullable Duration of(byte[] answer) {
        JsonValue result;
        try {
            result = JsonValue.parse(answer).member("result");
        } catch (JsonException e) {
            return null; // it will not be passed on either
        }
        JsonValue inside =
                result == null ? null : result.member("task"); // 2025-11-25; flat in the extension of 2026-07-28
        JsonValue task = inside == null ? result : inside;
        if (task == null || task.member("taskId") == null) {
            return null;
        }
        JsonValue milliseconds = inside == null ? task.member("ttlMs") : task.member("ttl");
        return milliseconds == null || !milliseconds.is(Kind.NUMBER) ? LONGEST : duration(milliseconds.spelling());
    }

    private static Duration duration(String milliseconds) {
        if (milliseconds.length() > 20) {
            return LONGEST;
        }
        BigDecimal number = new BigDecimal(milliseconds).max(BigDecimal.ZERO);
        return number.compareTo(BigDecimal.valueOf(LONGEST.toMillis())) >= 0
                ? LONGEST
                : Duration.ofMillis(number.longValue());
    }
}
