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

    /**
     * Changes some of a secret, all at once; its version grows by one, so that what was approved for the old one does not hold
     * for the new (P6).
     *
     * @throws IllegalArgumentException as {@link #add}, or if there is no such secret
     */
    SecretRecord change(String name, Change change);

    /** What becomes different; null where something stays as it is, empty text where it is taken away. */
    record Change(
            @Nullable SecretValue value,
            @Nullable SecretValue notes,
            @Nullable String website,
            @Nullable String username,
            @Nullable String description,
            @Nullable List<String> tags,
            @Nullable DestinationRules destinations) {}

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
