package dev.postern.gate.policy;

import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Refusal;
import dev.postern.gate.call.RefusedException;
import dev.postern.gate.call.RunningCalls;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Counts what agents ask, after a call was judged and before the vault is read: a call over a quota is refused as
 * {@code POLICY_DENIED}, retryable, with {@code retry_after_seconds}. Counted on this node, from its start. Thread-safe.
 */
public final class Quotas implements AutoCloseable {
    private static final int TIDY_ABOVE = 1_000;

    private final InstantSource clock;
    private final Map<Counted, Count> counts = new HashMap<>();
    private final ScheduledExecutorService timer;

    /** Whom a count is for. A quota that is applied again unchanged goes on counting. */
    private record Counted(String agent, Quota quota) {}

    private static final class Count {
        private double calls;
        private Instant at;
        private int running;

        Count(double calls, Instant at) {
            this.calls = calls;
            this.at = at;
        }
    }

    public Quotas(InstantSource clock) {
        this.clock = clock;
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("postern-quotas").factory());
        executor.setRemoveOnCancelPolicy(true);
        this.timer = executor;
    }

    /**
     * Counts a call, until it is over.
     *
     * @throws RefusedException if a quota has no room for it: then it counts for none
     */
    public void enter(Judged judged, RunningCalls.Running running) {
        List<Quota> quotas = judged.limits().quotas();
        if (quotas.isEmpty()) {
            return;
        }
        String agent = judged.call().caller().agent();
        synchronized (counts) {
            Instant now = clock.instant();
            List<Count> taken = new ArrayList<>();
            for (Quota quota : quotas) {
                Count count = counts.computeIfAbsent(new Counted(agent, quota), counted -> fresh(quota, now));
                refill(count, quota, now);
                requireRoom(count, quota, judged);
                taken.add(count);
            }
            for (Count count : taken) {
                count.calls--;
                count.running++;
            }
            running.onEnd(() -> leave(taken));
            tidy(now);
        }
    }

    /** Stops a call when its time at the server is over; close when it has answered. */
    public Timing time(Judged judged, RunningCalls.Running running) {
        OptionalInt seconds = judged.limits().callSeconds();
        if (seconds.isEmpty()) {
            return () -> {};
        }
        Refusal late = Refusal.of(
                Disposition.TIMED_OUT,
                true,
                "the server did not answer within the " + seconds.getAsInt() + " s that the policy allows",
                "It may still have acted; look before you send the call again");
        ScheduledFuture<?> end = timer.schedule(() -> running.stop(late), seconds.getAsInt(), TimeUnit.SECONDS);
        return () -> end.cancel(false);
    }

    /** A call's time at its server. */
    public interface Timing extends AutoCloseable {
        @Override
        void close();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    private void leave(List<Count> taken) {
        synchronized (counts) {
            taken.forEach(count -> count.running--);
        }
    }

    private static Count fresh(Quota quota, Instant now) {
        Integer calls = quota.callsPerMinute();
        return new Count(calls == null ? 0 : calls, now);
    }

    private static void refill(Count count, Quota quota, Instant now) {
        Integer perMinute = quota.callsPerMinute();
        if (perMinute != null) {
            double seconds = Math.max(0, Duration.between(count.at, now).toMillis() / 1000.0);
            count.calls = Math.min(perMinute, count.calls + seconds * perMinute / 60.0);
        }
        count.at = now;
    }

    private static void requireRoom(Count count, Quota quota, Judged judged) {
        Integer perMinute = quota.callsPerMinute();
        if (perMinute != null && count.calls < 1) {
            long wait = (long) Math.ceil((1 - count.calls) * 60.0 / perMinute);
            throw refused(judged, "callsPerMinute", perMinute, Math.max(1, wait));
        }
        Integer concurrent = quota.concurrentCalls();
        if (concurrent != null && count.running >= concurrent) {
            throw refused(judged, "concurrentCalls", concurrent, 1);
        }
    }

    private static RefusedException refused(Judged judged, String quota, int limit, long retryAfterSeconds) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("quota", quota);
        details.put("limit", limit);
        details.put("retry_after_seconds", retryAfterSeconds);
        details.put("policy_revision", judged.policyRevision());
        return new RefusedException(new Refusal(
                Disposition.POLICY_DENIED.name(),
                Disposition.POLICY_DENIED,
                true,
                "the policy's quota " + quota + " of " + limit + " is used up for this agent",
                "Send the call again in " + retryAfterSeconds + " s",
                details));
    }

    /** Who has been quiet for a minute has a whole quota again, and need not be remembered. */
    private void tidy(Instant now) {
        if (counts.size() > TIDY_ABOVE) {
            counts.values().removeIf(count -> count.running == 0 && count.at.isBefore(now.minusSeconds(60)));
        }
    }
}
