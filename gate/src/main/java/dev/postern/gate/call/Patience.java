package dev.postern.gate.call;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long, and how, the client of a call can wait for a person (P7).
 *
 * @param hold how long the call itself is held before it returns {@code APPROVAL_PENDING}
 * @param heartbeat called every few seconds while a person is awaited, to send progress; null where the client takes
 *     none
 * @param cancellation fired when the agent no longer wants the answer
 */
public record Patience(Duration hold, @Nullable Heartbeat heartbeat, Cancellation cancellation) {
    /** Tells the client that its call still waits. */
    @FunctionalInterface
    public interface Heartbeat {
        void waiting(Duration elapsed, Duration remaining);
    }
}
