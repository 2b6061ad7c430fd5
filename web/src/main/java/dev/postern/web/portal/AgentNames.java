package dev.postern.web.portal;

import dev.postern.gate.agent.AgentStore;
import java.util.List;

/** The names of agents, for choosing one. */
final class AgentNames {
    private final AgentStore agents;

    AgentNames(AgentStore agents) {
        this.agents = agents;
    }

    /** Every agent there is or was, by name. */
    List<String> all() {
        return agents.list().stream()
                .map(AgentStore.AgentSummary::name)
                .distinct()
                .sorted()
                .toList();
    }

    /** How many can call. */
    int live() {
        return (int) agents.list().stream().filter(agent -> !agent.revoked()).count();
    }
}
