package dev.postern.mcp.relay;

import dev.postern.mcp.wire.Message;
import org.jspecify.annotations.Nullable;

/** How a client can be asked something while one of its requests is served. */
@FunctionalInterface
interface ClientRequests {
    /**
     * Asks and waits.
     *
     * @param method such as {@code elicitation/create}
     * @param params scrubbed, JSON; null for none
     * @return the client's response, result or error; null if it cannot be had
     */
    @Nullable
    Message ask(InFlight inFlight, String method, byte @Nullable [] params);
}
