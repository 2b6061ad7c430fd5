package dev.postern.app.wiring;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What a start is told.
 *
 * @param data the data directory
 * @param config the configuration file; it need not exist
 * @param port 0 for a free one
 * @param approvalTimeout how long a request waits for a person (P7)
 * @param approvalHold how long a call itself is held for one (P7)
 * @param stopGrace how long calls that run when the gateway is stopped may take to end
 */
public record GatewaySettings(
        Path data,
        Path config,
        String host,
        int port,
        Duration approvalTimeout,
        Duration approvalHold,
        Duration stopGrace) {
    public static final String DEFAULT_HOST = "127.0.0.1";
    public static final int DEFAULT_PORT = 7437;
    public static final Duration DEFAULT_APPROVAL_TIMEOUT = Duration.ofMinutes(5);
    public static final Duration DEFAULT_APPROVAL_HOLD = Duration.ofSeconds(45);
    public static final Duration DEFAULT_STOP_GRACE = Duration.ofSeconds(10);

    /** With the usual grace. */
    public GatewaySettings(
            Path data, Path config, String host, int port, Duration approvalTimeout, Duration approvalHold) {
        this(data, config, host, port, approvalTimeout, approvalHold, DEFAULT_STOP_GRACE);
    }
}
