package dev.postern.scrub;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * The memory of values delivered lately, by user: what S9 scrubs from later results, and where D6 keeps captured
 * values. At most {@link #MAX_VALUES} a user, for {@link #WINDOW}; what lapses or is pushed out is wiped. Values live
 * in memory only.
 *
 * <p>Thread-safe. Lapsed values are wiped on the next use of the memory by anyone, or by {@link #wipeLapsed()}, which
 * an owner with a clock calls from time to time.
 */
public final class RecentValues implements AutoCloseable {
    /** How long a value is remembered. */
    public static final Duration WINDOW = Duration.ofMinutes(10);

    /** How many values a user's memory holds. */
    public static final int MAX_VALUES = 32;

    private final InstantSource clock;
    private final Map<String, Deque<Remembered>> byUser = new HashMap<>();

    /** An empty memory that tells the time by {@code clock}. */
    public RecentValues(InstantSource clock) {
        this.clock = requireNonNull(clock);
    }

    /** Keeps a copy of a value just delivered; the same value again moves to the front and lasts anew. */
    public synchronized void remember(String user, LiveSecret delivered) {
        wipeLapsed();
        Deque<Remembered> values = byUser.computeIfAbsent(user, any -> new ArrayDeque<>());
        for (Iterator<Remembered> each = values.iterator(); each.hasNext(); ) {
            Remembered known = each.next();
            if (known.is(delivered)) {
                each.remove();
                known.secret.value().close();
            }
        }
        LiveSecret kept =
                new LiveSecret(delivered.placeholder(), delivered.value().copy());
        values.addFirst(new Remembered(kept, clock.instant().plus(WINDOW)));
        while (values.size() > MAX_VALUES) {
            values.removeLast().secret.value().close();
        }
    }

    /**
     * What is to be scrubbed from this user's results, newest first. The values are copies, closed by the caller.
     */
    public synchronized List<LiveSecret> valuesOf(String user) {
        wipeLapsed();
        List<LiveSecret> values = new ArrayList<>();
        for (Remembered remembered : byUser.getOrDefault(user, new ArrayDeque<>())) {
            values.add(new LiveSecret(
                    remembered.secret.placeholder(), remembered.secret.value().copy()));
        }
        return values;
    }

    /** Wipes what has outlived the window. */
    public synchronized void wipeLapsed() {
        Instant now = clock.instant();
        for (Iterator<Deque<Remembered>> users = byUser.values().iterator(); users.hasNext(); ) {
            Deque<Remembered> values = users.next();
            while (!values.isEmpty() && !values.getLast().until.isAfter(now)) {
                values.removeLast().secret.value().close();
            }
            if (values.isEmpty()) {
                users.remove();
            }
        }
    }

    /** Wipes everything. */
    @Override
    public synchronized void close() {
        for (Deque<Remembered> values : byUser.values()) {
            values.forEach(remembered -> remembered.secret.value().close());
        }
        byUser.clear();
    }

    private record Remembered(LiveSecret secret, Instant until) {
        /** The same value under the same name: compared without an early exit, on copies that are wiped. */
        boolean is(LiveSecret other) {
            byte[] mine = secret.value().reveal(dev.postern.secret.Reveal.TO_SCRUB);
            byte[] others = other.value().reveal(dev.postern.secret.Reveal.TO_SCRUB);
            boolean same = secret.placeholder().equals(other.placeholder())
                    && java.security.MessageDigest.isEqual(mine, others);
            java.util.Arrays.fill(mine, (byte) 0);
            java.util.Arrays.fill(others, (byte) 0);
            return same;
        }
    }
}
