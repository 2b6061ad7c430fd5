package dev.postern.web.portal;

import dev.postern.gate.agent.Right;
import dev.postern.gate.call.RefusedException;
import dev.postern.gate.link.OneTimeLinks;
import dev.postern.gate.link.PersonalLinks;
import dev.postern.secret.SecretValue;
import dev.postern.web.http.Access;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.portal.view.LinkPage;
import dev.postern.web.portal.view.Moment;
import dev.postern.web.portal.view.Page;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** A one-time link to a value that is never stored in the vault (O1): 1, 5 or 10 minutes, shown once. */
final class LinkPages {
    private static final int MAX_VALUE_BYTES = 8 * 1024;

    private final Pages pages;
    private final PersonalLinks links;
    private final String user;
    private final InstantSource clock;

    /**
     * The page.
     *
     * @param user whose memory of recent values a redeemed one joins (S9)
     */
    LinkPages(Pages pages, PersonalLinks links, String user, InstantSource clock) {
        this.pages = pages;
        this.links = links;
        this.user = user;
        this.clock = clock;
    }

    List<Route> routes() {
        Access mint = Access.needs(Right.MINT_BARE_LINKS);
        return List.of(
                Route.page("GET", "/link", mint, request -> form(request, 200, "")),
                Route.page("POST", "/link", mint, this::make));
    }

    private Reply form(Request request, int status, String wrong) {
        return pages.show(
                request, status, Page.LINK.title(), Page.LINK.title(), "link", new LinkPage(wrong, null, null));
    }

    private Reply make(Request request) {
        Duration lifetime = lifetime(request);
        try (SecretValue value = SecretFields.value(request, "value")) {
            if (value.length() == 0) {
                return form(request, 422, "There is no value to hand over.");
            }
            if (value.length() > MAX_VALUE_BYTES) {
                return form(request, 422, "A value has at most 8 KB.");
            }
            OneTimeLinks.Made made = links.toValue(
                    new PersonalLinks.Person(
                            request.person().name(), "portal", user, request.may(Right.WRITE_ALL_SECRETS)),
                    value,
                    lifetime);
            return pages.show(
                    request,
                    Page.LINK,
                    "Your link",
                    "link",
                    new LinkPage("", made.url(), new Moment(made.expires(), clock.instant())));
        } catch (RefusedException e) {
            return form(request, 409, e.refusal().what() + ". " + e.refusal().next() + ".");
        } catch (OneTimeLinks.TooManyLinksException e) {
            return form(request, 429, "Too many links wait to be opened; try again when some are over.");
        }
    }

    private static Duration lifetime(Request request) {
        String minutes = SecretFields.text(request, "minutes");
        return switch (minutes) {
            case "1" -> Duration.ofMinutes(1);
            case "", "5" -> Duration.ofMinutes(5);
            case "10" -> Duration.ofMinutes(10);
            default -> throw Request.invalid("A link lives 1, 5 or 10 minutes.");
        };
    }
}
