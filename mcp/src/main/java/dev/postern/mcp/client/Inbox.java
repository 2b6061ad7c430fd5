package dev.postern.mcp.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Where a {@link Link} puts what came from the server, in the order in which it came. */
interface Inbox {
    /**
     * One message, or a batch of them.
     *
     * @param stream the request on whose response stream it came; null where all messages share one channel
     */
    void message(byte[] message, @Nullable OpenRequest stream);

    /** A message that was too large to keep; {@code scan} saw all of it. */
    void oversized(TopLevelScan scan, @Nullable OpenRequest stream);

    /** One line of stderr. */
    void stderr(byte[] line);

    /** The stream of a request ended before its answer, and is taken up again after that time. */
    void paused(OpenRequest request, Duration until);

    /**
     * No message will come any more.
     *
     * @param why one static sentence without its full stop
     */
    void ended(String why);
}
