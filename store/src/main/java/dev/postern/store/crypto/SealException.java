package dev.postern.store.crypto;

/** Sealed bytes do not open: another key, another place, or changed bytes. Which of them cannot be told apart. */
public final class SealException extends RuntimeException {
    SealException(String what) {
        super(what);
    }
}
