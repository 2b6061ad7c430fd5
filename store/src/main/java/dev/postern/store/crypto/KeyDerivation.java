package dev.postern.store.crypto;

import java.security.SecureRandom;
import java.util.Arrays;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * How a passphrase becomes a root key: Argon2id with these costs and this salt, which are stored beside the keys it
 * opens. New ones take the memory-constrained recommendation of RFC 9106, section 4.
 *
 * @param salt 16 random bytes; shared, not copied: read only
 */
public record KeyDerivation(byte[] salt, int memoryKibibytes, int iterations, int lanes) {
    private static final int SALT_BYTES = 16;

    static KeyDerivation random() {
        byte[] salt = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        return new KeyDerivation(salt, 64 * 1024, 3, 4);
    }

    /** The passphrase stays the caller's to wipe. */
    RootKey derive(byte[] passphrase) {
        Argon2BytesGenerator generator = new Argon2BytesGenerator();
        generator.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                .withSalt(salt)
                .withMemoryAsKB(memoryKibibytes)
                .withIterations(iterations)
                .withParallelism(lanes)
                .build());
        byte[] key = new byte[AesKey.BYTES];
        try {
            generator.generateBytes(passphrase, key);
            return new RootKey(AesKey.of(key));
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }

    @Override
    public String toString() {
        return "KeyDerivation[memoryKibibytes=" + memoryKibibytes + ", iterations=" + iterations + ", lanes=" + lanes
                + "]";
    }
}
