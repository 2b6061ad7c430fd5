package dev.postern.web.api;

import dev.postern.gate.agent.AgentStore;
import dev.postern.gate.agent.Permission;
import dev.postern.gate.agent.Right;
import dev.postern.gate.grant.GrantStore;
import dev.postern.json.JsonValue;
import dev.postern.web.http.Access;
import dev.postern.web.http.ProblemException;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.http.RouteDoc;
import dev.postern.web.http.Schema;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code /api/grants} and {@code /api/agents}: who may call, and what runs without being asked for (P4, A1). */
final class AccessApi {
    private static final String TAG = "Agents and grants";

    private static final Duration LONGEST_OVERLAP = Duration.ofDays(30);
    private static final Schema NEW_KEY = Schema.object()
            .with("id", Schema.text("Names the agent."))
            .with("name", Schema.text("What people call it."))
            .with("key", Schema.text("Goes into Authorization: Bearer KEY. Shown once."));

    private final AgentStore agents;
    private final GrantStore grants;

    AccessApi(AgentStore agents, GrantStore grants) {
        this.agents = agents;
        this.grants = grants;
    }

    List<Route> routes() {
        return List.of(
                new Route(
                        "GET",
                        "/api/grants",
                        Access.needs(Right.SEE_APPROVALS),
                        this::listGrants,
                        RouteDoc.of(TAG, "listGrants", "Live grants, the newest first")
                                .answers(Shapes.listOf("grants", Shapes.GRANT))),
                new Route(
                        "DELETE",
                        "/api/grants/{id}",
                        Access.needs(Right.REVOKE_GRANTS),
                        this::revokeGrant,
                        RouteDoc.of(TAG, "revokeGrant", "End a grant at once").refuses("404 GRANT_NOT_FOUND")),
                new Route(
                        "GET",
                        "/api/agents",
                        Access.needs(Right.MANAGE_AGENTS),
                        request -> Reply.json(Map.of(
                                        "agents",
                                        agents.list().stream()
                                                .map(Documents::agent)
                                                .toList()))
                                .tagged(request),
                        RouteDoc.of(TAG, "listAgents", "Agents, revoked ones too")
                                .answers(Shapes.listOf("agents", Shapes.AGENT))),
                new Route(
                        "POST",
                        "/api/agents",
                        Access.needs(Right.MANAGE_AGENTS),
                        this::addAgent,
                        RouteDoc.of(TAG, "addAgent", "Add an agent; its key is shown this once")
                                .takes(Schema.object()
                                        .with("name", Schema.text("What people call it."))
                                        .optional(
                                                "deny",
                                                Schema.list(Schema.oneOf("A permission.", "tool.call", "secret.use"))))
                                .answers(201, "application/json", NEW_KEY)
                                .refuses("403 CONFIRMATION_REQUIRED")),
                new Route(
                        "POST",
                        "/api/agents/{id}/rotate",
                        Access.needs(Right.MANAGE_AGENTS),
                        this::rotateAgent,
                        RouteDoc.of(TAG, "rotateAgentKey", "Give an agent another key; it is shown this once")
                                .takes(Schema.object()
                                        .optional(
                                                "overlap_seconds",
                                                Schema.number(
                                                        "For how long the old key works beside it; none if missing.")))
                                .answers(NEW_KEY)
                                .refuses("403 CONFIRMATION_REQUIRED", "404 AGENT_NOT_FOUND")),
                new Route(
                        "DELETE",
                        "/api/agents/{id}",
                        Access.needs(Right.MANAGE_AGENTS),
                        this::revokeAgent,
                        RouteDoc.of(TAG, "revokeAgent", "Revoke an agent's key at once")
                                .refuses("404 AGENT_NOT_FOUND")));
    }

    private Reply listGrants(Request request) {
        return Reply.json(Map.of(
                        "grants", grants.list().stream().map(Documents::grant).toList()))
                .tagged(request);
    }

    private Reply revokeGrant(Request request) {
        if (!grants.revoke(request.pathValue("id"), request.person().name())) {
            throw new ProblemException(404, "GRANT_NOT_FOUND", "There is no such live grant.");
        }
        return Reply.empty();
    }

    private Reply addAgent(Request request) {
        request.requireConfirmed();
        JsonValue body = request.json();
        Set<Permission> denied = EnumSet.noneOf(Permission.class);
        List<String> labels = Members.texts(body, "deny");
        try {
            if (labels != null) {
                labels.forEach(label -> denied.add(Permission.parse(label)));
            }
            AgentStore.NewAgent agent = agents.add(
                    Members.requiredText(body, "name"), denied, request.person().name());
            return Reply.json(201, Documents.agentKey(agent));
        } catch (IllegalArgumentException e) {
            throw Request.invalid(String.valueOf(e.getMessage()));
        }
    }

    private Reply rotateAgent(Request request) {
        request.requireConfirmed();
        Long overlap = Members.number(request.jsonOrEmpty(), "overlap_seconds");
        if (overlap != null && overlap > LONGEST_OVERLAP.toSeconds()) {
            throw Request.invalid("'overlap_seconds' is at most " + LONGEST_OVERLAP.toSeconds() + ".");
        }
        return agents.rotate(
                        request.pathValue("id"),
                        overlap == null ? Duration.ZERO : Duration.ofSeconds(overlap),
                        null,
                        request.person().name())
                .map(agent -> Reply.json(Documents.agentKey(agent)))
                .orElseThrow(
                        () -> new ProblemException(404, "AGENT_NOT_FOUND", "There is no such agent with a live key."));
    }

    private Reply revokeAgent(Request request) {
        String id = request.pathValue("id");
        if (!agents.revoke(id, request.person().name())) {
            throw new ProblemException(404, "AGENT_NOT_FOUND", "There is no such agent with a live key.");
        }
        return Reply.empty();
    }
}
