package dev.postern.web.portal;

import dev.postern.gate.agent.Right;
import dev.postern.gate.call.ToolName;
import dev.postern.gate.definition.ChangedDefinition;
import dev.postern.gate.definition.Pins;
import dev.postern.web.http.Access;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.portal.view.DefinitionsPage;
import dev.postern.web.portal.view.Difference;
import dev.postern.web.portal.view.Flash;
import dev.postern.web.portal.view.Page;
import dev.postern.web.portal.view.VisibleText;
import java.util.List;

/** Tools whose definitions are no longer the approved ones (P5, P6): what changed, and accepting exactly that. */
final class DefinitionPages {
    private static final String PATH = "/definitions";

    private final Pages pages;
    private final Pins pins;

    DefinitionPages(Pages pages, Pins pins) {
        this.pages = pages;
        this.pins = pins;
    }

    List<Route> routes() {
        Access accept = Access.needs(Right.ACCEPT_DEFINITIONS);
        return List.of(
                Route.page("GET", PATH, accept, this::list),
                Route.page("POST", PATH + "/accept", accept, this::accept));
    }

    private Reply list(Request request) {
        return pages.show(
                request,
                Page.SERVERS,
                "Changed definitions",
                "definitions",
                new DefinitionsPage(
                        pins.changed().stream().map(this::row).toList(),
                        request.person().confirmed()));
    }

    private DefinitionsPage.Row row(ChangedDefinition changed) {
        return new DefinitionsPage.Row(
                changed.tool().server(),
                changed.tool().tool(),
                VisibleText.of(changed.tool().toString()).segments(),
                changed.hash(),
                changed.approvedBy(),
                pages.moment(changed.approvedAt()),
                pages.moment(changed.seenAt()),
                Difference.between(changed.before(), changed.after()));
    }

    /** What is accepted is what was shown: a definition that changed again meanwhile is not. */
    private Reply accept(Request request) {
        request.requireConfirmed();
        ToolName tool = tool(request);
        boolean accepted = pins.accept(
                tool, SecretFields.text(request, "hash"), request.person().name());
        return Flashes.redirect(
                request,
                PATH,
                accepted
                        ? Flash.good("The definition of " + tool + " is accepted; secrets may go to it again.")
                        : Flash.bad(
                                "The definition of " + tool + " is not changed, or changed again: look once more."));
    }

    private static ToolName tool(Request request) {
        try {
            return new ToolName(SecretFields.text(request, "server"), SecretFields.text(request, "tool"));
        } catch (IllegalArgumentException e) {
            throw Request.invalid("The form does not name a tool.");
        }
    }
}
