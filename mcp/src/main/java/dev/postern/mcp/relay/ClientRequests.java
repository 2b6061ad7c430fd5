package dev.postern.mcp.relay;

import dev.postern.mcp.wire.Message;
import org.jspecify.annotations.Nullable;

/** What modern servers are to know of a legacy client, and how that can be asked while one of its requests is served. */
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

    /** The level of log messages it asked for, JSON; null if it never did. */
    @Nullable
    String logLevel();

    /** Subscribes to a resource of a modern server, which has no such request, or ends that. */
    Outbound subscribe(ServerLink link, Message request);
}
