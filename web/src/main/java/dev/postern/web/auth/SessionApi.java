package dev.postern.web.auth;

import dev.postern.gate.person.Person;
import dev.postern.secret.SecretValue;
import dev.postern.web.http.Access;
import dev.postern.web.http.Identity;
import dev.postern.web.http.ProblemException;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.http.RouteDoc;
import dev.postern.web.http.Schema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code /api/session}: signing in and out for programs that act for a person, and the token their writes carry. */
public final class SessionApi {
    private static final String TAG = "Session";
    private static final Schema SESSION = Schema.object()
            .with("name", Schema.text("Who is signed in."))
            .with("role", Schema.oneOf("What they may do.", "member", "approver", "admin"))
            .with("csrf_token", Schema.text("Goes into the header X-CSRF-Token of every write of this session."))
            .with(
                    "confirmed",
                    Schema.flag("Whether sensitive acts go through without your being asked to prove that it is you."))
            .with(
                    "confirm_with",
                    Schema.map(
                            "By what you can prove it: passphrase, passkey, openid; and the path that it begins with.",
                            Schema.text("To be posted to.")));

    private final People people;
    private final Sessions sessions;

    public SessionApi(People people, Sessions sessions) {
        this.people = people;
        this.sessions = sessions;
    }

    public List<Route> routes() {
        return List.of(
                new Route(
                        "GET",
                        "/api/session",
                        Access.PERSON,
                        request -> Reply.json(document(request.person())),
                        RouteDoc.of(TAG, "getSession", "Who is signed in").answers(SESSION)),
                new Route(
                        "POST",
                        "/api/session",
                        Access.OPEN,
                        this::signIn,
                        RouteDoc.of(TAG, "signIn", "Sign in with a passphrase")
                                .takes(Schema.object()
                                        .optional("name", Schema.text("Who; the operator where it is missing."))
                                        .with("passphrase", Schema.secret("Theirs.")))
                                .refuses("401 WRONG_PASSPHRASE", "429 TOO_MANY_TRIES")),
                new Route(
                        "DELETE",
                        "/api/session",
                        Access.PERSON,
                        request -> sessions.close(request, Reply.empty()),
                        RouteDoc.of(TAG, "signOut", "Sign out")),
                new Route(
                        "POST",
                        "/api/session/confirm",
                        Access.PERSON,
                        this::confirm,
                        RouteDoc.of(TAG, "confirm", "Prove again that it is you; holds for 5 minutes")
                                .takes(Schema.object().with("passphrase", Schema.secret("Yours.")))
                                .refuses("401 WRONG_PASSPHRASE", "429 TOO_MANY_TRIES")),
                new Route(
                        "PUT",
                        "/api/session/passphrase",
                        Access.PERSON,
                        this::changePassphrase,
                        RouteDoc.of(TAG, "setPassphrase", "Set or change your passphrase; your other sessions end")
                                .takes(Schema.object()
                                        .optional("current", Schema.secret("The one that is set, if one is."))
                                        .with("passphrase", Schema.secret("The new one: at least 10 characters.")))
                                .refuses("401 WRONG_PASSPHRASE", "429 TOO_MANY_TRIES")));
    }

    private static Map<String, Object> document(Identity.Person person) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", person.name());
        document.put("role", person.role().label());
        document.put("csrf_token", person.token());
        document.put("confirmed", person.confirmed());
        document.put("confirm_with", person.confirmWith());
        return document;
    }

    private Reply signIn(Request request) {
        @Nullable String name = request.json().string("name");
        try (SecretValue passphrase = required(request, "passphrase")) {
            Person person = granted(people.verify(name == null ? Person.OPERATOR : name, passphrase));
            return sessions.open(request, person, true, Reply.empty());
        }
    }

    private Reply confirm(Request request) {
        try (SecretValue passphrase = required(request, "passphrase")) {
            granted(people.verify(request.person().name(), passphrase));
            sessions.confirm(request.person());
            return Reply.empty();
        }
    }

    private Reply changePassphrase(Request request) {
        try (SecretValue current = request.secretField("current").orElseGet(() -> new SecretValue(new byte[0]));
                SecretValue chosen = required(request, "passphrase")) {
            granted(SignInRoutes.change(people, sessions, request.person(), current, chosen));
            return Reply.empty();
        } catch (IllegalArgumentException e) {
            throw Request.invalid(String.valueOf(e.getMessage()));
        }
    }

    private static SecretValue required(Request request, String member) {
        return request.secretField(member).orElseThrow(() -> Request.invalid("'" + member + "' is missing."));
    }

    private static Person granted(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Right(Person person) -> person;
            case Verdict.Wrong _ ->
                throw new ProblemException(401, "WRONG_PASSPHRASE", "The name or the passphrase did not match.");
            case Verdict.Wait wait ->
                throw new ProblemException(
                        429,
                        "TOO_MANY_TRIES",
                        SignInRoutes.slow(wait),
                        Map.of("retry_after", wait.remaining().toSeconds() + 1));
        };
    }
}
