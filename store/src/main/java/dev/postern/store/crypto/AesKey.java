package dev.postern.store.crypto;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * A 256-bit AES key that can be wiped, and AES-256-GCM with it. Not {@code SecretKeySpec}, whose own copy of the bytes
 * cannot be wiped. Sealed bytes are {@code format(1) | nonce(12) | ciphertext | tag(16)}; the nonce is random, which is
 * sound because a data key seals a handful of messages and a wrapping key far fewer than 2^32.
 *
 * <p>Thread-safe until {@link #close()}.
 */
final class AesKey implements SecretKey, AutoCloseable {
    static final int BYTES = 32;
    private static final byte FORMAT = 1;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BYTES = 16;
    private static final int HEAD_BYTES = 1 + NONCE_BYTES;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final transient byte[] bytes;
    private transient volatile boolean closed;

    /** Takes the array over: it is wiped with this key. */
    private AesKey(byte[] owned) {
        this.bytes = owned;
    }

    /** @throws IllegalArgumentException unless there are 32 bytes, which are copied */
    static AesKey of(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("an AES-256 key has 32 bytes");
        }
        return new AesKey(bytes.clone());
    }

    static AesKey random() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new AesKey(bytes);
    }

    byte[] seal(byte[] plaintext, byte[] associatedData) {
        byte[] sealed = new byte[HEAD_BYTES + plaintext.length + TAG_BYTES];
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        sealed[0] = FORMAT;
        System.arraycopy(nonce, 0, sealed, 1, NONCE_BYTES);
        try {
            cipher(Cipher.ENCRYPT_MODE, nonce, associatedData)
                    .doFinal(plaintext, 0, plaintext.length, sealed, HEAD_BYTES);
            return sealed;
        } catch (GeneralSecurityException e) {
            throw new SealException("sealing failed");
        }
    }

    /** @throws SealException if the bytes were not sealed by this key with the same associated data */
    byte[] open(byte[] sealed, byte[] associatedData) {
        if (sealed.length < HEAD_BYTES + TAG_BYTES || sealed[0] != FORMAT) {
            throw new SealException("not sealed bytes");
        }
        byte[] nonce = Arrays.copyOfRange(sealed, 1, HEAD_BYTES);
        try {
            return cipher(Cipher.DECRYPT_MODE, nonce, associatedData)
                    .doFinal(sealed, HEAD_BYTES, sealed.length - HEAD_BYTES);
        } catch (GeneralSecurityException e) {
            throw new SealException("sealed bytes do not open");
        }
    }

    private Cipher cipher(int mode, byte[] nonce, byte[] associatedData) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, this, new GCMParameterSpec(TAG_BYTES * 8, nonce));
        cipher.updateAAD(associatedData);
        return cipher;
    }

    @Override
    public String getAlgorithm() {
        return "AES";
    }

    @Override
    public String getFormat() {
        return "RAW";
    }

    /** A copy, which its receiver wipes; the JDK's cipher does. */
    @Override
    public byte[] getEncoded() {
        if (closed) {
            throw new IllegalStateException("the key is closed");
        }
        return bytes.clone();
    }

    @Override
    public boolean isDestroyed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        Arrays.fill(bytes, (byte) 0);
    }

    @Override
    public String toString() {
        return "AesKey[hidden]";
    }
}
