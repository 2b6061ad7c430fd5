package dev.postern.mcp.server;

import dev.postern.gate.agent.AgentStore;
import dev.postern.gate.agent.Caller;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/** Who calls (A1): the agent whose key stands in {@code Authorization: Bearer …}. Never in a query, where it would be logged. */
public final class Bearer {
    private static final String SCHEME = "Bearer ";

    private final AgentStore agents;

    public Bearer(AgentStore agents) {
        this.agents = agents;
    }

    /** The caller; empty if there is no key or nobody holds it. */
    public Optional<Caller> caller(Request request) {
        String header = request.getHeaders().get(HttpHeader.AUTHORIZATION);
        if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Optional.empty();
        }
        return agents.authenticate(header.substring(SCHEME.length()).trim());
    }
}
