package dev.postern.mcp.server;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.agent.Permission;
import dev.postern.mcp.relay.Scope;
import java.util.Set;

/** Access tokens of an authorization server, besides the agents' own keys (A1). Thread-safe. */
public interface ResourceServer {
    /**
     * Whose token it is. May have to fetch the issuer's keys; called on a thread that may wait.
     *
     * @param endpoint what the token has to be for
     */
    Verdict check(String token, Scope endpoint);

    /** Where the metadata of an endpoint is (RFC 9728). */
    String metadataUrl(Scope endpoint);

    /** The metadata of an endpoint, JSON. */
    byte[] metadata(Scope endpoint);

    /** The scopes that stand for these permissions, separated by spaces. */
    String scopes(Set<Permission> permissions);

    /** What a token comes to. */
    sealed interface Verdict {
        /**
         * It is good.
         *
         * @param caller the agent, without the permissions that its own entry or the token's scopes do not give
         * @param unscoped the permissions that only the token's scopes do not give
         */
        record Good(Caller caller, Set<Permission> unscoped) implements Verdict {}

        /** It is not; the reason is ours and quotes nothing of it. */
        record Bad(String why) implements Verdict {}

        /** That cannot be told now: the issuer's keys cannot be had. */
        record Unknown() implements Verdict {}
    }
}
