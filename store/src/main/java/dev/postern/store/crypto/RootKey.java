package dev.postern.store.crypto;

import java.util.Arrays;

/**
 * The key the operator holds. It wraps key-encryption keys and nothing else, so opening one is also the check that it is
 * the right key. Thread-safe until {@link #close()}.
 */
public final class RootKey implements AutoCloseable {
    private static final String TENANT = "";
    private static final String FIELD = "key-encryption-key";
    private final AesKey key;

    RootKey(AesKey key) {
        this.key = key;
    }

    byte[] wrap(long version, AesKey keyEncryptionKey) {
        byte[] bytes = keyEncryptionKey.getEncoded();
        try {
            return key.seal(bytes, place(version));
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /** Whether this is the root key that wrapped a key-encryption key. */
    public boolean opens(long version, byte[] wrapped) {
        try (AesKey ignored = unwrap(version, wrapped)) {
            return true;
        } catch (SealException e) {
            return false;
        }
    }

    /** @throws SealException if this is not the root key that wrapped it */
    AesKey unwrap(long version, byte[] wrapped) {
        byte[] bytes = key.open(wrapped, place(version));
        try {
            return AesKey.of(bytes);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private static byte[] place(long version) {
        return new Binding(TENANT, "", FIELD, version).associatedData();
    }

    @Override
    public void close() {
        key.close();
    }

    @Override
    public String toString() {
        return "RootKey[hidden]";
    }
}
