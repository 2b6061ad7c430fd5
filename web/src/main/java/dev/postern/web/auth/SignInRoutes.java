package dev.postern.web.auth;

import dev.postern.gate.person.Person;
import dev.postern.secret.SecretValue;
import dev.postern.web.auth.SignInPages.AccountForm;
import dev.postern.web.auth.SignInPages.ConfirmForm;
import dev.postern.web.auth.SignInPages.SignInForm;
import dev.postern.web.auth.SignInPages.Welcome;
import dev.postern.web.http.Access;
import dev.postern.web.http.Identity;
import dev.postern.web.http.Proof;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Signing in and out with a browser, and the account of whoever is signed in. */
public final class SignInRoutes {
    static final String LINK = "/sign-in/link/";

    private static final String WRONG = "That did not match. Try again.";

    private final People people;
    private final Sessions sessions;
    private final PasskeyApi passkeys;
    private final SignInPages pages;
    private final String openIdName;

    /** @param openIdName whose account people sign in with, besides; empty for nobody's */
    public SignInRoutes(People people, Sessions sessions, PasskeyApi passkeys, SignInPages pages, String openIdName) {
        this.people = people;
        this.sessions = sessions;
        this.passkeys = passkeys;
        this.pages = pages;
        this.openIdName = openIdName;
    }

    public List<Route> routes() {
        return List.of(
                Route.page("GET", "/sign-in", Access.OPEN, this::form),
                Route.page("POST", "/sign-in", Access.OPEN, this::signIn),
                Route.page("GET", LINK + "{token}", Access.OPEN, this::welcome),
                Route.page("POST", LINK + "{token}", Access.OPEN, this::follow),
                Route.page("POST", "/sign-out", Access.PERSON, this::signOut),
                Route.page(
                        "GET",
                        "/confirm",
                        Access.PERSON,
                        request -> confirmForm(request, to(request.query("to")), null, 200)),
                Route.page("POST", "/confirm", Access.PERSON, this::confirm),
                Route.page("GET", "/account", Access.PERSON, request -> account(request, null, 200)),
                Route.page("POST", "/account", Access.PERSON, this::changePassphrase),
                Route.page("POST", "/account/passkeys/remove", Access.PERSON, this::removePasskey));
    }

    /** Only a path of ours: nobody is led elsewhere after signing in. */
    static String to(@Nullable String path) {
        return path != null && Reply.isLocal(path) && !path.startsWith("/sign-") ? path : "/";
    }

    private Reply form(Request request) {
        String to = to(request.query("to"));
        return request.caller() instanceof Identity.Person ? Reply.redirect(to) : form(request, to, "", null, 200);
    }

    private Reply form(Request request, String to, String name, @Nullable String message, int status) {
        return pages.signIn(
                request,
                new SignInForm(
                        to, people.list().size() > 1, passkeys.isOffered(request), openIdName, name, message, status));
    }

    /** Another way of signing in came to nothing: back to the form. */
    Reply failed(Request request, String message, int status) {
        return form(request, "/", "", message, status);
    }

    private Reply signIn(Request request) {
        String typed = request.field("name");
        String name = typed == null || typed.isBlank() ? Person.OPERATOR : typed.strip();
        String to = to(request.field("to"));
        try (SecretValue passphrase = secret(request, "passphrase")) {
            return switch (people.verify(name, passphrase)) {
                case Verdict.Right(Person person) -> sessions.open(request, person, true, Reply.redirect(to));
                case Verdict.Wrong _ -> form(request, to, name, WRONG, 401);
                case Verdict.Wait wait -> waiting(form(request, to, name, slow(wait), 429), wait);
            };
        }
    }

    private static SecretValue secret(Request request, String field) {
        return request.secretField(field).orElseGet(() -> new SecretValue(new byte[0]));
    }

    static String slow(Verdict.Wait wait) {
        return "Too many tries. Wait " + seconds(wait) + " s, or use the link that 'postern portal --link' prints.";
    }

    private static long seconds(Verdict.Wait wait) {
        return wait.remaining().toSeconds() + 1;
    }

    static Reply waiting(Reply reply, Verdict.Wait wait) {
        return reply.with("Retry-After", Long.toString(seconds(wait)));
    }

    /** Nothing is spent by looking: mail scanners and previews look. */
    private Reply welcome(Request request) {
        Optional<Person> person = people.linkOwner(request.pathValue("token"));
        return person.isEmpty() ? pages.noLink(request) : welcome(request, person.get(), null, 200);
    }

    private Reply welcome(Request request, Person person, @Nullable String message, int status) {
        return pages.welcome(request, new Welcome(request.path(), person.name(), person.canProve(), message, status));
    }

