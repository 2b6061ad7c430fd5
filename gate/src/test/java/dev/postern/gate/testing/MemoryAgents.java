package dev.postern.gate.testing;

import dev.postern.gate.agent.AgentStore;
import dev.postern.gate.agent.Caller;
import dev.postern.gate.agent.Permission;
import dev.postern.gate.listen.Listeners;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Agents in memory, by id; keys are none of the gate's business. */
public final class MemoryAgents implements AgentStore {
    private final Map<String, Caller> agents = new ConcurrentHashMap<>();

    /** Adds an agent, or gives one other permissions. */
    public Caller put(String agent, Permission... denied) {
        Caller caller = new Caller(agent, agent + "-name", "user", Set.of(denied));
        agents.put(agent, caller);
        return caller;
    }

    @Override
    public Optional<Caller> find(String agent) {
        return Optional.ofNullable(agents.get(agent));
    }

    @Override
    public boolean revoke(String idOrName, String actor) {
        return agents.remove(idOrName) != null;
    }

    @Override
    public Optional<Caller> authenticate(String key) {
        throw new AssertionError("the gate authenticates nobody");
    }

    @Override
    public NewAgent add(String name, Set<Permission> denied, @Nullable Instant expires, String actor) {
        throw new AssertionError("the gate adds no agents");
    }

    @Override
    public Optional<NewAgent> rotate(String idOrName, Duration overlap, @Nullable Instant expires, String actor) {
        throw new AssertionError("the gate rotates no keys");
    }

    @Override
    public void endExpired() {}

    @Override
    public Listeners.Registration onKeysEnded(Consumer<Caller> listener) {
        throw new AssertionError("the gate is told by whoever wires it");
    }

    @Override
    public List<AgentSummary> list() {
        throw new AssertionError("the gate lists no agents");
    }
}
