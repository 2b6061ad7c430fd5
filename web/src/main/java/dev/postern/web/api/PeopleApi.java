package dev.postern.web.api;

import dev.postern.gate.agent.Right;
import dev.postern.gate.agent.Role;
import dev.postern.gate.person.Person;
import dev.postern.json.JsonValue;
import dev.postern.web.auth.People;
import dev.postern.web.http.Access;
import dev.postern.web.http.ProblemException;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.http.RouteDoc;
import dev.postern.web.http.Schema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code /api/people}: who can sign in, and as what (A2). */
final class PeopleApi {
    private static final String TAG = "People";
    private static final Schema ROLE = Schema.oneOf("What they may do.", "member", "approver", "admin");
    private static final Schema LINK = Schema.text("An address that signs them in once, for a day. Shown once.");

    private final People people;

    PeopleApi(People people) {
        this.people = people;
    }

    List<Route> routes() {
        Access access = Access.needs(Right.MANAGE_PEOPLE);
        return List.of(
                new Route(
                        "GET",
                        "/api/people",
                        access,
                        request -> Reply.json(Map.of(
                                        "people",
                                        people.list().stream()
                                                .map(Documents::person)
                                                .toList()))
                                .tagged(request),
                        RouteDoc.of(TAG, "listPeople", "Who can sign in")
                                .answers(Shapes.listOf("people", Shapes.PERSON))),
                new Route(
                        "POST",
                        "/api/people",
                        access,
                        this::invite,
                        RouteDoc.of(TAG, "invitePerson", "Invite somebody by a one-time link")
                                .takes(Schema.object()
                                        .with("name", Schema.text("Unique."))
                                        .with("role", ROLE))
                                .answers(201, "application/json", Shapes.PERSON.with("sign_in", LINK))
                                .refuses("403 CONFIRMATION_REQUIRED")),
                new Route(
                        "PATCH",
                        "/api/people/{id}",
                        access,
                        this::change,
                        RouteDoc.of(TAG, "changePerson", "Give somebody another role, at once")
                                .takes(Schema.object().with("role", ROLE))
                                .answers(Shapes.PERSON)
                                .refuses("403 CONFIRMATION_REQUIRED", "404 PERSON_NOT_FOUND")),
                new Route(
                        "POST",
                        "/api/people/{id}/link",
                        access,
                        this::link,
                        RouteDoc.of(TAG, "linkPerson", "Make another link for somebody; an earlier one stops working")
                                .answers(Schema.object().with("sign_in", LINK))
                                .refuses("403 CONFIRMATION_REQUIRED", "404 PERSON_NOT_FOUND")),
                new Route(
                        "DELETE",
                        "/api/people/{id}",
                        access,
                        this::remove,
                        RouteDoc.of(TAG, "removePerson", "Remove somebody; their sessions end at once")
                                .refuses("403 CONFIRMATION_REQUIRED", "404 PERSON_NOT_FOUND")));
    }

    private Reply invite(Request request) {
        request.requireConfirmed();
        JsonValue body = request.json();
        return refusing(() -> {
            People.Invitation invitation = people.invite(
                    Members.requiredText(body, "name").strip(),
                    role(body),
                    request.person().name());
            Map<String, @Nullable Object> document = Documents.person(invitation.person());
            document.put("sign_in", request.origin() + invitation.path());
            return Reply.json(201, document);
        });
    }

    private Reply change(Request request) {
        request.requireConfirmed();
        String id = request.pathValue("id");
        return refusing(() -> {
            if (!people.changeRole(id, role(request.json()), request.person().name())) {
                throw notFound();
            }
            return Reply.json(Documents.person(people.find(id).orElseThrow(PeopleApi::notFound)));
        });
    }

    private Reply link(Request request) {
        request.requireConfirmed();
        Person person = people.find(request.pathValue("id")).orElseThrow(PeopleApi::notFound);
        String path = people.link(person, request.person().name(), People.INVITATION_LIFETIME);
        return Reply.json(Map.of("sign_in", request.origin() + path));
    }

    private Reply remove(Request request) {
        request.requireConfirmed();
        return refusing(() -> {
            if (!people.remove(request.pathValue("id"), request.person().name())) {
                throw notFound();
            }
            return Reply.empty();
        });
    }

    private interface Act {
        Reply run();
    }

    private static Reply refusing(Act act) {
        try {
            return act.run();
        } catch (IllegalArgumentException e) {
            throw Request.invalid(String.valueOf(e.getMessage()));
        }
    }

    private static Role role(JsonValue body) {
        return Role.parse(Members.requiredText(body, "role"));
    }

    private static ProblemException notFound() {
        return new ProblemException(404, "PERSON_NOT_FOUND", "There is no such person.");
    }
}
