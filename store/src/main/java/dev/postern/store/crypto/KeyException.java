package dev.postern.store.crypto;

/** The operator's key is missing, malformed or not the one of this vault. The message is one plain sentence. */
public final class KeyException extends RuntimeException {
    public KeyException(String sentence) {
        super(sentence);
    }
}
