package dev.postern.store.crypto;

/**
 * A data key as it is stored.
 *
 * @param keyVersion the version of the key-encryption key that wraps it
 * @param bytes sealed; shared, not copied: read only
 */
public record WrappedKey(long keyVersion, byte[] bytes) {
    @Override
    public String toString() {
        return "WrappedKey[keyVersion=" + keyVersion + "]";
    }
}
