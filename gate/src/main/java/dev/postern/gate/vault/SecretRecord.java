package dev.postern.gate.vault;

import dev.postern.reference.Field;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * All of a secret but its secret parts (V1).
 *
 * @param fields the fields that hold something
 * @param version counts changes of the value, from 1
 */
public record SecretRecord(
        UUID id,
        String name,
        @Nullable String website,
        @Nullable String username,
        @Nullable String description,
        List<String> tags,
        DestinationRules destinations,
        Set<Field> fields,
        long version,
        String owner,
        Instant created,
        Instant updated) {
    /** Secrets with this tag are never delivered (V5). */
    public static final String AI_PROVIDER = "ai-provider";
}
