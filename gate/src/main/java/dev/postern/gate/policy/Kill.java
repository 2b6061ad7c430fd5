package dev.postern.gate.policy;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One engaged kill switch (A3).
 *
 * @param scope what it stops
 * @param since when it was engaged
 * @param actor who engaged it
 * @param reason why, in their words; null if they gave none
 */
public record Kill(
        Scope scope, Instant since, String actor, @Nullable String reason) {
    /** What a kill switch stops. */
    public enum Kind {
        ALL,
        AGENT,
        SERVER
    }

    /**
     * All calls, those of one agent, or those to one server.
     *
     * @param name the agent's or the server's name; empty for all
     */
    public record Scope(Kind kind, String name) {
        public static final Scope ALL = new Scope(Kind.ALL, "");

        /** Every call of the agents with this name. */
        public static Scope agent(String name) {
            return new Scope(Kind.AGENT, name);
        }

        /** Every call to this server. */
        public static Scope server(String name) {
            return new Scope(Kind.SERVER, name);
        }

        boolean covers(String agent, String server) {
            return switch (kind) {
                case ALL -> true;
                case AGENT -> agent.equals(name);
                case SERVER -> server.equals(name);
            };
        }

        /** {@code all calls}, {@code agent NAME} or {@code server NAME}. */
        @Override
        public String toString() {
            return switch (kind) {
                case ALL -> "all calls";
                case AGENT -> "agent " + name;
                case SERVER -> "server " + name;
            };
        }
    }
}
