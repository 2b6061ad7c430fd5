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
     */
    record Grant(
            String id,
            Scope scope,
            @Nullable Instant expires,
            @Nullable Integer usesLeft,
            Instant created,
            String createdBy,
            @Nullable Instant lastUsed) {}

    void add(Grant grant);

    /** Live grants, newest first. */
    List<Grant> list();

    /** Ends a grant at once; false if it was not live. */
    boolean revoke(String id, String by);

    /** As above, by the operator of this machine. */
    default boolean revoke(String id) {
        return revoke(id, Person.OPERATOR);
    }

    /** Takes one use of a live grant for every scope, or none at all; returns the ids of the grants used. */
    Optional<List<String>> claim(List<Scope> scopes, Instant now);

    /** Whether all these grants are still unrevoked (confirm step). */
    boolean standing(List<String> ids, Instant now);
}
