package dev.postern.web.link;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/**
 * How often an address may bring a token that opens nothing. A token has 256 bits, so this is no defence against guessing but
 * against the work that guessing makes. Whoever is over the limit is turned away before anything is looked up, whatever they
 * bring. Thread-safe; bounded.
 */
public final class MissLimit {
    private static final int MAX_ADDRESSES = 10_000;

    private final int most;
    private final Duration window;
    private final InstantSource clock;
    private final Map<String, Misses> byAddress = new HashMap<>();

    private static final class Misses {
        private final Instant since;
        private int count;

        Misses(Instant since) {
            this.since = since;
        }
    }

    /** @param most misses in each {@code window} that are answered as misses */
    public MissLimit(int most, Duration window, InstantSource clock) {
        this.most = most;
        this.window = window;
        this.clock = clock;
    }

    /** Twenty a minute and address. */
    public static MissLimit standard(InstantSource clock) {
        return new MissLimit(20, Duration.ofMinutes(1), clock);
    }

    synchronized boolean isReached(String address) {
        Misses misses = byAddress.get(address);
        if (misses != null && !clock.instant().isBefore(misses.since.plus(window))) {
            byAddress.remove(address);
            return false;
        }
        return misses != null && misses.count >= most;
    }

    synchronized void missed(String address) {
        Instant now = clock.instant();
        if (byAddress.size() >= MAX_ADDRESSES) {
            byAddress.values().removeIf(misses -> !now.isBefore(misses.since.plus(window)));
        }
        if (byAddress.size() >= MAX_ADDRESSES && !byAddress.containsKey(address)) {
            byAddress.clear(); // a flood from everywhere is not held off by counting addresses
        }
        byAddress.computeIfAbsent(address, made -> new Misses(now)).count++;
    }

    Duration window() {
        return window;
    }
}
