package dev.postern.gate.agent;

import dev.postern.gate.person.Person;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Agents and their keys (A1). Keys are kept as hashes; a key is shown once, when it is made. */
public interface AgentStore {
    /** The agent that holds this key, if it is neither revoked nor unknown. Constant time in the key. */
    Optional<Caller> authenticate(String key);

    /** The agent as it stands now, for the confirm step; empty once revoked. */
    Optional<Caller> find(String agent);

    /**
     * Adds an agent and makes its key.
     *
     * @param by who adds it
     * @throws IllegalArgumentException if a live agent has this name
     */
    NewAgent add(String name, Set<Permission> denied, String by);

    /** As above, by the operator of this machine. */
    default NewAgent add(String name, Set<Permission> denied) {
        return add(name, denied, Person.OPERATOR);
    }

    List<AgentSummary> list();

    /** Revokes by id or name; false if there was none. */
    boolean revoke(String idOrName, String by);

    /** As above, by the operator of this machine. */
    default boolean revoke(String idOrName) {
        return revoke(idOrName, Person.OPERATOR);
    }

    /** What {@code agent add} prints, once. */
    record NewAgent(String id, String name, String key) {
        @Override
        public String toString() {
            return "NewAgent[" + id + "]";
        }
    }

    /** One line of {@code agent list}; {@code keyPrefix} is the visible start of the key. */
    record AgentSummary(
            String id,
            String name,
            String keyPrefix,
            Set<Permission> denied,
            Instant created,
            @Nullable Instant lastUsed,
            boolean revoked) {}
}
