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
import org.jspecify.annotations.Nullable;

/**
 * The memory of values delivered lately, by user: what S9 scrubs from later results, and where D6 keeps captured
 * values. At most {@link #MAX_VALUES} a user, for {@link #WINDOW}; what lapses or is pushed out is wiped. Values live
 * in memory only.
 *
 * <p>What filters make of a value, and a value it had before, are forms of that one value: they push each other out, beyond
 * {@link #MAX_FORMS}, and nothing else. An agent that may send one secret as often as it likes, encoded anew each time, makes
 * nobody forget another.
 *
 * <p>Thread-safe. Lapsed values are wiped on the next use of the memory by anyone, or by {@link #wipeLapsed()}, which
 * an owner with a clock calls from time to time.
 */
public final class RecentValues implements AutoCloseable {
    /** How long a value is remembered. */
    public static final Duration WINDOW = Duration.ofMinutes(10);

    /** How many values a user's memory holds. */
    public static final int MAX_VALUES = 32;

    /** How many forms of one value are remembered. */
    public static final int MAX_FORMS = 32;

    private final InstantSource clock;
    private final Map<String, Memory> byUser = new HashMap<>();
    private long changes;

    /** An empty memory that tells the time by {@code clock}. */
    public RecentValues(InstantSource clock) {
        this.clock = requireNonNull(clock);
    }

    /**
     * Keeps a copy of a value just delivered; the same value again moves to the front and lasts anew.
     *
     * @return names this value under this placeholder for as long as it is remembered
     */
    public synchronized long remember(String user, LiveSecret delivered) {
        wipeLapsed();
        Memory memory = byUser.computeIfAbsent(user, any -> new Memory());
        Remembered kept = memory.take(delivered);
        if (kept == null) {
            memory.revision = ++changes;
            kept = new Remembered(
                    memory.revision,
                    new LiveSecret(delivered.placeholder(), delivered.value().copy()),
                    Instant.MIN);
        }
        memory.values.addFirst(
                new Remembered(kept.id, kept.secret, clock.instant().plus(WINDOW)));
        memory.pushOut();
        return kept.id;
    }

    /** The time by which it forgets. */
    public Instant now() {
        return clock.instant();
    }

    /** Changes whenever the set of values remembered for this user does; 0 while it is empty. */
    public synchronized long revision(String user) {
        wipeLapsed();
        Memory memory = byUser.get(user);
        return memory == null ? 0 : memory.revision;
    }

    /**
     * What is to be scrubbed from this user's results, newest first. The values are copies, closed by the caller.
     */
    public synchronized List<LiveSecret> valuesOf(String user) {
        wipeLapsed();
        Memory memory = byUser.get(user);
        if (memory == null) {
            return List.of();
        }
        List<LiveSecret> values = new ArrayList<>();
        for (Remembered remembered : memory.values) {
            values.add(new LiveSecret(
                    remembered.secret.placeholder(), remembered.secret.value().copy()));
        }
        return values;
    }

    /** Wipes what has outlived the window. */
    public synchronized void wipeLapsed() {
        Instant now = clock.instant();
        for (Iterator<Memory> memories = byUser.values().iterator(); memories.hasNext(); ) {
            Memory memory = memories.next();
            Deque<Remembered> values = memory.values;
            while (!values.isEmpty() && !values.getLast().until.isAfter(now)) {
                values.removeLast().secret.value().close();
                memory.revision = ++changes;
            }
            if (values.isEmpty()) {
                memories.remove();
            }
        }
    }

    /** Wipes everything. */
    @Override
    public synchronized void close() {
        for (Memory memory : byUser.values()) {
            memory.values.forEach(remembered -> remembered.secret.value().close());
        }
        byUser.clear();
    }

    /** What one user was delivered, newest first. */
    private static final class Memory {
        private final Deque<Remembered> values = new ArrayDeque<>();
        private long revision;

        /** Wipes what there is no room for: values used longest ago, and of one value the oldest forms. */
        void pushOut() {
            Map<String, Integer> forms = new HashMap<>();
            for (Iterator<Remembered> newestFirst = values.iterator(); newestFirst.hasNext(); ) {
                LiveSecret secret = newestFirst.next().secret;
                Integer known = forms.get(secret.placeholder());
                if (known == null ? forms.size() == MAX_VALUES : known == MAX_FORMS) {
                    secret.value().close();
                    newestFirst.remove();
                } else {
                    forms.put(secret.placeholder(), known == null ? 1 : known + 1);
                }
            }
        }

        /** Takes a value out to be put in front; null if it is not there. */
        @Nullable
        Remembered take(LiveSecret delivered) {
            for (Iterator<Remembered> each = values.iterator(); each.hasNext(); ) {
                Remembered known = each.next();
                if (known.is(delivered)) {
                    each.remove();
                    return known;
                }
            }
            return null;
        }
    }

    private record Remembered(long id, LiveSecret secret, Instant until) {
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
