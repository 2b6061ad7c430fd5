package dev.postern.mcp.relay;

import java.time.Duration;

/**
 * How long things last.
 *
 * @param approvalHold how long a call is held for a person before it returns {@code APPROVAL_PENDING} (P7)
 * @param approvalTimeout how long it is held where the client takes progress notifications (P7)
 * @param idleSession when a legacy session without a request or an open stream ends
 * @param idleConnection when a server connection that no modern request uses is closed
 * @param clientAnswer how long a client may take to answer a server's request
 */
public record RelaySettings(
        Duration approvalHold,
        Duration approvalTimeout,
        Duration idleSession,
        Duration idleConnection,
        Duration clientAnswer) {
    public static final RelaySettings DEFAULTS = new RelaySettings(
            Duration.ofSeconds(45),
            Duration.ofSeconds(300),
            Duration.ofMinutes(30),
            Duration.ofMinutes(10),
            Duration.ofMinutes(10));
}
