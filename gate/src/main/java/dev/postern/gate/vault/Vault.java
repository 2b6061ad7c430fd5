package dev.postern.gate.vault;

import dev.postern.reference.Field;
import dev.postern.reference.Reference;
import dev.postern.secret.SecretValue;
import java.util.List;
import java.util.Optional;

/** Reading the vault for one call. Writing is {@link VaultWriter}, which no agent's code path holds (A1). */
public interface Vault {
    /** The secret a reference names, by name or id; empty if there is none. */
    Optional<SecretRecord> find(Reference reference);

    /** Every secret's record, by name. */
    List<SecretRecord> list();

    /**
     * Decrypts one field of one version.
     *
     * @throws VaultException if that version is gone, the field is empty or the envelope does not open
     */
    SecretValue open(SecretRecord secret, Field field);
}
