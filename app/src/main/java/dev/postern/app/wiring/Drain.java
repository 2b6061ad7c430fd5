package dev.postern.app.wiring;

import dev.postern.gate.approval.Approvals;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Refusal;
import dev.postern.gate.call.RunningCalls;
import dev.postern.mcp.relay.Answering;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first thing a gateway does when it stops: tells callers that wait for a person to come back, gives calls that run time
 * to end, and cuts off those that take longer. What was answered is written before anything is closed: as long as the last answers
 * go out, it is waited for.
 */
final class Drain implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Drain.class);
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);
    private static final int MOST_LAST_WORDS = 10;

    private final Runnable unready;
    private final Approvals approvals;
    private final RunningCalls running;
    private final Answering answering;
    private final Duration grace;

    /**
     * Drains nothing yet.
     *
     * @param unready says to load balancers that no more is taken
     * @param grace how long running calls get
     */
    Drain(Runnable unready, Approvals approvals, RunningCalls running, Answering answering, Duration grace) {
        this.unready = unready;
        this.approvals = approvals;
        this.running = running;
        this.answering = answering;
        this.grace = grace;
    }

    private static Refusal stopping(String what, String then) {
        return Refusal.of(Disposition.CANCELLED, true, what, then);
    }

    /** Until all are told that they were cut off, or nobody is told any more. */
    private void awaitLastWords() throws InterruptedException {
        int before = Integer.MAX_VALUE;
        for (int i = 0; i < MOST_LAST_WORDS && answering.open() < before; i++) {
            before = answering.open();
            if (answering.awaitNone(LAST_WORDS)) {
                return;
            }
        }
    }

    @Override
    public void close() {
        unready.run();
        running.refuseMore(stopping("the gateway is stopping", "Send the call again when it is back"));
        approvals.letGo();
        try {
            if (!answering.awaitNone(grace)) {
                int stopped = running.stop(
                        call -> true,
                        stopping(
                                "the gateway stopped while the server worked on this call",
                                "It may have acted already: look before you send it again"));
                LOG.warn("cut off {} calls that took longer than {} s to end", stopped, grace.toSeconds());
                awaitLastWords();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
