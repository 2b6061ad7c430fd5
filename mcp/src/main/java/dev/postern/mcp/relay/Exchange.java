package dev.postern.mcp.relay;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One request of an agent while it waits for its answer: what is sent here reaches the agent before the answer does, in
 * the order it was sent. Thread-safe.
 */
@FunctionalInterface
public interface Exchange {
    /** Takes a notification or a request for the agent; false if it can no longer be carried. */
    boolean send(Outbound message);

    /** The server ended its stream before its answer, and wants to be asked for the rest after that time. */
    default void pause(Duration until) {}

    /**
     * The headers that repeat tool parameters, their raw values by what follows {@code Mcp-Param-} in lower case; null
     * where the transport has no headers.
     */
    default @Nullable Map<String, String> headerParameters() {
        return null;
    }

    /** The exchange behind this one, where this one only passes on. */
    default Exchange carrier() {
        return this;
    }
}
