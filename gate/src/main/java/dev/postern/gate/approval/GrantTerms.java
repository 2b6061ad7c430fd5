package dev.postern.gate.approval;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a person allows beyond the one call (P4).
 *
 * @param lifetime null: until revoked
 * @param uses further calls; null: any number
 */
public record GrantTerms(
        @Nullable Duration lifetime, @Nullable Integer uses) {}
