package dev.postern.mcp.server;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How much of something each agent has at a time, up to a limit. Thread-safe. */
final class AgentShares {
    private final int most;
    private final Map<String, Integer> taken = new ConcurrentHashMap<>();

    AgentShares(int most) {
        this.most = most;
    }

    /** Takes one more for an agent; false if it has all it may. */
    boolean take(String agent) {
        boolean[] got = {false};
        taken.compute(agent, (name, count) -> {
            int before = count == null ? 0 : count;
            got[0] = before < most;
            return got[0] ? before + 1 : count;
        });
        return got[0];
    }

    /** Gives one back. */
    void giveBack(String agent) {
        taken.computeIfPresent(agent, (name, count) -> count == 1 ? null : count - 1);
    }
}
