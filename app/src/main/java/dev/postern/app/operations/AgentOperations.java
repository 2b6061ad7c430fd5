package dev.postern.app.operations;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ControlRequest;
import dev.postern.app.control.ExitCode;
import dev.postern.app.control.Operation;
import dev.postern.gate.agent.AgentStore;
import dev.postern.gate.agent.Permission;
import dev.postern.web.api.Documents;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code agent.*}: who may call (A1). */
public final class AgentOperations {
    private final AgentStore agents;
    private final InstantSource clock;
    private final String operator;

    public AgentOperations(AgentStore agents, InstantSource clock, String operator) {
        this.agents = agents;
        this.clock = clock;
        this.operator = operator;
    }

    /** Adds {@code agent.add}, {@code .rotate}, {@code .list} and {@code .revoke}. */
    public void addTo(Map<String, Operation> operations) {
        operations.put("agent.add", (request, peer) -> {
            AgentStore.NewAgent agent =
                    agents.add(request.text("name"), permissions(request.texts("deny")), expires(request), operator);
            return Documents.agentKey(agent);
        });
        operations.put("agent.rotate", (request, peer) -> {
            Long overlap = request.number("overlap_seconds");
            String agent = request.text("agent");
            return agents.rotate(agent, Duration.ofSeconds(overlap == null ? 0 : overlap), expires(request), operator)
                    .map(Documents::agentKey)
                    .orElseThrow(() ->
                            new ControlException(ExitCode.FAILED, "there is no agent '" + agent + "' to rotate."));
        });
        operations.put(
                "agent.list",
                (request, peer) -> agents.list().stream().map(Documents::agent).toList());
        operations.put("agent.revoke", (request, peer) -> {
            String agent = request.text("agent");
            if (!agents.revoke(agent, operator)) {
                throw new ControlException(ExitCode.FAILED, "there is no agent '" + agent + "' to revoke.");
            }
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

    private @Nullable Instant expires(ControlRequest request) {
        Long seconds = request.number("expires_seconds");
        return seconds == null ? null : clock.instant().plusSeconds(seconds);
    }
}
