package dev.postern.web.api;

import dev.postern.gate.agent.Right;
import dev.postern.gate.call.ToolName;
import dev.postern.gate.definition.ChangedDefinition;
import dev.postern.gate.definition.Pins;
import dev.postern.gate.policy.Kill;
import dev.postern.gate.policy.KillSwitch;
import dev.postern.json.JsonValue;
import dev.postern.web.http.Access;
import dev.postern.web.http.ProblemException;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.http.RouteDoc;
import dev.postern.web.http.Schema;
import dev.postern.web.server.ServerQuestions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code /api/servers} and {@code /api/definitions}: what is configured, what answers, and what changed (P5, P6). */
final class ServerApi {
    private static final String TAG = "Servers";

    private static final Schema STATE = Schema.object()
            .with("name", Schema.text("As in tool names."))
            .with("endpoint", Schema.text("Where this server alone is offered, with its own names."))
            .with("stopped", Schema.flag("Whether its calls are stopped."))
            .with("changed_definitions", Schema.number("Tools whose definition is no longer the approved one."));
    private static final Schema TOOL = Schema.object()
            .with("name", Schema.text("As the server calls it."))
            .with("qualified_name", Schema.text("As in rules and commands."))
            .with("description", Schema.text("As the server says it, scrubbed."))
            .with("parameters", Shapes.NAMES);
    private static final Schema CHANGED = Schema.object()
            .with("server", Schema.text("The server."))
            .with("tool", Schema.text("Its tool."))
            .with("hash", Schema.text("Of the definition it shows now; what accepting names."))
            .with("before", Schema.text("The approved definition, readable."))
            .with("after", Schema.text("The one it shows now, readable."))
            .with("approved_at", Schema.instant("When the old one was approved."))
            .with("approved_by", Schema.text("By whom."))
            .with("seen_at", Schema.instant("When the change was first seen."));

    private final ServerQuestions servers;
    private final KillSwitch killSwitch;
    private final Pins pins;

    ServerApi(ServerQuestions servers, KillSwitch killSwitch, Pins pins) {
        this.servers = servers;
        this.killSwitch = killSwitch;
        this.pins = pins;
    }

    List<Route> routes() {
        return List.of(
                new Route(
                        "GET",
                        "/api/servers",
                        Access.PERSON,
                        this::list,
                        RouteDoc.of(TAG, "listServers", "The configured servers, without asking them")
                                .answers(Shapes.listOf("servers", STATE))),
                new Route(
                        "GET",
                        "/api/servers/{name}",
                        Access.needs(Right.ACCEPT_DEFINITIONS),
                        this::ask,
                        RouteDoc.of(TAG, "askServer", "Asks a server now whether it answers, and for its tools")
                                .answers(STATE.with("answers", Schema.flag("It did."))
                                        .optional("error", Schema.text("Why it did not."))
                                        .with("duration_ms", Schema.number("How long it took."))
                                        .with("tools", Schema.list(TOOL)))
                                .refuses("404 SERVER_NOT_FOUND")),
                new Route(
                        "GET",
                        "/api/definitions/changed",
                        Access.needs(Right.ACCEPT_DEFINITIONS),
                        request -> Reply.json(Map.of(
                                        "definitions",
                                        pins.changed().stream()
                                                .map(ServerApi::document)
                                                .toList()))
                                .tagged(request),
                        RouteDoc.of(
                                        TAG,
                                        "listChangedDefinitions",
                                        "Tools whose definition is no longer the approved one")
                                .answers(Shapes.listOf("definitions", CHANGED))),
                new Route(
                        "POST",
                        "/api/definitions/accept",
                        Access.needs(Right.ACCEPT_DEFINITIONS),
                        this::accept,
                        RouteDoc.of(
                                        TAG,
                                        "acceptDefinition",
                                        "Accept a changed definition, so that secrets go to it again")
                                .takes(Schema.object()
                                        .with("server", Schema.text("The server."))
                                        .with("tool", Schema.text("Its tool."))
                                        .with("hash", Schema.text("Of the definition you looked at.")))
                                .refuses("403 CONFIRMATION_REQUIRED", "409 DEFINITION_CHANGED")));
    }

    private Reply list(Request request) {
        List<ChangedDefinition> changed = pins.changed();
        return Reply.json(Map.of(
                        "servers",
                        servers.names().stream()
                                .map(name -> state(name, changed))
                                .toList()))
                .tagged(request);
    }

    private Map<String, Object> state(String name, List<ChangedDefinition> changed) {
        Map<String, Object> state = new LinkedHashMap<>();
        state.put("name", name);
        state.put("endpoint", "/mcp/" + name);
        state.put(
                "stopped",
                killSwitch.engaged().stream()
                        .anyMatch(kill -> kill.scope().equals(Kill.Scope.ALL)
                                || kill.scope().equals(Kill.Scope.server(name))));
        state.put(
                "changed_definitions",
                changed.stream().filter(one -> one.tool().server().equals(name)).count());
        return state;
    }

    private Reply ask(Request request) {
        String name = request.pathValue("name");
        if (!servers.names().contains(name)) {
            throw new ProblemException(404, "SERVER_NOT_FOUND", "No server of that name is configured.");
        }
        ServerQuestions.Answer answer = servers.ask(name);
        Map<String, Object> document = state(name, pins.changed());
        document.put("answers", answer.error().isEmpty());
        if (!answer.error().isEmpty()) {
            document.put("error", answer.error());
        }
        document.put("duration_ms", answer.millis());
        document.put(
                "tools",
                answer.tools().stream()
                        .map(tool -> Map.of(
                                "name", tool.name(),
                                "qualified_name", name + "__" + tool.name(),
                                "description", tool.description(),
                                "parameters", tool.parameters()))
                        .toList());
        return Reply.json(document);
    }

    private static Map<String, Object> document(ChangedDefinition changed) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("server", changed.tool().server());
        document.put("tool", changed.tool().tool());
        document.put("hash", changed.hash());
        document.put("before", changed.before());
        document.put("after", changed.after());
        document.put("approved_at", changed.approvedAt().toString());
        document.put("approved_by", changed.approvedBy());
        document.put("seen_at", changed.seenAt().toString());
        return document;
    }

    private Reply accept(Request request) {
        JsonValue body = request.json();
        request.requireConfirmed();
        ToolName tool;
        try {
            tool = new ToolName(Members.requiredText(body, "server"), Members.requiredText(body, "tool"));
        } catch (IllegalArgumentException e) {
            throw Request.invalid("'server' and 'tool' name no tool.");
        }
        if (!pins.accept(
                tool, Members.requiredText(body, "hash"), request.person().name())) {
            throw new ProblemException(
                    409,
                    "DEFINITION_CHANGED",
                    "Nothing was accepted: the definition is not changed, or changed again; read it again.");
        }
        return Reply.empty();
    }
}
