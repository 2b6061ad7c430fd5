package dev.postern.mcp.client;

import dev.postern.mcp.wire.Era;

/**
 * How messages get to one server: a child's pipes, a URL, an object in this process. Takes over, and wipes, the arrays
 * it sends, since arguments in them may hold values. What comes back goes to an {@link Inbox}. Thread-safe.
 */
interface Link {
    /**
     * Starts the server or gets ready to reach it.
     *
     * @throws dev.postern.gate.upstream.UpstreamException if it cannot be started
     */
    void open(Inbox inbox);

    /** The era and revision to send in from now on. */
    default void speak(Era era, String version) {}

    /** Hands are shaken: the server may speak on its own account. */
    default void ready() {}

    /**
     * Sends a request; returns without waiting for its answer.
     *
     * @throws dev.postern.gate.upstream.UpstreamException if it certainly did not reach the server
     */
    void send(OpenRequest request, byte[] message);

    /** Sends a notification or the answer to a server's request. */
    void send(byte[] message);

    /** Nobody waits for this request any more: tells the server so, in the era's way. */
    void abandon(OpenRequest request);

    /** Ends the conversation and waits until nothing of it is left. Idempotent. */
    void close();
}
