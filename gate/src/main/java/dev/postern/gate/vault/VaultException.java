package dev.postern.gate.vault;

/** The vault cannot serve. The message is a static sentence about the operation. */
public final class VaultException extends RuntimeException {
    public VaultException(String what) {
        super(what);
    }
}
