package dev.postern.web.auth;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * Challenges that nothing has to remember, since anybody may ask for one: random bytes and the moment they lapse, with a code
 * that only this process can make (HMAC-SHA256) and that is of one purpose. Those of another process, or of this one before it
 * started anew, are none. Thread-safe.
 */
final class Challenges {
    /** How long a challenge can be answered. */
    static final Duration LIFETIME = Duration.ofMinutes(5);

    private static final String ALGORITHM = "HmacSHA256";
    private static final int RANDOM_BYTES = 16;
    private static final int PLAIN_BYTES = Long.BYTES + RANDOM_BYTES;
    private static final int CODE_BYTES = 32;

    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();
    private final SecretKey key;

    Challenges(InstantSource clock) {
        this.clock = clock;
        byte[] bytes = new byte[CODE_BYTES];
        random.nextBytes(bytes);
        key = new SecretKeySpec(bytes, ALGORITHM);
    }

    /** A new one, in base64url. */
    String make(Purpose purpose) {
        byte[] nonce = new byte[RANDOM_BYTES];
        random.nextBytes(nonce);
        byte[] plain = ByteBuffer.allocate(PLAIN_BYTES)
                .putLong(clock.instant().plus(LIFETIME).toEpochMilli())
                .put(nonce)
                .array();
        byte[] challenge = ByteBuffer.allocate(PLAIN_BYTES + CODE_BYTES)
                .put(plain)
                .put(code(plain, purpose))
                .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(challenge);
    }

    /** When a challenge lapses; empty if it has, if it was not made here, or if it was made for another purpose. */
    Optional<Instant> lapses(byte[] challenge, Purpose purpose) {
        if (challenge.length != PLAIN_BYTES + CODE_BYTES) {
            return Optional.empty();
        }
        byte[] plain = Arrays.copyOf(challenge, PLAIN_BYTES);
        byte[] code = Arrays.copyOfRange(challenge, PLAIN_BYTES, challenge.length);
        if (!MessageDigest.isEqual(code(plain, purpose), code)) {
            return Optional.empty();
        }
        Instant lapses = Instant.ofEpochMilli(ByteBuffer.wrap(plain).getLong());
        return clock.instant().isBefore(lapses) ? Optional.of(lapses) : Optional.empty();
    }

    private byte[] code(byte[] plain, Purpose purpose) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(plain);
            return mac.doFinal(purpose.text().getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HMAC-SHA256", e);
        }
    }
}
