package dev.postern.mcp.client;

import java.time.Duration;

/**
 * How much a server may send and how long it may take, so that a broken one harms only its own calls.
 *
 * @param maxMessageBytes the largest message taken from a server; a larger answer fails its call
 * @param maxQueuedBytes how much may wait for a child that does not read its standard input
 * @param maxServerRequests how many requests of one server may wait for the client's answer
 * @param probe how long {@code server/discover} may stay unanswered before a server counts as legacy
 * @param handshake how long a server may take to start and shake hands
 * @param longestRequest how long one request may take, progress or not
 * @param exit how long a child may take to exit after its standard input closed, and again after SIGTERM
 * @param stderrLinesPerSecond how many lines of stderr are passed on; ten seconds' worth may come at once
 * @param maxStderrLineBytes where a line of stderr is cut
 */
public record ConnectionLimits(
        int maxMessageBytes,
        int maxQueuedBytes,
        int maxServerRequests,
        Duration probe,
        Duration handshake,
        Duration longestRequest,
        Duration exit,
        int stderrLinesPerSecond,
        int maxStderrLineBytes) {

    /** What the gateway uses unless told otherwise. */
    public static ConnectionLimits standard() {
        return new ConnectionLimits(
                32 << 20,
                64 << 20,
                256,
                Duration.ofSeconds(5),
                Duration.ofSeconds(60),
                Duration.ofHours(12),
                Duration.ofSeconds(2),
                100,
                8 << 10);
    }

    /** The same with another largest message. */
    public ConnectionLimits withMaxMessageBytes(int bytes) {
        return new ConnectionLimits(
                bytes,
                maxQueuedBytes,
                maxServerRequests,
                probe,
                handshake,
                longestRequest,
                exit,
                stderrLinesPerSecond,
                maxStderrLineBytes);
    }

    /** The same with another limit to what waits for a child, and to requests that wait for the client. */
    public ConnectionLimits withQueues(int queuedBytes, int serverRequests) {
        return new ConnectionLimits(
                maxMessageBytes,
                queuedBytes,
                serverRequests,
                probe,
                handshake,
                longestRequest,
                exit,
                stderrLinesPerSecond,
                maxStderrLineBytes);
    }

    /** The same with other patience for the probe and the handshake. */
    public ConnectionLimits withHandshake(Duration newProbe, Duration newHandshake) {
        return new ConnectionLimits(
                maxMessageBytes,
                maxQueuedBytes,
                maxServerRequests,
                newProbe,
                newHandshake,
                longestRequest,
                exit,
                stderrLinesPerSecond,
                maxStderrLineBytes);
    }

    /** The same with other patience for a child's exit. */
    public ConnectionLimits withExit(Duration newExit) {
        return new ConnectionLimits(
                maxMessageBytes,
                maxQueuedBytes,
                maxServerRequests,
                probe,
                handshake,
                longestRequest,
                newExit,
                stderrLinesPerSecond,
                maxStderrLineBytes);
    }
}
