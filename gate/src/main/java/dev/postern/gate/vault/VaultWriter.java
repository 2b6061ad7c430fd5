package dev.postern.gate.vault;

import dev.postern.secret.SecretValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writing the vault: for a person's session or the operator's command line only (V3). */
public interface VaultWriter {
    /** The largest value, in bytes (V1). */
    int MAX_VALUE_BYTES = 8 * 1024;

    /**
     * Adds a secret. The value is copied.
     *
     * @throws IllegalArgumentException if the name is taken or not 1 to 64 of {@code a-z 0-9 _ . -}, or the value is empty or too large
     */
    SecretRecord add(NewSecret secret);

    /**
     * Gives a secret a new value; its version grows by one. A null description keeps the old one (V3).
     *
     * @throws IllegalArgumentException as {@link #add}, or if there is no such secret
     */
    SecretRecord rotate(String name, SecretValue value, @Nullable String description);

    /** Removes a secret; false if there was none. */
    boolean remove(String name);

    /** What a new secret is made of; null where nothing was said. */
    record NewSecret(
            String name,
            SecretValue value,
            @Nullable SecretValue notes,
            @Nullable String website,
            @Nullable String username,
            @Nullable String description,
            List<String> tags,
            DestinationRules destinations,
            String owner) {}
}
