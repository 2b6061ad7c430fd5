package dev.postern.app.operations;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import dev.postern.app.control.Operation;
import dev.postern.gate.agent.AgentStore;
import dev.postern.gate.agent.Permission;
import dev.postern.gate.detect.CapturedValues;
import dev.postern.web.api.Documents;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code agent.*}: who may call (A1). */
public final class AgentOperations {
    private final AgentStore agents;
    private final CapturedValues captured;

    /** @param captured what agents were kept from reading; a revoked one loses it at once */
    public AgentOperations(AgentStore agents, CapturedValues captured) {
        this.agents = agents;
        this.captured = captured;
    }

    /** Adds {@code agent.add}, {@code .list} and {@code .revoke}. */
    public void addTo(Map<String, Operation> operations) {
        operations.put("agent.add", (request, peer) -> {
            AgentStore.NewAgent agent = agents.add(request.text("name"), permissions(request.texts("deny")));
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("id", agent.id());
            document.put("name", agent.name());
            document.put("key", agent.key());
            return document;
        });
        operations.put(
                "agent.list",
                (request, peer) -> agents.list().stream().map(Documents::agent).toList());
        operations.put("agent.revoke", (request, peer) -> {
            String agent = request.text("agent");
            List<String> ids = agents.list().stream()
                    .filter(each -> each.id().equals(agent) || each.name().equals(agent))
                    .map(AgentStore.AgentSummary::id)
                    .toList();
            if (!agents.revoke(agent)) {
                throw new ControlException(ExitCode.FAILED, "there is no agent '" + agent + "' to revoke.");
            }
            ids.forEach(captured::forget);
            return Map.of("revoked", agent);
        });
    }

    private static Set<Permission> permissions(List<String> labels) {
        Set<Permission> permissions = EnumSet.noneOf(Permission.class);
        for (String label : labels) {
            try {
                permissions.add(Permission.parse(label));
            } catch (IllegalArgumentException e) {
                throw new ControlException(ExitCode.WRONG_USAGE, e.getMessage() + ".");
            }
        }
        return permissions;
    }
}
