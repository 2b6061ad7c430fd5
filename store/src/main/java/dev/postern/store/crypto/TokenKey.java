package dev.postern.store.crypto;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;

/**
 * A key derived from a random token that is kept nowhere: what it seals opens for whoever brings the token and for nobody
 * else, database and vault key included. Wiped on close.
 */
public final class TokenKey implements AutoCloseable {
    private final AesKey key;
    private final byte[] purpose;

    private TokenKey(AesKey key, byte[] purpose) {
        this.key = key;
        this.purpose = purpose;
    }

    /**
     * Derives a key (HKDF-SHA256, RFC 5869).
     *
     * @param token at least 256 random bits; stays the caller's to wipe
     * @param purpose what the key is for; other purposes have other keys
     */
    public static TokenKey of(byte[] token, String purpose) {
        byte[] info = purpose.getBytes(StandardCharsets.UTF_8);
        try {
            byte[] derived = KDF.getInstance("HKDF-SHA256")
                    .deriveData(HKDFParameterSpec.ofExtract().addIKM(token).thenExpand(info, AesKey.BYTES));
            try {
                return new TokenKey(AesKey.of(derived), info);
            } finally {
                Arrays.fill(derived, (byte) 0);
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java platform has no HKDF-SHA256", e);
        }
    }

    /** Seals. The plaintext stays the caller's to wipe. */
    public byte[] seal(byte[] plaintext) {
        return key.seal(plaintext, purpose);
    }

    /**
     * Opens. The caller wipes what it gets.
     *
     * @throws SealException if another token sealed it, or it was changed
     */
    public byte[] open(byte[] sealed) {
        return key.open(sealed, purpose);
    }

    @Override
    public void close() {
        key.close();
    }

    @Override
    public String toString() {
        return "TokenKey[hidden]";
    }
}
