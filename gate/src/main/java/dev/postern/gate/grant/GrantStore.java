package dev.postern.gate.grant;

import dev.postern.gate.person.Person;
import dev.postern.reference.Field;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Grants at rest (P4). Claims are conditional writes: the store, not a node's memory, counts uses. */
public interface GrantStore {
    /** What a call needs: one scope for each secret field it delivers. */
    record Scope(String agent, String tool, UUID secret, Field field, String destination) {}

    /**
     * One grant.
     *
     * @param expires null: until revoked
     * @param usesLeft null: any number
     * @param agentName what people call the agent
     * @param secretName what the secret was called when the grant was made; a captured one has no other record
     */
    record Grant(
            String id,
            Scope scope,
            @Nullable Instant expires,
            @Nullable Integer usesLeft,
            Instant created,
            String createdBy,
            @Nullable Instant lastUsed,
            String agentName,
            String secretName) {}

    /** Adds one. */
    void add(Grant grant);

    /** Live grants, newest first. */
    List<Grant> list();

    /** Revokes in the operator's name. */
    default boolean revoke(String id) {
        return revoke(id, Person.OPERATOR);
    }

    /** Revokes one, at once: a call that claimed it and is not yet confirmed does not pass. False if it was not live. */
    boolean revoke(String id, String actor);

    /**
     * Revokes all, or all of one agent; returns how many.
     *
     * @param agent the agent's id; null for all
     */
    int revokeAll(@Nullable String agent, String actor);

    /** Takes one use of a live grant for every scope, or none at all; returns the ids of the grants used. */
    Optional<List<String>> claim(List<Scope> scopes, Instant now);

    /** Whether all these grants are still unrevoked (confirm step). */
    boolean standing(List<String> ids, Instant now);
}
