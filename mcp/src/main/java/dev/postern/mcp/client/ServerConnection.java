package dev.postern.mcp.client;

import dev.postern.gate.call.Cancellation;
import dev.postern.gate.scrub.Raw;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.json.JsonValue;
import dev.postern.mcp.wire.Era;
import dev.postern.mcp.wire.ProtocolVersion;
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

    /**
     * What a client says of itself to a server, and the revision it speaks. A server of both eras is spoken to in the
     * client's own, so that nothing between the two has to be translated.
     *
     * @param capabilities as in a legacy {@code initialize}
     * @param clientInfo its name and version, JSON
     * @param protocolVersion one that Postern speaks
     */
    record ClientFace(JsonValue capabilities, JsonValue clientInfo, String protocolVersion) {
        /** The era of the client's revision. */
        public Era era() {
            return ProtocolVersion.isSpoken(Era.MODERN, protocolVersion) ? Era.MODERN : Era.LEGACY;
        }

        /** What to ask a legacy server for: the client's own revision where that has a handshake. */
        String versionToInitialize() {
            return era() == Era.LEGACY ? protocolVersion : ProtocolVersion.LEGACY;
        }
    }
}
