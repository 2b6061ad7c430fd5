package dev.postern.gate.agent;

import java.util.Set;

/**
 * An authenticated agent.
 *
 * @param agent the agent's id
 * @param name what people call it
 * @param user whose memory of recent values it shares (S9)
 * @param denied permissions taken from it
 */
public record Caller(String agent, String name, String user, Set<Permission> denied) {
    public boolean may(Permission permission) {
        return !denied.contains(permission);
    }
}
