package dev.postern.mcp.server;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** How fast each agent's requests come: a bucket of two seconds' worth, filled at the rate that is allowed. Thread-safe. */
final class RequestRates {
    private static final double BURST_SECONDS = 2;

    private final double most;
    private final int perSecond;
    private final LongSupplier nanoTime;
    /** Buckets change inside the map's own operations alone, so that none is filled and forgotten at once. */
    private final Map<String, Bucket> buckets = new ConcurrentHashMap<>();

    RequestRates(int perSecond, LongSupplier nanoTime) {
        this.most = perSecond * BURST_SECONDS;
        this.perSecond = perSecond;
        this.nanoTime = nanoTime;
    }

    /** What an agent had left, and when. */
    private record Bucket(double left, long nanos) {}

    /** Whether one more request of this agent may come now. */
    boolean take(String agent) {
        boolean[] got = {false};
        buckets.compute(agent, (name, bucket) -> {
            long now = nanoTime.getAsLong();
            double left = bucket == null ? most : filled(bucket, now);
            got[0] = left >= 1;
            return new Bucket(got[0] ? left - 1 : left, now);
        });
        return got[0];
    }

    private double filled(Bucket bucket, long now) {
        return Math.min(most, bucket.left + (now - bucket.nanos) / 1e9 * perSecond);
    }

    /** Forgets agents whose buckets are full again. */
    void tidy() {
        for (String agent : buckets.keySet()) {
            buckets.computeIfPresent(
                    agent, (name, bucket) -> filled(bucket, nanoTime.getAsLong()) >= most ? null : bucket);
        }
    }
}
