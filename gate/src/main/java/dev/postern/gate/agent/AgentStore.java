package dev.postern.gate.agent;

import dev.postern.gate.listen.Listeners;
import dev.postern.gate.person.Person;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Agents and their keys (A1). Keys are kept as hashes; a key is shown once, when it is made. An agent has one key, and
 * while keys are rotated two.
 */
public interface AgentStore {
    /** The agent that holds this key, if the key is neither revoked, expired nor unknown. Constant time in the key. */
    Optional<Caller> authenticate(String key);

    /** The agent as it stands now, for the confirm step; empty once it is revoked or its last key has expired. */
    Optional<Caller> find(String agent);

    /** Adds an agent whose key does not expire, in the operator's name. */
    default NewAgent add(String name, Set<Permission> denied) {
        return add(name, denied, null, Person.OPERATOR);
    }

    /** Adds an agent whose key does not expire. */
    default NewAgent add(String name, Set<Permission> denied, String by) {
        return add(name, denied, null, by);
    }

    /**
     * Adds an agent and makes its key.
     *
     * @param expires when the key ends; null for never
     * @param by who adds it
     * @throws IllegalArgumentException if a live agent has this name
     */
    NewAgent add(String name, Set<Permission> denied, @Nullable Instant expires, String by);

    /**
     * Makes an agent another key.
     *
     * @param overlap how long the keys it had still work; with none, its sessions end and its calls are stopped
     * @param expires when the new key ends; null for never
     * @return empty if there is no live agent of this id or name
     */
    Optional<NewAgent> rotate(String idOrName, Duration overlap, @Nullable Instant expires, String by);

    /** All agents, revoked ones too, in the order they were added. */
    List<AgentSummary> list();

    /** Revokes in the operator's name. */
    default boolean revoke(String idOrName) {
        return revoke(idOrName, Person.OPERATOR);
    }

    /** Revokes an agent and its keys by id or name; false if there was none. */
    boolean revoke(String idOrName, String by);

    /** Announces agents whose last key has expired since this was last asked; an owner with a clock does from time to time. */
    void endExpired();

    /** Calls {@code listener} with an agent whose keys have just ended: whatever was begun with one is to end. */
    Listeners.Registration onKeysEnded(Consumer<Caller> listener);

    /** What {@code agent add} prints, once. */
    record NewAgent(String id, String name, String key) {
        @Override
        public String toString() {
            return "NewAgent[" + id + "]";
        }
    }

    /**
     * One key as people may see it.
     *
     * @param prefix its visible start
     * @param expires when it ends, or ended; null for never
     */
    record KeySummary(
            String prefix,
            Instant created,
            @Nullable Instant expires,
            @Nullable Instant lastUsed) {
        /** Whether it still works. */
        public boolean isLive(Instant now) {
            return expires == null || now.isBefore(expires);
        }
    }

    /**
     * One line of {@code agent list}.
     *
     * @param keys newest first; never empty
     */
    record AgentSummary(
            String id, String name, Set<Permission> denied, Instant created, boolean revoked, List<KeySummary> keys) {
        public AgentSummary {
            keys = List.copyOf(keys);
        }

        /** The visible start of the newest key. */
        public String keyPrefix() {
            return keys.getFirst().prefix();
        }

        /** When the newest key ends; null for never. */
        public @Nullable Instant expires() {
            return keys.getFirst().expires();
        }

        /** When any of the keys was last used; null for never. */
        public @Nullable Instant lastUsed() {
            Instant last = null;
            for (KeySummary key : keys) {
                Instant used = key.lastUsed();
                if (used != null && (last == null || used.isAfter(last))) {
                    last = used;
                }
            }
            return last;
        }
    }
}
