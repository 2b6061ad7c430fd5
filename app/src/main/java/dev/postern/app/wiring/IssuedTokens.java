package dev.postern.app.wiring;

import dev.postern.scrub.LiveSecret;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The access tokens of one server that must not be seen: each from when it was issued until an hour after its end, because what
 * it was used for may come back late. One whose end nobody told has ended when the next one comes: it is renewed only once the
 * server refused it. Used by one thread at a time.
 */
final class IssuedTokens {
    /** How long a token is still looked for after its end. */
    static final Duration KEPT_AFTER_END = Duration.ofHours(1);

    /**
     * A server that refuses each token at once, however long it would be good, gets no more than this kept; the oldest of them it has
     * refused long since.
     */
    static final int MOST = 1_000;

    private final String placeholder;
    private final Map<String, Issued> tokens = new LinkedHashMap<>();
    private @Nullable String newest;

    /** @param end null while nobody knows */
    private record Issued(LiveSecret secret, @Nullable Instant end) {
        boolean isOverBy(Instant now) {
            return end != null && now.isAfter(end.plus(KEPT_AFTER_END));
        }
    }

    IssuedTokens(String server) {
        this.placeholder = "[oauth:" + server + "]";
    }

    /**
     * Takes a copy of a token.
     *
     * @param end when it expires; null if nobody said
     * @return false if it was known, and still is
     */
    boolean add(SecretValue token, @Nullable Instant end, Instant now) {
        String name = nameOf(token);
        Issued before = newest == null ? null : tokens.get(newest);
        if (before != null && name.equals(newest)) {
            tokens.put(name, new Issued(before.secret, end));
            return false;
        }
        if (newest != null && before != null && before.end == null) {
            tokens.put(newest, new Issued(before.secret, now));
        }
        Issued known = tokens.remove(name);
        LiveSecret secret = known == null ? new LiveSecret(placeholder, token.copy()) : known.secret;
        tokens.put(name, new Issued(secret, end));
        newest = name;
        return known == null;
    }

    /** Those that must not be seen. */
    List<LiveSecret> live() {
        return tokens.values().stream().map(Issued::secret).toList();
    }

    /** Forgets those that ended long ago; gives their values, to be wiped once nobody looks for them any more. */
    List<SecretValue> forgetEnded(Instant now) {
        Iterator<Issued> oldestFirst = tokens.values().iterator();
        List<SecretValue> forgotten = new ArrayList<>();
        int spare = tokens.size() - MOST;
        while (oldestFirst.hasNext()) {
            Issued issued = oldestFirst.next();
            if (issued.isOverBy(now) || forgotten.size() < spare) {
                oldestFirst.remove();
                forgotten.add(issued.secret.value());
            }
        }
        return forgotten;
    }

    private static String nameOf(SecretValue token) {
        byte[] bytes = token.reveal(Reveal.TO_SCRUB);
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }
}
