package dev.postern.gate.vault;

import dev.postern.reference.Reference;

/** One distinct reference of a call and the secret it names, at the version that was found. */
public record SecretUse(Reference reference, SecretRecord secret) {
    /** {@code <id>.<field>}, as the ledger names it (L1). */
    public String ledgerName() {
        return secret.id() + "." + reference.field().label();
    }
}
