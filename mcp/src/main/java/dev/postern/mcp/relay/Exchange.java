package dev.postern.mcp.relay;

/**
 * One request of an agent while it waits for its answer: what is sent here reaches the agent before the answer does, in
 * the order it was sent. Thread-safe.
 */
@FunctionalInterface
public interface Exchange {
    /** Takes a notification or a request for the agent; false if it can no longer be carried. */
    boolean send(Outbound message);
}
