package dev.postern.web.portal;

import dev.postern.gate.approval.Approvals;
import dev.postern.gate.policy.Kill;
import dev.postern.gate.policy.KillSwitch;
import dev.postern.web.http.Assets;
import dev.postern.web.http.Identity;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.portal.view.Frame;
import dev.postern.web.portal.view.Moment;
import dev.postern.web.portal.view.Page;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/** Puts what a page shows into the frame that stands around every page. */
final class Pages {
    private final Templates templates = new Templates();
    private final Assets assets = Assets.of(Pages.class, "portal.css", "portal.js", "passkeys.js", "icon.svg");
    private final Approvals approvals;
    private final KillSwitch killSwitch;
    private final InstantSource clock;

    Pages(Approvals approvals, KillSwitch killSwitch, InstantSource clock) {
        this.approvals = approvals;
        this.killSwitch = killSwitch;
        this.clock = clock;
    }

    Route assets() {
        return assets.route();
    }

    /** A page of the menu, under its own title. */
    Reply show(Request request, Page section, String template, Object page) {
        return show(request, section, section.title(), template, page);
    }

    /** A page that belongs to one of the menu. */
    Reply show(Request request, Page section, String title, String template, Object page) {
        return show(request, 200, section.title(), title, template, page);
    }

    Reply show(Request request, int status, String section, String title, String template, Object page) {
        Frame frame = frame(request, section, title);
        return Flashes.said(
                request,
                Reply.html(
                        status,
                        templates.render(
                                template,
                                Map.of("frame", frame, "page", page, "passkeys", assets.path("passkeys.js")))));
    }

    /** A moment, told as how long ago it was. */
    Moment moment(Instant instant) {
        return new Moment(instant, clock.instant());
    }

    /** A piece that a page's script puts in place. */
    Reply part(Request request, String template, Object page) {
        Frame frame = frame(request, "", "");
        return Reply.html(templates.render(template, Map.of("frame", frame, "page", page)));
    }

    /** A page without a person: sign-in, and errors before it. */
    Reply bare(Request request, int status, String template, Map<String, Object> parameters) {
        Map<String, Object> all = new HashMap<>(parameters);
        all.put("style", assets.path("portal.css"));
        all.put("script", assets.path("portal.js"));
        all.put("icon", assets.path("icon.svg"));
        all.put("passkeys", assets.path("passkeys.js"));
        return Flashes.said(request, Reply.html(status, templates.render(template, all)));
    }

    private Frame.Stop stop(Kill kill) {
        String reason = kill.reason() == null ? "" : ": " + kill.reason();
        return new Frame.Stop(
                KillPages.scope(kill.scope()),
                kill.scope().toString(),
                kill.actor() + reason,
                new Moment(kill.since(), clock.instant()));
    }

    private Frame frame(Request request, String section, String title) {
        Identity.Person person = request.person();
        return new Frame(
                title,
                section,
                request.method().equals("GET") ? request.path() : "/",
                person.name(),
                person.role().label(),
                person.role().rights(),
                person.token(),
                killSwitch.engaged().stream().map(this::stop).toList(),
                approvals.waiting(),
                Flashes.read(request),
                assets.path("portal.css"),
                assets.path("portal.js"),
                assets.path("icon.svg"));
    }
}
