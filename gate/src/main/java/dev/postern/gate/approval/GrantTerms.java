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
        @Nullable Duration lifetime, @Nullable Integer uses) {
    /** The longest time that ends by itself. */
    public static final Duration LONGEST = Duration.ofDays(365);

    /** @throws IllegalArgumentException if the time or the number is out of range; says what is in it */
    public GrantTerms {
        if (lifetime != null && (!lifetime.isPositive() || lifetime.compareTo(LONGEST) > 0)) {
            throw new IllegalArgumentException("A grant lasts from 1 second to 1 year (" + LONGEST.toSeconds()
                    + " seconds), or until it is revoked.");
        }
        if (uses != null && uses < 1) {
            throw new IllegalArgumentException("A grant is for at least 1 further call.");
        }
    }
}
