package dev.postern.mcp.server;

import dev.postern.gate.agent.AgentStore;
import dev.postern.gate.agent.Caller;
import dev.postern.gate.agent.Permission;
import dev.postern.mcp.relay.Scope;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Who calls (A1): the agent whose key stands in {@code Authorization: Bearer …}, or for whom a token there was issued.
 * Never in a query, where it would be logged.
 */
public final class Bearer {
    private static final String SCHEME = "Bearer ";

    private final AgentStore agents;
    private final @Nullable ResourceServer tokens;

    /** Takes agents' keys alone. */
    public Bearer(AgentStore agents) {
        this(agents, null);
    }

    /**
     * Takes access tokens besides.
     *
     * @param tokens checks them; null for keys alone
     */
    public Bearer(AgentStore agents, @Nullable ResourceServer tokens) {
        this.agents = agents;
        this.tokens = tokens;
    }

    /** What a request's credential comes to. */
    sealed interface Identified {
        /**
         * An agent.
         *
         * @param unscoped permissions that the token's scopes do not give; empty for a key
         */
        record As(Caller caller, Set<Permission> unscoped) implements Identified {}

        /**
         * No agent.
         *
         * @param why what is wrong with the token; null where there is none, or what there is is no token
         */
        record Nobody(@Nullable String why) implements Identified {}

        /** That cannot be told now. */
        record Unknown() implements Identified {}
    }

    Identified identify(Request request, Scope endpoint) {
        String header = request.getHeaders().get(HttpHeader.AUTHORIZATION);
        if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return new Identified.Nobody(null);
        }
        String credential = header.substring(SCHEME.length()).trim();
        Optional<Caller> agent = agents.authenticate(credential);
        if (agent.isPresent()) {
            return new Identified.As(agent.get(), Set.of());
        }
        ResourceServer server = tokens;
        if (server == null || credential.indexOf('.') < 0) {
            return new Identified.Nobody(null);
        }
        return switch (server.check(credential, endpoint)) {
            case ResourceServer.Verdict.Good(var caller, var unscoped) -> new Identified.As(caller, unscoped);
            case ResourceServer.Verdict.Bad(var why) -> new Identified.Nobody(why);
            case ResourceServer.Verdict.Unknown() -> new Identified.Unknown();
        };
    }

    @Nullable
    ResourceServer tokens() {
        return tokens;
    }
}
