package dev.postern.mcp.server;

import java.time.Duration;

/**
 * Limits of the agents' side.
 *
 * @param maxBodyBytes the largest message taken from an agent: arguments of 4 MiB (R7) and what stands around them
 * @param heartbeat how long a response stays silent at most; below every idle timeout on the way
 * @param maxOpenPerAgent how many responses may be open to one agent at a time
 */
public record McpSettings(int maxBodyBytes, Duration heartbeat, int maxOpenPerAgent) {
    public static final McpSettings DEFAULTS = new McpSettings((4 << 20) + (256 << 10), Duration.ofSeconds(5), 12_000);
}
