package dev.postern.web.auth;

import dev.postern.gate.agent.AgentStore;
import dev.postern.web.http.Authenticator;
import dev.postern.web.http.Identity;
import dev.postern.web.http.Request;

/** Agents by {@code Authorization: Bearer KEY}. Never in a query, where it would be logged. */
public final class AgentKeys implements Authenticator {
    private static final String SCHEME = "Bearer ";

    private final AgentStore agents;

    public AgentKeys(AgentStore agents) {
        this.agents = agents;
    }

    @Override
    public Identity identify(Request request, boolean active) {
        String header = request.header("Authorization");
        if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Identity.NOBODY;
        }
        return agents.authenticate(header.substring(SCHEME.length()).trim())
                .<Identity>map(Identity.Agent::new)
                .orElse(Identity.NOBODY);
    }

    @Override
    public boolean isLive(Identity identity) {
        return !(identity instanceof Identity.Agent agent)
                || agents.find(agent.caller().agent()).isPresent();
    }
}
