package dev.postern.store.crypto;

import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.Semaphore;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * What is kept of a person's passphrase: Argon2id with 64 MiB, 3 passes and 4 lanes, the memory-constrained recommendation
 * of RFC 9106, section 4; about 0.3 s. Written as a PHC string, {@code $argon2id$v=19$m=65536,t=3,p=4$SALT$HASH}, so that
 * costs can be raised while older hashes still match. One at a time: many tries at once cost no more memory than one.
 */
public final class PassphraseHash {
    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;
    private static final int MEMORY_KIBIBYTES = 64 * 1024;
    private static final int ITERATIONS = 3;
    private static final int LANES = 4;
    private static final Semaphore ONE = new Semaphore(1, true);

    /** Matches nothing, and takes as long to say so. */
    private static final String NOBODY = written(new byte[SALT_BYTES], new byte[HASH_BYTES]);

    private PassphraseHash() {}

    /** The hash of a passphrase, with a salt of its own. */
    public static String of(SecretValue passphrase) {
        byte[] salt = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        return written(salt, hash(passphrase, salt, MEMORY_KIBIBYTES, ITERATIONS, LANES));
    }

    /** Whether a passphrase is the one that was hashed. Constant time in the passphrase. */
    public static boolean matches(String hash, SecretValue passphrase) {
        String[] parts = hash.split("\\$", -1);
        if (parts.length != 6 || !parts[1].equals("argon2id") || !parts[2].equals("v=19")) {
            throw new KeyException("A stored passphrase cannot be read; set it again with 'postern passphrase set'.");
        }
        String[] costs = parts[3].split(",", -1);
        byte[] expected = Base64.getDecoder().decode(parts[5]);
        byte[] salt = Base64.getDecoder().decode(parts[4]);
        byte[] actual = hash(passphrase, salt, cost(costs, 0, "m="), cost(costs, 1, "t="), cost(costs, 2, "p="));
        return MessageDigest.isEqual(expected, actual);
    }

    /** Does the same work for somebody who has no passphrase or is not there, and says no. */
    public static boolean matchesNobody(SecretValue passphrase) {
        matches(NOBODY, passphrase);
        return false;
    }

    private static int cost(String[] costs, int index, String name) {
        return Integer.parseInt(costs[index].substring(name.length()));
    }

    private static String written(byte[] salt, byte[] hash) {
        Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
        return "$argon2id$v=19$m=" + MEMORY_KIBIBYTES + ",t=" + ITERATIONS + ",p=" + LANES + "$"
                + base64.encodeToString(salt) + "$" + base64.encodeToString(hash);
    }

    private static byte[] hash(SecretValue passphrase, byte[] salt, int memoryKibibytes, int iterations, int lanes) {
        byte[] bytes = passphrase.reveal(Reveal.TO_SEAL);
        ONE.acquireUninterruptibly();
        try {
            Argon2BytesGenerator generator = new Argon2BytesGenerator();
            generator.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                    .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                    .withSalt(salt)
                    .withMemoryAsKB(memoryKibibytes)
                    .withIterations(iterations)
                    .withParallelism(lanes)
                    .build());
            byte[] hash = new byte[HASH_BYTES];
            generator.generateBytes(bytes, hash);
            return hash;
        } finally {
            ONE.release();
            Arrays.fill(bytes, (byte) 0);
        }
    }
}
