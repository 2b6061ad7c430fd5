package dev.postern.web.portal;

import dev.postern.gate.agent.AgentStore;
import dev.postern.gate.agent.Permission;
import dev.postern.gate.agent.Right;
import dev.postern.web.http.Access;
import dev.postern.web.http.ProblemException;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.portal.view.AgentKeyPage;
import dev.postern.web.portal.view.AgentsPage;
import dev.postern.web.portal.view.Flash;
import dev.postern.web.portal.view.Moment;
import dev.postern.web.portal.view.Page;
import dev.postern.web.portal.view.VisibleText;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Agents and their keys: a key is shown once, when it is made (A1). */
final class AgentPages {
    private final Pages pages;
    private final AgentStore agents;
    private final InstantSource clock;

    AgentPages(Pages pages, AgentStore agents, InstantSource clock) {
        this.pages = pages;
        this.agents = agents;
        this.clock = clock;
    }

    List<Route> routes() {
        Access manage = Access.needs(Right.MANAGE_AGENTS);
        return List.of(
                Route.page("GET", "/agents", manage, request -> list(request, 200, "", "")),
                Route.page("POST", "/agents", manage, this::add),
                Route.page("POST", "/agents/rotate", manage, this::rotate),
                Route.page("POST", "/agents/revoke", manage, this::revoke));
    }

    private Reply list(Request request, int status, String wrong, String name) {
        Instant now = clock.instant();
        List<AgentsPage.Row> rows =
                agents.list().stream().map(agent -> row(agent, now)).toList();
        return pages.show(
                request, status, Page.AGENTS.title(), Page.AGENTS.title(), "agents", new AgentsPage(rows, wrong, name));
    }

    private Reply add(Request request) {
        request.requireConfirmed();
        String name = SecretFields.text(request, "name");
        Set<Permission> denied = EnumSet.noneOf(Permission.class);
        if (request.form().has("no-tools")) {
            denied.add(Permission.TOOL_CALL);
        }
        if (request.form().has("no-secrets")) {
            denied.add(Permission.SECRET_USE);
        }
        try {
            return key(request, agents.add(name, denied, request.person().name()));
        } catch (IllegalArgumentException e) {
            return list(request, 422, String.valueOf(e.getMessage()), name);
        }
    }

    /** Another key for an agent; the one it had ends at once. */
    private Reply rotate(Request request) {
        request.requireConfirmed();
        String id = SecretFields.text(request, "id");
        return key(
                request,
                agents.rotate(id, Duration.ZERO, null, request.person().name())
                        .orElseThrow(() -> new ProblemException(404, "NOT_FOUND", "There is no such agent.")));
    }

    private Reply revoke(Request request) {
        boolean revoked =
                agents.revoke(SecretFields.text(request, "id"), request.person().name());
        return Flashes.redirect(
                request,
                "/agents",
                revoked
                        ? Flash.warn("The key is revoked: calls with it are refused from now on.")
                        : Flash.warn("That agent was gone already."));
    }

    private Reply key(Request request, AgentStore.NewAgent agent) {
        String mcp = request.origin() + "/mcp";
        return pages.show(
                request,
                Page.AGENTS,
                "The key of " + agent.name(),
                "agent-key",
                new AgentKeyPage(agent.name(), agent.key(), mcp, clients(mcp, agent.key())));
    }

    private static List<AgentKeyPage.Client> clients(String mcp, String key) {
        String header = "Authorization: Bearer " + key;
        return List.of(
                new AgentKeyPage.Client(
                        "Claude Code",
                        "claude mcp add --transport http postern " + mcp + " --header \"" + header + "\""),
                new AgentKeyPage.Client(
                        "Cursor, in ~/.cursor/mcp.json",
                        "{\"mcpServers\":{\"postern\":{\"url\":\"" + mcp + "\",\"headers\":{\"Authorization\":\"Bearer "
                                + key + "\"}}}}"),
                new AgentKeyPage.Client(
                        "VS Code",
                        "code --add-mcp '{\"name\":\"postern\",\"type\":\"http\",\"url\":\"" + mcp
                                + "\",\"headers\":{\"Authorization\":\"Bearer " + key + "\"}}'"));
    }

    private static AgentsPage.Row row(AgentStore.AgentSummary agent, Instant now) {
        return new AgentsPage.Row(
                agent.id(),
                VisibleText.of(agent.name()).segments(),
                agent.name(),
                agent.keyPrefix() + "…",
                may(agent.denied()),
                new Moment(agent.created(), now),
                agent.lastUsed() == null ? null : new Moment(agent.lastUsed(), now),
                agent.revoked());
    }

    private static String may(Set<Permission> denied) {
        if (denied.contains(Permission.TOOL_CALL)) {
            return "nothing: tool calls are denied";
        }
        return denied.contains(Permission.SECRET_USE) ? "call tools, without secrets" : "call tools, use secrets";
    }
}
