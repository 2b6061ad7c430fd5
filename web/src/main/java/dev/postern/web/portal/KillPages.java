package dev.postern.web.portal;

import dev.postern.gate.agent.Right;
import dev.postern.gate.policy.Kill;
import dev.postern.gate.policy.KillSwitch;
import dev.postern.web.http.Access;
import dev.postern.web.http.ProblemException;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.portal.view.Flash;
import java.util.List;

/** The switch that stops calls (A3): thrown at once by whoever may, released by an administrator who confirms it. */
final class KillPages {
    private static final int MAX_REASON_CHARACTERS = 200;

    private final KillSwitch killSwitch;

    KillPages(KillSwitch killSwitch) {
        this.killSwitch = killSwitch;
    }

    List<Route> routes() {
        return List.of(
                Route.page("POST", "/kill", Access.needs(Right.ENGAGE_KILL_SWITCH), this::engage),
                Route.page("POST", "/kill/release", Access.needs(Right.RELEASE_KILL_SWITCH), this::release));
    }

    /** As a form sends it. */
    static String scope(Kill.Scope scope) {
        return switch (scope.kind()) {
            case ALL -> "all";
            case AGENT -> "agent:" + scope.name();
            case SERVER -> "server:" + scope.name();
        };
    }

    private static Kill.Scope scope(Request request) {
        String scope = SecretFields.text(request, "scope");
        if (scope.isEmpty() || scope.equals("all")) {
            return Kill.Scope.ALL;
        }
        if (scope.startsWith("agent:")) {
            return Kill.Scope.agent(scope.substring("agent:".length()));
        }
        if (scope.startsWith("server:")) {
            return Kill.Scope.server(scope.substring("server:".length()));
        }
        throw Request.invalid("What to stop is all, agent:NAME or server:NAME.");
    }

    private Reply engage(Request request) {
        Kill.Scope scope = scope(request);
        String reason = SecretFields.optional(request, "reason");
        if (reason != null && reason.length() > MAX_REASON_CHARACTERS) {
            throw Request.invalid("A reason has at most " + MAX_REASON_CHARACTERS + " characters.");
        }
        int stopped = killSwitch.engage(scope, request.person().name(), reason);
        return Flashes.redirect(
                request, back(request), Flash.warn("Stopped from now on: " + scope + ". " + running(stopped)));
    }

    private static String running(int stopped) {
        return switch (stopped) {
            case 0 -> "No call was running.";
            case 1 -> "One running call was stopped.";
            default -> stopped + " running calls were stopped.";
        };
    }

    private Reply release(Request request) {
        request.requireConfirmed();
        Kill.Scope scope = scope(request);
        if (!killSwitch.release(scope, request.person().name())) {
            throw new ProblemException(409, "NOT_ENGAGED", "Nothing was stopped by that switch any more.");
        }
        return Flashes.redirect(request, back(request), Flash.good("Running again: " + scope + "."));
    }

    private static String back(Request request) {
        String back = request.field("back");
        return back != null && Reply.isLocal(back) ? back : "/";
    }
}
