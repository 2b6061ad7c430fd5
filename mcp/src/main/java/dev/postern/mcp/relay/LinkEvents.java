package dev.postern.mcp.relay;

import dev.postern.mcp.client.ServerListener.Reply;
import org.jspecify.annotations.Nullable;

/** What a server says on its own account, after the choke point. Called on the server's reading thread: hand over, do not wait. */
interface LinkEvents {
    /**
     * A notification.
     *
     * @param related the request it belongs to; null where that is not known
     */
    void notification(ServerLink link, Outbound message, String method, @Nullable InFlight related);

    /** A request for the client. The answer goes to {@code reply}, once. */
    void request(ServerLink link, Outbound message, String method, @Nullable InFlight related, Reply reply);

    /** The server has started; nothing was asked of it yet. */
    default void started(ServerLink link) {}

    /** The server has started again after it ended by itself: what it offers may be something else now. */
    default void restarted(ServerLink link) {}

    /** The server's conversation ended; the next request starts another. */
    void closed(ServerLink link);
}
