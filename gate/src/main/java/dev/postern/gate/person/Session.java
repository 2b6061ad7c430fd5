package dev.postern.gate.person;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A person signed in with one browser.
 *
 * @param id names the session, and opens nothing
 * @param person the person's id
 * @param confirmed when they last proved that it is them
 * @param account the provider's account they signed in with; null where they signed in otherwise
 */
public record Session(
        String id,
        String person,
        Instant opened,
        Instant lastUsed,
        @Nullable Instant confirmed,
        @Nullable ProviderAccount account) {}