    private Reply follow(Request request) {
        String token = request.pathValue("token");
        Optional<Person> owner = people.linkOwner(token);
        if (owner.isEmpty()) {
            return pages.noLink(request);
        }
        try (SecretValue chosen = secret(request, "passphrase");
                SecretValue again = secret(request, "again")) {
            // A link signs in; what it must not do is take the place of what proves already that it is them.
            boolean chooses = chosen.length() > 0 && !owner.get().canProve();
            if (chooses) {
                try {
                    People.check(chosen);
                    requireSame(chosen, again);
                } catch (IllegalArgumentException e) {
                    return welcome(request, owner.get(), e.getMessage(), 422);
                }
            }
            Optional<Person> person = people.claimLink(token);
            if (person.isEmpty()) {
                return pages.noLink(request);
            }
            if (chooses) {
                people.setPassphrase(person.get(), chosen, person.get().name());
            }
            return sessions.open(request, person.get(), chooses, Reply.redirect("/"));
        }
    }

    private static void requireSame(SecretValue chosen, SecretValue again) {
        if (!chosen.sameAs(again)) {
            throw new IllegalArgumentException("The two passphrases differ.");
        }
    }

    private Reply signOut(Request request) {
        return sessions.close(request, Reply.redirect("/sign-in"));
    }

    /** Whoever is confirmed already goes on, unless there is something to say. */
    Reply confirmForm(Request request, String to, @Nullable String message, int status) {
        return request.person().confirmed() && status == 200
                ? Reply.redirect(to)
                : pages.confirm(request, confirmForm(request, to, message, status, passkeys.isPossible(request)));
    }

    private ConfirmForm confirmForm(
            Request request, String to, @Nullable String message, int status, boolean passkeysPossible) {
        Optional<Person> person = people.find(request.person().id());
        boolean hasPasskey = person.map(Person::hasPasskey).orElse(false);
        boolean hasAccount = request.person().proofs().contains(Proof.OPENID);
        return new ConfirmForm(
                to,
                person.map(Person::hasPassphrase).orElse(true),
                hasPasskey && passkeysPossible,
                hasPasskey && !passkeysPossible ? passkeys.elsewhere(request) : "",
                hasAccount ? openIdName : "",
                hasAccount && openIdName.isEmpty(),
                message,
                status);
    }

    private Reply confirm(Request request) {
        String to = to(request.field("to"));
        try (SecretValue passphrase = secret(request, "passphrase")) {
            return switch (people.verify(request.person().name(), passphrase)) {
                case Verdict.Right _ -> {
                    sessions.confirm(request.person());
                    yield Reply.redirect(to);
                }
                case Verdict.Wrong _ -> confirmForm(request, to, WRONG, 401);
                case Verdict.Wait wait -> waiting(confirmForm(request, to, slow(wait), 429), wait);
            };
        }
    }

    private Reply account(Request request, @Nullable String message, int status) {
        boolean has =
                people.find(request.person().id()).map(Person::hasPassphrase).orElse(false);
        int open = sessions.of(request.person().id()).size();
        return pages.account(
                request,
                new AccountForm(
                        has,
                        open,
                        passkeys.of(request.person()),
                        request.person().confirmed(),
                        passkeys.isPossible(request),
                        passkeys.elsewhere(request),
                        message,
                        status));
    }

    private Reply removePasskey(Request request) {
        String id = request.field("id");
        boolean removed = id != null && passkeys.remove(request, id);
        return account(
                request,
                removed
                        ? "The passkey signs nobody in any more; other sessions of yours are over."
                        : "That passkey was gone already.",
                200);
    }

    private Reply changePassphrase(Request request) {
        try (SecretValue current = secret(request, "current");
                SecretValue chosen = secret(request, "passphrase");
                SecretValue again = secret(request, "again")) {
            requireSame(chosen, again);
            return switch (change(people, sessions, request.person(), current, chosen)) {
                case Verdict.Right _ ->
                    account(request, "The passphrase is set; other sessions of yours are over.", 200);
                case Verdict.Wrong _ -> account(request, "The current passphrase did not match.", 401);
                case Verdict.Wait wait -> waiting(account(request, slow(wait), 429), wait);
            };
        } catch (IllegalArgumentException e) {
            return account(request, e.getMessage(), 422);
        }
    }

    /**
     * Sets one's own passphrase; who has one shows it first, and who has only a passkey or a provider's account has confirmed
     * with that. Other sessions of theirs end.
     *
     * @throws IllegalArgumentException if the new one will not do
     */
    static Verdict change(
            People people, Sessions sessions, Identity.Person by, SecretValue current, SecretValue chosen) {
        Person person = people.find(by.id()).orElseThrow();
        if (!person.hasPassphrase()) {
            by.requireConfirmed();
        }
        Verdict verdict = person.hasPassphrase() ? people.verify(person.name(), current) : new Verdict.Right(person);
        if (verdict instanceof Verdict.Right) {
            people.setPassphrase(person, chosen, person.name());
            sessions.endOthers(person.id(), by.session());
            sessions.confirm(by);
        }
        return verdict;
    }
}
