package dev.postern.web.auth;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Slows down whoever guesses (A4): after three failures for one name each further try has to wait, twice as long every time
 * up to fifteen seconds. Never longer, so that nobody locks somebody else out; at that pace a passphrase is not guessed. A
 * one-time link from the command line is not slowed down. Thread-safe.
 */
final class Attempts {
    private static final int FREE = 3;
    private static final Duration LONGEST = Duration.ofSeconds(15);
    private static final Duration FORGOTTEN = Duration.ofMinutes(15);
    private static final int MOST_NAMES = 10_000;

    private final InstantSource clock;
    private final Map<String, Failures> byName = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Failures> eldest) {
            return size() > MOST_NAMES;
        }
    };

    Attempts(InstantSource clock) {
        this.clock = clock;
    }

    private record Failures(int count, Instant last) {}

    /** How long a try for a name has to wait; zero if it may be made now. */
    synchronized Duration waitFor(String name) {
        @Nullable Failures failures = byName.get(name);
        if (failures == null || failures.count < FREE) {
            return Duration.ZERO;
        }
        Duration pause = Duration.ofSeconds(1L << Math.min(failures.count - FREE, 10));
        pause = pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
        Duration left = Duration.between(clock.instant(), failures.last.plus(pause));
        return left.isNegative() ? Duration.ZERO : left;
    }

    synchronized void failed(String name) {
        Instant now = clock.instant();
        @Nullable Failures before = byName.remove(name);
        int earlier = before == null || before.last.plus(FORGOTTEN).isBefore(now) ? 0 : before.count;
        byName.put(name, new Failures(earlier + 1, now));
    }

    synchronized void succeeded(String name) {
        byName.remove(name);
    }
}
