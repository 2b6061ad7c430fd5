package dev.postern.mcp.client;

import dev.postern.gate.upstream.UpstreamException;

/** Starts conversations. */
public interface ServerConnector {
    /**
     * Starts the server's process or reaches its URL, finds out its era and shakes hands.
     *
     * @param spec given away: its values are wiped once they are no longer needed, whether this succeeds or not
     * @param face what to say of the client
     * @throws UpstreamException if it cannot be started or does not answer as an MCP server
     */
    ServerConnection connect(ServerSpec spec, ServerConnection.ClientFace face, ServerListener listener);
}
