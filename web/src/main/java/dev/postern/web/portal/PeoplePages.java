package dev.postern.web.portal;

import dev.postern.gate.agent.Right;
import dev.postern.gate.agent.Role;
import dev.postern.gate.person.Person;
import dev.postern.web.auth.People;
import dev.postern.web.auth.Sessions;
import dev.postern.web.http.Access;
import dev.postern.web.http.ProblemException;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.portal.view.Flash;
import dev.postern.web.portal.view.Moment;
import dev.postern.web.portal.view.Page;
import dev.postern.web.portal.view.PeoplePage;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** Inviting people, their roles and their sessions (A2). A link is shown once, when it is made. */
final class PeoplePages {
    private final Pages pages;
    private final People people;
    private final Sessions sessions;
    private final InstantSource clock;

    PeoplePages(Pages pages, People people, Sessions sessions, InstantSource clock) {
        this.pages = pages;
        this.people = people;
        this.sessions = sessions;
        this.clock = clock;
    }

    List<Route> routes() {
        Access manage = Access.needs(Right.MANAGE_PEOPLE);
        return List.of(
                Route.page("GET", "/people", manage, request -> list(request, 200, "", "", "")),
                Route.page("POST", "/people", manage, this::invite),
                Route.page("POST", "/people/role", manage, this::changeRole),
                Route.page("POST", "/people/sessions", manage, this::endSessions),
                Route.page("POST", "/people/remove", manage, this::remove));
    }

    private Reply list(Request request, int status, String wrong, String link, String linkFor) {
        Instant now = clock.instant();
        String me = request.person().id();
        List<PeoplePage.Row> rows = people.list().stream()
                .map(person -> new PeoplePage.Row(
                        person.id(),
                        person.name(),
                        person.role().label(),
                        person.canProve(),
                        person.lastSignIn() == null ? null : new Moment(person.lastSignIn(), now),
                        sessions.of(person.id()).size(),
                        person.id().equals(me)))
                .toList();
        return pages.show(
                request,
                status,
                Page.PEOPLE.title(),
                Page.PEOPLE.title(),
                "people",
                new PeoplePage(rows, wrong, link, linkFor));
    }

    private Reply invite(Request request) {
        request.requireConfirmed();
        String name = SecretFields.text(request, "name");
        try {
            People.Invitation invitation =
                    people.invite(name, role(request), request.person().name());
            return list(
                    request,
                    200,
                    "",
                    request.origin() + invitation.path(),
                    invitation.person().name());
        } catch (IllegalArgumentException e) {
            return list(request, 422, String.valueOf(e.getMessage()), "", "");
        }
    }

    private Reply changeRole(Request request) {
        request.requireConfirmed();
        Person person = person(request);
        Role role = role(request);
        try {
            people.changeRole(person.id(), role, request.person().name());
            return Flashes.redirect(
                    request, "/people", Flash.good(person.name() + " is " + role.label() + " from now on."));
        } catch (IllegalArgumentException e) {
            return list(request, 422, String.valueOf(e.getMessage()), "", "");
        }
    }

    private Reply endSessions(Request request) {
        Person person = person(request);
        boolean isMe = person.id().equals(request.person().id());
        sessions.endOthers(person.id(), isMe ? request.person().session() : "");
        return Flashes.redirect(
                request,
                "/people",
                Flash.good((isMe ? "Your other sessions" : "All sessions of " + person.name()) + " are over."));
    }

    private Reply remove(Request request) {
        request.requireConfirmed();
        Person person = person(request);
        try {
            people.remove(person.id(), request.person().name());
            sessions.endOthers(person.id(), "");
            return Flashes.redirect(request, "/people", Flash.warn(person.name() + " can no longer sign in."));
        } catch (IllegalArgumentException e) {
            return list(request, 422, String.valueOf(e.getMessage()), "", "");
        }
    }

    private Person person(Request request) {
        return people.find(SecretFields.text(request, "id"))
                .orElseThrow(() -> new ProblemException(404, "NOT_FOUND", "There is no such person."));
    }

    private static Role role(Request request) {
        Role role;
        try {
            role = Role.parse(SecretFields.text(request, "role"));
        } catch (IllegalArgumentException e) {
            throw Request.invalid("A role is member, approver or admin.");
        }
        if (!role.isPerson()) {
            throw Request.invalid("A role is member, approver or admin.");
        }
        return role;
    }
}
