package dev.postern.mcp.client;

import dev.postern.gate.call.Cancellation;
import dev.postern.gate.scrub.Raw;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.json.JsonValue;
import dev.postern.mcp.wire.Era;
import org.jspecify.annotations.Nullable;

/**
 * One conversation with one server. Thread-safe: requests run side by side. Made by {@link ServerConnector}; a
 * connection that has ended is not revived, a new one is made.
 */
public interface ServerConnection extends AutoCloseable {
    Era era();

    /** What the server said of itself: the {@code initialize} or {@code server/discover} result. Unscrubbed: hence Raw. */
    Raw greeting();

    /** The protocol version agreed upon. */
    String protocolVersion();

    /** False once it has ended. */
    boolean isOpen();

    /**
     * Sends a request and waits for its answer.
     *
     * @param params the exact params to send, or null for none; a modern server's required {@code _meta} is added to them
     *     where missing, nothing else is touched
     * @param tag given back with messages that belong to this request
     * @return the whole JSON-RPC response, result or error; its id is ours
     * @throws UpstreamException if none came: the server is gone, too slow, sent something unusable, or the agent gave up
     *     (the server is told, in its era's way)
     */
    Raw request(String method, byte @Nullable [] params, Object tag, Cancellation cancellation);

    /**
     * As {@link #request(String, byte[], Object, Cancellation)}, for a call of a tool whose definition is known.
     *
     * @param inputSchema the tool's; a modern server over HTTP gets the parameters that it marks repeated in headers
     *     ({@link dev.postern.mcp.wire.HeaderParameters})
     */
    default Raw request(
            String method,
            byte @Nullable [] params,
            @Nullable JsonValue inputSchema,
            Object tag,
            Cancellation cancellation) {
        return request(method, params, tag, cancellation);
    }

    /** Sends a notification. Does nothing if the connection has ended. */
    void notify(String method, byte @Nullable [] params);

    /** Ends the conversation: closes the stream, then ends the process. Idempotent. */
    @Override
    void close();

    /** What a client says of itself to a server: a legacy {@code initialize}'s capabilities and clientInfo. */
    record ClientFace(JsonValue capabilities, JsonValue clientInfo) {}
}
