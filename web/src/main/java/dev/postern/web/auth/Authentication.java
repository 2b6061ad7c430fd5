package dev.postern.web.auth;

import dev.postern.web.http.Authenticator;
import dev.postern.web.http.Identity;
import dev.postern.web.http.Request;

/** Agents by their keys, people by their sessions. A request that shows a key is an agent's, even with a cookie beside it. */
public final class Authentication implements Authenticator {
    private final AgentKeys agents;
    private final Sessions sessions;

    public Authentication(AgentKeys agents, Sessions sessions) {
        this.agents = agents;
        this.sessions = sessions;
    }

    @Override
    public Identity identify(Request request, boolean active) {
        return request.header("Authorization") != null
                ? agents.identify(request, active)
                : sessions.identify(request, active);
    }

    @Override
    public boolean isLive(Identity identity) {
        return identity instanceof Identity.Person person ? sessions.isLive(person) : agents.isLive(identity);
    }
}
