package dev.postern.mcp.client;

import dev.postern.gate.scrub.Raw;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a server says on its own account. Called on the connection's reading thread: hand over quickly, never block on the server. */
public interface ServerListener {
    /**
     * A notification.
     *
     * @param message the whole message, to be scrubbed before anything else is done with it
     * @param method its method, for routing
     * @param related the tag of the request it belongs to, where that is known (its progress token, or the stream it
     *     came on); null otherwise
     */
    void notification(Raw message, String method, @Nullable Object related);

    /** A request of a legacy server (sampling, elicitation, roots, ping is answered below). Answer through {@code reply}, once. */
    void request(Raw message, String method, @Nullable Object related, Reply reply);

    /**
     * The server ended the stream of a request before its answer; the stream is taken up again by itself.
     *
     * @param related the request's tag
     * @param until how long the server wants its client to wait before that
     */
    default void paused(@Nullable Object related, Duration until) {}

    /** One line of the server's stderr, without its line end. */
    void stderr(Raw line);

    /** The conversation is over; every open request has failed. Called once. */
    void closed();

    /** Where the answer to a server's request goes. */
    interface Reply {
        /** Sends a whole JSON-RPC response from the client; its id is replaced by the server's own. */
        void send(byte[] response);
    }
}
