package dev.postern.gate.detect;

import static java.util.Objects.requireNonNull;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.vault.DestinationRules;
import dev.postern.gate.vault.SecretRecord;
import dev.postern.gate.vault.Vault;
import dev.postern.gate.vault.Vaults;
import dev.postern.reference.Field;
import dev.postern.reference.Reference;
import dev.postern.scrub.LiveSecret;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Values that were captured, by the agent they were kept from (D6): at most {@value #MAX_VALUES} an agent, each for
 * {@link #WINDOW} since it was last found or named in a call. They are in memory only; what lapses or is pushed out is
 * wiped. Only the agent whose message it was can refer to a value; all agents of its user get it scrubbed (S9).
 *
 * <p>Names are minted for a user, one after the other, and never again while the gateway runs: two agents that share a
 * memory never see one name for two values. Thread-safe.
 */
public final class CapturedValues implements AutoCloseable {
    /** How long a value is kept. */
    public static final Duration WINDOW = Duration.ofMinutes(10);

    /** How many values an agent has at most. */
    public static final int MAX_VALUES = 32;

    /** How large a value may be, as in the vault (V1). */
    public static final int MAX_BYTES = 8 * 1024;

    private static final String PREFIX = "captured.";
    private static final Pattern NAME = Pattern.compile("captured\\.[0-9]+");

    private final InstantSource clock;
    private final Map<String, Ring> byAgent = new HashMap<>();
    private final Map<String, Integer> lastOfUser = new HashMap<>();
    private long changes;

    /** An empty memory that tells the time by {@code clock}. */
    public CapturedValues(InstantSource clock) {
        this.clock = requireNonNull(clock);
    }

    /** Whether a name is one of those that are minted here, and so none for the vault. */
    public static boolean isReserved(String name) {
        return NAME.matcher(name).matches();
    }

    /** The vault as each agent sees it: with what was captured on the way to it. */
    public Vaults over(Vault vault) {
        return CapturedVault.over(vault, this);
    }

    /**
     * Keeps a copy of a value; one that is kept already keeps its name and lasts anew.
     *
     * @param origin where it was found and what it looks like, for the person who is asked about it
     * @return the reference that stands for it; null if it is too large to be kept
     */
    synchronized @Nullable String capture(Caller caller, SecretValue value, String origin) {
        if (value.length() > MAX_BYTES) {
            return null;
        }
        wipeLapsed();
        Ring ring = byAgent.computeIfAbsent(caller.agent(), any -> new Ring(caller.user()));
        Kept kept = ring.take(value);
        if (kept == null) {
            changes++;
            kept = new Kept(record(caller, origin), value.copy(), isTelling(value));
        }
        kept.until = clock.instant().plus(WINDOW);
        ring.values.addFirst(kept);
        while (ring.values.size() > MAX_VALUES) {
            ring.values.removeLast().value.close();
        }
        return kept.placeholder();
    }

    /** The value that a reference of this agent names; it lasts anew. */
    synchronized Optional<SecretRecord> find(Caller caller, Reference reference) {
        wipeLapsed();
        Ring ring = byAgent.get(caller.agent());
        Kept kept = ring == null ? null : ring.take(reference);
        if (ring == null || kept == null) {
            return Optional.empty();
        }
        kept.until = clock.instant().plus(WINDOW);
        ring.values.addFirst(kept);
        return Optional.of(kept.secret);
    }

    /** A copy of a value, which the caller closes; empty if it is none of this agent's, or no longer kept. */
    synchronized Optional<SecretValue> open(Caller caller, SecretRecord secret) {
        wipeLapsed();
        Ring ring = byAgent.get(caller.agent());
        return ring == null
                ? Optional.empty()
                : ring.values.stream()
                        .filter(kept -> kept.secret.id().equals(secret.id()))
                        .findFirst()
                        .map(kept -> kept.value.copy());
    }

    /** What this agent can refer to, newest first. */
    synchronized List<SecretRecord> list(Caller caller) {
        wipeLapsed();
        Ring ring = byAgent.get(caller.agent());
        return ring == null
                ? List.of()
                : ring.values.stream().map(kept -> kept.secret).toList();
    }

    /**
     * What is to be scrubbed from all results of this user: copies, closed by the caller. A value that could as well be an
     * ordinary word is not among them: it is taken out only where the rules find it.
     */
    public synchronized List<LiveSecret> valuesOf(String user) {
        wipeLapsed();
        List<LiveSecret> values = new ArrayList<>();
        for (Ring ring : byAgent.values()) {
            if (ring.user.equals(user)) {
                ring.values.stream()
                        .filter(kept -> kept.telling)
                        .forEach(kept -> values.add(new LiveSecret(kept.placeholder(), kept.value.copy())));
            }
        }
        return values;
    }

    /** Changes whenever what is kept does; 0 while nothing is. */
    public synchronized long revision() {
        wipeLapsed();
        return byAgent.isEmpty() ? 0 : changes;
    }

    /** Wipes an agent's values: its key was revoked. */
    public synchronized void forget(String agent) {
        Ring ring = byAgent.remove(agent);
        if (ring != null) {
            ring.wipe();
            changes++;
        }
    }

    /** Wipes what has outlived the window. An owner with a clock calls this from time to time. */
    public synchronized void wipeLapsed() {
        Instant now = clock.instant();
        for (Iterator<Ring> rings = byAgent.values().iterator(); rings.hasNext(); ) {
            Deque<Kept> values = rings.next().values;
            while (!values.isEmpty() && !values.getLast().until.isAfter(now)) {
                values.removeLast().value.close();
                changes++;
            }
            if (values.isEmpty()) {
                rings.remove();
            }
        }
    }

    /** Wipes everything. */
    @Override
    public synchronized void close() {
        byAgent.values().forEach(Ring::wipe);
        byAgent.clear();
        changes++;
    }

    private SecretRecord record(Caller caller, String origin) {
        int number = lastOfUser.merge(caller.user(), 1, Integer::sum);
        Instant now = clock.instant();
        return new SecretRecord(
                UUID.randomUUID(),
                PREFIX + number,
                origin,
                null,
                origin,
                List.of(),
                new DestinationRules(List.of(), List.of(), List.of()),
                Set.of(Field.PASSWORD),
                1,
                caller.user(),
                now,
                now);
    }

    /**
     * Whether a value is told from ordinary text wherever it stands. A password such as {@code postgres} is not: to take
     * it out of everything would make what an agent reads useless.
     */
    private static boolean isTelling(SecretValue value) {
        byte[] bytes = value.reveal(Reveal.TO_SCRUB);
        try {
            boolean digits = false;
            boolean letters = false;
            for (byte b : bytes) {
                digits |= b >= '0' && b <= '9';
                letters |= (b | 0x20) >= 'a' && (b | 0x20) <= 'z';
            }
            return bytes.length >= 24 || (bytes.length >= 12 && digits && letters);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private static boolean same(SecretValue one, SecretValue other) {
        if (one.length() != other.length()) {
            return false;
        }
        byte[] mine = one.reveal(Reveal.TO_SCRUB);
        byte[] others = other.reveal(Reveal.TO_SCRUB);
        try {
            return MessageDigest.isEqual(mine, others);
        } finally {
            Arrays.fill(mine, (byte) 0);
            Arrays.fill(others, (byte) 0);
        }
    }

    /** One agent's values, newest first. */
    private static final class Ring {
        private final String user;
        private final Deque<Kept> values = new ArrayDeque<>();

        Ring(String user) {
            this.user = user;
        }

        @Nullable
        Kept take(SecretValue value) {
            return take(kept -> same(kept.value, value));
        }

        @Nullable
        Kept take(Reference reference) {
            return take(kept -> reference.kind() == Reference.Kind.VAULT
                    ? kept.secret.name().equals(reference.name())
                    : kept.secret.id().toString().equals(reference.name()));
        }

        private @Nullable Kept take(Predicate<Kept> wanted) {
            for (Iterator<Kept> each = values.iterator(); each.hasNext(); ) {
                Kept kept = each.next();
                if (wanted.test(kept)) {
                    each.remove();
                    return kept;
                }
            }
            return null;
        }

        void wipe() {
            values.forEach(kept -> kept.value.close());
        }
    }

    private static final class Kept {
        private final SecretRecord secret;
        private final SecretValue value;
        private final boolean telling;
        private Instant until = Instant.MIN;

        Kept(SecretRecord secret, SecretValue value, boolean telling) {
            this.secret = secret;
            this.value = value;
            this.telling = telling;
        }

        String placeholder() {
            return "{{vault:" + secret.name() + "}}";
        }
    }
}
