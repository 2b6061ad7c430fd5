package dev.postern.store.crypto;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;

/**
 * The key-encryption keys, by version; the newest wraps new data keys. Older ones stay until the ring is closed, for rows
 * that were read just before they were rewrapped. Thread-safe.
 */
public final class KeyRing implements AutoCloseable {
    private final Map<Long, AesKey> keys = new ConcurrentHashMap<>();
    private volatile long newest;

    /** The version that wraps new data keys; 0 for a ring without keys. */
    public long newest() {
        return newest;
    }

    /**
     * Takes a stored key-encryption key in.
     *
     * @throws SealException if the root key is not the one that wrapped it
     */
    public void add(RootKey root, long version, byte[] wrapped) {
        put(version, root.unwrap(version, wrapped));
    }

    /**
     * Makes a key-encryption key that is not in the ring yet; once it is stored, {@link #add} it.
     *
     * @return it, wrapped for storing under this version
     */
    public static byte[] generate(RootKey root, long version) {
        try (AesKey key = AesKey.random()) {
            return root.wrap(version, key);
        }
    }

    /** A stored key-encryption key of this ring under another root key. */
    public byte[] rewrap(RootKey root, long version) {
        return root.wrap(version, key(version));
    }

    /** A new data key for one version of one secret. */
    public RecordKey newRecordKey(String tenant, String record, long version) {
        return new RecordKey(AesKey.random(), new Binding(tenant, record, "", version));
    }

    /** The data key, wrapped by the newest key-encryption key. */
    public WrappedKey wrap(RecordKey key) {
        return key.wrap(newest, key(newest));
    }

    /**
     * The stored data key of one version of one secret.
     *
     * @throws SealException if it was made for another, was changed, or its key-encryption key is not in the ring
     */
    public RecordKey unwrap(WrappedKey wrapped, String tenant, String record, long version) {
        return RecordKey.unwrap(wrapped, key(wrapped.keyVersion()), new Binding(tenant, record, "", version));
    }

    /**
     * A key for something else than secrets (HKDF-SHA256), the same until the vault's keys are rotated.
     *
     * @param purpose no two purposes share a key
     * @return 32 bytes; the caller wipes them
     */
    public byte[] derive(String purpose) {
        try {
            return KDF.getInstance("HKDF-SHA256")
                    .deriveData(HKDFParameterSpec.ofExtract()
                            .addIKM(key(newest))
                            .thenExpand(purpose.getBytes(StandardCharsets.UTF_8), AesKey.BYTES));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java platform has HKDF", e);
        }
    }

    private void put(long version, AesKey key) {
        keys.put(version, key);
        newest = Math.max(newest, version);
    }

    private AesKey key(long version) {
        AesKey key = keys.get(version);
        if (key == null) {
            throw new SealException("no key-encryption key of that version");
        }
        return key;
    }

    @Override
    public void close() {
        keys.values().forEach(AesKey::close);
    }

    @Override
    public String toString() {
        return "KeyRing[newest=" + newest + "]";
    }
}
