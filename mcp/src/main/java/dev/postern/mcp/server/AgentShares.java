package dev.postern.mcp.server;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How much of something each agent has at a time, never more than a limit. Thread-safe. */
final class AgentShares {
    private final int most;
    private final Map<String, Integer> taken = new ConcurrentHashMap<>();

    AgentShares(int most) {
        this.most = most;
    }

    /** Takes one more for an agent; false if it has all it may. */
    boolean take(String agent) {
        return take(agent, 1);
    }

    /** Takes so many more for an agent, all or none; false if that were more than it may have. */
    boolean take(String agent, int more) {
        boolean[] got = {false};
        taken.compute(agent, (name, count) -> {
            int before = count == null ? 0 : count;
            got[0] = before <= most - more;
            return got[0] ? Integer.valueOf(before + more) : count;
        });
        return got[0];
    }

    /** Gives one back. */
    void giveBack(String agent) {
        giveBack(agent, 1);
    }

    /** Gives so many back. */
    void giveBack(String agent, int less) {
        taken.computeIfPresent(agent, (name, count) -> count <= less ? null : count - less);
    }
}
