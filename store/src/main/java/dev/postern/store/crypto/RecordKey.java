package dev.postern.store.crypto;

import java.util.Arrays;

/** The data key of one version of one secret, for as long as it is needed: wiped on close. */
public final class RecordKey implements AutoCloseable {
    private static final String DATA_KEY = "data-key/";
    private final AesKey key;
    private final Binding place;

    RecordKey(AesKey key, Binding place) {
        this.key = key;
        this.place = place;
    }

    /** Seals a field of this record. The plaintext stays the caller's to wipe. */
    public byte[] seal(String field, byte[] plaintext) {
        return key.seal(plaintext, at(field));
    }

    /**
     * Opens a field of this record. The caller wipes what it gets.
     *
     * @throws SealException if the bytes are not that field of this record, or were changed
     */
    public byte[] open(String field, byte[] sealed) {
        return key.open(sealed, at(field));
    }

    WrappedKey wrap(long keyVersion, AesKey keyEncryptionKey) {
        byte[] bytes = key.getEncoded();
        try {
            return new WrappedKey(keyVersion, keyEncryptionKey.seal(bytes, at(DATA_KEY + keyVersion)));
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    static RecordKey unwrap(WrappedKey wrapped, AesKey keyEncryptionKey, Binding place) {
        byte[] associatedData = at(place, DATA_KEY + wrapped.keyVersion());
        byte[] bytes = keyEncryptionKey.open(wrapped.bytes(), associatedData);
        try {
            return new RecordKey(AesKey.of(bytes), place);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private byte[] at(String field) {
        return at(place, field);
    }

    private static byte[] at(Binding place, String field) {
        return new Binding(place.tenant(), place.record(), field, place.version()).associatedData();
    }

    @Override
    public void close() {
        key.close();
    }

    @Override
    public String toString() {
        return "RecordKey[hidden]";
    }
}
