package dev.postern.mcp.server;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How fast each agent's requests come: a bucket of two seconds' worth, filled at the rate that is allowed. Thread-safe. */
final class RequestRates {
    private static final double BURST_SECONDS = 2;

    private final int perSecond;
    private final Map<String, Bucket> buckets = new ConcurrentHashMap<>();

    RequestRates(int perSecond) {
        this.perSecond = perSecond;
    }

    /** Whether one more request of this agent may come now. */
    boolean take(String agent) {
        return buckets.computeIfAbsent(agent, name -> new Bucket()).take(System.nanoTime());
    }

    /** Forgets agents whose buckets are full again. */
    void tidy() {
        long now = System.nanoTime();
        buckets.values().removeIf(bucket -> bucket.isFull(now));
    }

    private final class Bucket {
        private double left = perSecond * BURST_SECONDS;
        private long filledNanos = System.nanoTime();

        private void fill(long now) {
            left = Math.min(perSecond * BURST_SECONDS, left + (now - filledNanos) / 1e9 * perSecond);
            filledNanos = now;
        }

        synchronized boolean take(long now) {
            fill(now);
            if (left < 1) {
                return false;
            }
            left--;
            return true;
        }

        synchronized boolean isFull(long now) {
            fill(now);
            return left >= perSecond * BURST_SECONDS;
        }
    }
}
