package dev.postern.mcp.client;

import java.util.function.Consumer;

/** An MCP server that lives in this process. Speaks legacy and modern messages as bytes, like any other server. */
@FunctionalInterface
public interface EmbeddedServer {
    /** Handles one message; whatever it has to say goes to {@code answers}, on the calling thread. */
    void handle(byte[] message, Consumer<byte[]> answers);
}
