package dev.postern.mcp.relay;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.listen.Listeners;
import dev.postern.gate.policy.KillSwitch;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Tells one conversation which servers it must leave, and which it may use again, as the kill switch changes (A3). That nothing
 * passes meanwhile is {@link ServerLink}'s to see to.
 */
final class Stops implements AutoCloseable {
    private final KillSwitch killSwitch;
    private final Caller caller;
    private final Servers servers;
    private final Consumer<Set<String>> changed;
    private final Listeners.Registration registration;
    private Set<String> stopped;

    /** @param changed is given the servers that were stopped or released, on a thread of its own */
    Stops(KillSwitch killSwitch, Caller caller, Servers servers, Consumer<Set<String>> changed) {
        this.killSwitch = killSwitch;
        this.caller = caller;
        this.servers = servers;
        this.changed = changed;
        this.stopped = now();
        // Whoever stops calls must not wait for servers to end.
        this.registration =
                killSwitch.listen(_ -> Thread.ofVirtual().name("mcp-stop").start(this::look));
    }

    private synchronized void look() {
        Set<String> before = stopped;
        Set<String> after = now();
        stopped = after;
        Set<String> different = servers.names().stream()
                .filter(name -> before.contains(name) != after.contains(name))
                .collect(Collectors.toUnmodifiableSet());
        if (!different.isEmpty()) {
            changed.accept(different);
        }
    }

    private Set<String> now() {
        return servers.names().stream()
                .filter(name -> killSwitch.stopping(caller.name(), name).isPresent())
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public void close() {
        registration.close();
    }
}
