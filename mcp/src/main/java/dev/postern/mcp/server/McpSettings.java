package dev.postern.mcp.server;

import java.time.Duration;

/**
 * Limits of the agents' side.
 *
 * @param maxBodyBytes the largest message taken from an agent: arguments of 4 MiB (R7) and what stands around them
 * @param heartbeat how long a response stays silent at most; below every idle timeout on the way
 * @param maxOpenPerAgent how many responses may be open to one agent at a time
 * @param maxSessionsPerAgent how many legacy sessions one agent may have, each with servers of its own
 * @param maxRequestsPerSecond how many HTTP requests one agent may make, on average; two seconds' worth may come at once
 * @param soon from here on an answer comes on a stream where that can be taken up again, which JSON cannot
 */
public record McpSettings(
        int maxBodyBytes,
        Duration heartbeat,
        int maxOpenPerAgent,
        int maxSessionsPerAgent,
        int maxRequestsPerSecond,
        Duration soon) {
    public static final McpSettings DEFAULTS =
            new McpSettings((4 << 20) + (256 << 10), Duration.ofSeconds(5), 12_000, 2_000, 10_000);

    /** As soon as usual. */
    public McpSettings(
            int maxBodyBytes,
            Duration heartbeat,
            int maxOpenPerAgent,
            int maxSessionsPerAgent,
            int maxRequestsPerSecond) {
        this(
                maxBodyBytes,
                heartbeat,
                maxOpenPerAgent,
                maxSessionsPerAgent,
                maxRequestsPerSecond,
                Duration.ofMillis(300));
    }

    /** With the usual sessions and rate. */
    public McpSettings(int maxBodyBytes, Duration heartbeat, int maxOpenPerAgent) {
        this(maxBodyBytes, heartbeat, maxOpenPerAgent, DEFAULTS.maxSessionsPerAgent(), DEFAULTS.maxRequestsPerSecond());
    }
}
