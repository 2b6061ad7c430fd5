package dev.postern.web.portal;

import dev.postern.gate.agent.Right;
import dev.postern.gate.definition.Pins;
import dev.postern.gate.policy.Kill;
import dev.postern.gate.policy.KillSwitch;
import dev.postern.web.http.Access;
import dev.postern.web.http.ProblemException;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.portal.view.Page;
import dev.postern.web.portal.view.ServerPage;
import dev.postern.web.portal.view.ServersPage;
import dev.postern.web.portal.view.VisibleText;
import dev.postern.web.server.ServerQuestions;
import dev.postern.web.server.ServerQuestions.Answer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The configured servers: whether each answers, and which tools it offers as it describes them. */
final class ServerPages {
    private final Pages pages;
    private final ServerQuestions servers;
    private final KillSwitch killSwitch;
    private final Pins pins;

    ServerPages(Pages pages, ServerQuestions servers, KillSwitch killSwitch, Pins pins) {
        this.pages = pages;
        this.servers = servers;
        this.killSwitch = killSwitch;
        this.pins = pins;
    }

    List<Route> routes() {
        Access see = Access.needs(Right.ACCEPT_DEFINITIONS);
        return List.of(
                Route.page("GET", "/servers", see, this::list), Route.page("GET", "/servers/{name}", see, this::one));
    }

    private Reply list(Request request) {
        List<ServersPage.Row> rows = servers.names().stream()
                .map(name -> new ServersPage.Row(
                        VisibleText.of(name).segments(),
                        "/servers/"
                                + URLEncoder.encode(name, StandardCharsets.UTF_8)
                                        .replace("+", "%20"),
                        name,
                        isStopped(name)))
                .toList();
        return pages.show(
                request,
                Page.SERVERS,
                "servers",
                new ServersPage(rows, pins.changed().size()));
    }

    private Reply one(Request request) {
        String name = request.pathValue("name");
        if (!servers.names().contains(name)) {
            throw new ProblemException(404, "NOT_FOUND", "No server of that name is configured.");
        }
        Answer answer = servers.ask(name);
        ServerPage page = new ServerPage(
                name,
                VisibleText.of(answer.error()).segments(),
                answer.millis(),
                answer.tools().stream()
                        .map(tool -> new ServerPage.Tool(
                                name + "__" + tool.name(),
                                VisibleText.of(tool.name()).segments(),
                                VisibleText.of(tool.description()).segments(),
                                VisibleText.of(String.join(", ", tool.parameters()))
                                        .segments()))
                        .toList(),
                isStopped(name));
        return pages.show(request, Page.SERVERS, name, "server", page);
    }

    private boolean isStopped(String name) {
        return killSwitch.engaged().stream().anyMatch(kill -> kill.scope().equals(Kill.Scope.server(name)));
    }
}
