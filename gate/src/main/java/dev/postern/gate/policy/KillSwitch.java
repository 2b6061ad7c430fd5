package dev.postern.gate.policy;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Refusal;
import dev.postern.gate.call.RunningCalls;
import dev.postern.gate.listen.Listeners;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stops calls at once: all, one agent's, or those to one server (A3). Whatever is running is stopped too, whether it waits
 * for a person or a server works on it. Nothing else of a stopped agent reaches a server either, and nothing of a stopped server
 * an agent; whoever carries such things asks {@link #refusing}. No agent can reach this; it survives a restart. Thread-safe.
 */
public final class KillSwitch {
    private final KillStore store;
    private final RunningCalls running;
    private final InstantSource clock;
    private final Map<Kill.Scope, Kill> engaged = new LinkedHashMap<>();
    private final Listeners<List<Kill>> listeners = new Listeners<>("the kill switch");
    private volatile List<Kill> current;

    /** The switch as the store has it. */
    public KillSwitch(KillStore store, RunningCalls running, InstantSource clock) {
        this.store = store;
        this.running = running;
        this.clock = clock;
        store.engaged().forEach(kill -> engaged.put(kill.scope(), kill));
        this.current = List.copyOf(engaged.values());
    }

    /** What is engaged, the oldest first; empty where every call goes through. */
    public List<Kill> engaged() {
        return current;
    }

    /** Whether every call is stopped. */
    public boolean stopsAll() {
        return current.stream().anyMatch(kill -> kill.scope().equals(Kill.Scope.ALL));
    }

    /** What stops this agent, by its name, from using this server; the widest first. */
    public Optional<Kill> stopping(String agent, String server) {
        List<Kill> now = current;
        return now.isEmpty()
                ? Optional.empty()
                : now.stream()
                        .filter(kill -> kill.scope().covers(agent, server))
                        .min(Comparator.comparing(kill -> kill.scope().kind()));
    }

    /** What an agent is told that is stopped from using this server; empty where nothing stops it. */
    public Optional<Refusal> refusing(Caller caller, String server) {
        return stopping(caller.name(), server).map(kill -> refusal(kill.scope()));
    }

    /**
     * Stops calls. They are stopped before this returns, even if the store fails: then until the next start.
     *
     * @param reason for whoever wonders later; null for none
     * @return how many running calls were stopped
     */
    public synchronized int engage(Kill.Scope scope, String actor, @Nullable String reason) {
        Kill kill = new Kill(scope, clock.instant(), actor, reason);
        engaged.put(scope, kill);
        changed();
        int stopped = running.stop(
                call -> scope.covers(call.caller().name(), call.tool().server()), refusal(scope));
        listeners.announce(current);
        store.engage(kill);
        return stopped;
    }

    /** Lets calls through again, once that is kept; false if nothing was stopped by this scope. */
    public synchronized boolean release(Kill.Scope scope, String actor) {
        boolean kept = store.release(scope, actor);
        boolean held = engaged.remove(scope) != null;
        if (held) {
            changed();
            listeners.announce(current);
        }
        return kept || held;
    }

    /** Calls {@code listener} with what is engaged whenever that changes, on the thread that changes it. */
    public Listeners.Registration listen(Consumer<List<Kill>> listener) {
        return listeners.add(listener);
    }

    /** What an agent is told. Who did it and why is for people. */
    private static Refusal refusal(Kill.Scope scope) {
        String what = switch (scope.kind()) {
            case ALL -> "the kill switch is on and stops every call";
            case AGENT -> "the kill switch is on for this agent and stops every call of it";
            case SERVER -> "the kill switch is on for the server '" + scope.name() + "' and stops every call to it";
        };
        return Refusal.of(
                Disposition.KILL_SWITCH,
                true,
                what,
                "Ask the operator to end it with 'postern kill off'; a call that was running may have acted already");
    }

    private void changed() {
        current = List.copyOf(engaged.values());
    }
}
