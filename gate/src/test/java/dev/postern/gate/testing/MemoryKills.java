package dev.postern.gate.testing;

import dev.postern.gate.policy.Kill;
import dev.postern.gate.policy.KillStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The kill switch in memory. */
public final class MemoryKills implements KillStore {
    private final Map<Kill.Scope, Kill> engaged = new LinkedHashMap<>();
    private boolean broken;

    @Override
    public synchronized List<Kill> engaged() {
        return List.copyOf(engaged.values());
    }

    @Override
    public synchronized void engage(Kill kill) {
        requireSound();
        engaged.put(kill.scope(), kill);
    }

    @Override
    public synchronized boolean release(Kill.Scope scope, String actor) {
        requireSound();
        return engaged.remove(scope) != null;
    }

    /** From now on nothing can be kept. */
    public synchronized void breakDown() {
        broken = true;
    }

    private void requireSound() {
        if (broken) {
            throw new IllegalStateException("kill");
        }
    }
}
