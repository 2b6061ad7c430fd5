package dev.postern.reference;

import dev.postern.json.JsonValue;

/**
 * How much one call may ask for (R7).
 *
 * @param maxDistinct distinct references in one call; the same secret through another field or filter is another one
 * @param maxBytes length of the arguments in bytes
 * @param maxDepth levels of nesting of the arguments, their own object being the first
 */
public record ReferenceLimits(int maxDistinct, int maxBytes, int maxDepth) {
    private static final ReferenceLimits DEFAULTS = new ReferenceLimits(16, 4 << 20, JsonValue.DEFAULT_MAX_DEPTH);

    /** @throws IllegalArgumentException if one is below 1 */
    public ReferenceLimits {
        if (maxDistinct < 1 || maxBytes < 1 || maxDepth < 1) {
            throw new IllegalArgumentException("limits are at least 1");
        }
    }

    /** 16 references, 4 MiB, 512 levels. */
    public static ReferenceLimits defaults() {
        return DEFAULTS;
    }
}
