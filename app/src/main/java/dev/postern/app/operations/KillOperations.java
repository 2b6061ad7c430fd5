package dev.postern.app.operations;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ControlRequest;
import dev.postern.app.control.ExitCode;
import dev.postern.app.control.Operation;
import dev.postern.gate.agent.AgentStore;
import dev.postern.gate.policy.Kill;
import dev.postern.gate.policy.KillSwitch;
import dev.postern.json.JsonValue;
import dev.postern.mcp.catalog.OwnTool;
import dev.postern.mcp.relay.Servers;
import dev.postern.web.api.Documents;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code kill} and {@code kill.status}: the kill switch for all, one agent or one server (A3). */
public final class KillOperations {
    private final KillSwitch killSwitch;
    private final AgentStore agents;
    private final Servers servers;
    private final String operator;

    public KillOperations(KillSwitch killSwitch, AgentStore agents, Servers servers, String operator) {
        this.killSwitch = killSwitch;
        this.agents = agents;
        this.servers = servers;
        this.operator = operator;
    }

    /** Adds {@code kill} and {@code kill.status}. */
    public void addTo(Map<String, Operation> operations) {
        operations.put("kill", (request, peer) -> turn(request));
        operations.put("kill.status", (request, peer) -> Documents.kills(killSwitch));
    }

    private Map<String, @Nullable Object> turn(ControlRequest request) {
        JsonValue on = request.arguments().member("on");
        boolean engage = on != null && on.is(JsonValue.Kind.TRUE);
        int stopped = 0;
        for (Kill.Scope scope : scopes(request)) {
            if (engage) {
                requireKnown(scope);
                stopped += killSwitch.engage(scope, operator, request.optionalText("reason"));
            } else {
                killSwitch.release(scope, operator);
            }
        }
        Map<String, @Nullable Object> document = Documents.kills(killSwitch);
        document.put("calls_stopped", stopped);
        return document;
    }

    private static List<Kill.Scope> scopes(ControlRequest request) {
        String agent = request.optionalText("agent");
        String server = request.optionalText("server");
        List<Kill.Scope> scopes = new ArrayList<>();
        if (agent != null) {
            scopes.add(Kill.Scope.agent(agent));
        }
        if (server != null) {
            scopes.add(Kill.Scope.server(server));
        }
        return scopes.isEmpty() ? List.of(Kill.Scope.ALL) : scopes;
    }

    /** A mistyped name would stop nothing, and its author would believe that it does. */
    private void requireKnown(Kill.Scope scope) {
        boolean known = switch (scope.kind()) {
            case ALL -> true;
            case AGENT ->
                agents.list().stream()
                        .anyMatch(agent -> !agent.revoked() && agent.name().equals(scope.name()));
            case SERVER ->
                scope.name().equals(OwnTool.SERVER) || servers.names().contains(scope.name());
        };
        if (!known) {
            throw new ControlException(
                    ExitCode.FAILED,
                    "nothing was stopped: there is no " + scope.kind().name().toLowerCase(java.util.Locale.ROOT) + " '"
                            + scope.name() + "'. 'postern kill on' stops everything.");
        }
    }
}
