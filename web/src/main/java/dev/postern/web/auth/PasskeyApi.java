package dev.postern.web.auth;

import dev.postern.gate.person.Passkey;
import dev.postern.gate.person.PasskeyStore;
import dev.postern.gate.person.Person;
import dev.postern.json.JsonValue;
import dev.postern.web.auth.Passkeys.Made;
import dev.postern.web.auth.Passkeys.RefusedException;
import dev.postern.web.auth.Passkeys.Signed;
import dev.postern.web.auth.RelyingParty.Party;
import dev.postern.web.http.Access;
import dev.postern.web.http.Endpoint;
import dev.postern.web.http.Identity;
import dev.postern.web.http.ProblemException;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.http.RouteDoc;
import dev.postern.web.http.Schema;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code /api/session/passkeys}: adding and removing one's passkeys, signing in with one, and proving with one that it is
 * still them. Documents have the JSON of WebAuthn Level 3 (sections 5.1.8 to 5.1.10), so that scripts pass them on.
 */
public final class PasskeyApi {
    private static final String TAG = "Session";
    private static final int MAX_BODY_BYTES = 64 * 1024;
    private static final String REFUSED = "401 PASSKEY_REFUSED";
    private static final String UNAVAILABLE = "409 PASSKEYS_UNAVAILABLE";

    private static final Schema OPTIONS =
            Schema.any("As navigator.credentials takes it, in the JSON of WebAuthn Level 3.");
    private static final Schema SIGNED = Schema.object()
            .with("id", Schema.text("The credential's."))
            .with(
                    "response",
                    Schema.object()
                            .with("clientDataJSON", Schema.text("In base64url."))
                            .with("authenticatorData", Schema.text("In base64url."))
                            .with("signature", Schema.text("In base64url."))
                            .optional("userHandle", Schema.text("In base64url.")));
    private static final Schema MADE = Schema.object()
            .with("name", Schema.text("What you call it."))
            .with(
                    "response",
                    Schema.object()
                            .with("clientDataJSON", Schema.text("In base64url."))
                            .with("attestationObject", Schema.text("In base64url.")));
    private static final Schema PASSKEY = Schema.object()
            .with("id", Schema.text("Of the passkey."))
            .with("name", Schema.text("What you call it."))
            .with("host", Schema.text("The host name it works for."))
            .with("created", Schema.instant("When it was added."))
            .with("last_used", Schema.instant("When it last signed.").orNull());

    private final People people;
    private final Sessions sessions;
    private final Passkeys passkeys;
    private final RelyingParty relyingParty;

    public PasskeyApi(
            People people, Sessions sessions, PasskeyStore store, RelyingParty relyingParty, InstantSource clock) {
        this.people = people;
        this.sessions = sessions;
        this.passkeys = new Passkeys(store, clock);
        this.relyingParty = relyingParty;
    }

    /** The routes of the API. */
    public List<Route> routes() {
        return List.of(
                asks(
                        "/api/session/passkey/options",
                        Access.OPEN,
                        this::signInOptions,
                        RouteDoc.of(TAG, "passkeySignInOptions", "A challenge to sign in with a passkey")),
                answers(
                        "/api/session/passkey",
                        Access.OPEN,
                        this::signIn,
                        RouteDoc.of(TAG, "signInWithPasskey", "Sign in with a passkey")),
                asks(
                        "/api/session/confirm/passkey/options",
                        Access.PERSON,
                        this::confirmOptions,
                        RouteDoc.of(
                                TAG, "passkeyConfirmOptions", "A challenge to prove with a passkey that it is you")),
                answers(
                        "/api/session/confirm/passkey",
                        Access.PERSON,
                        this::confirm,
                        RouteDoc.of(TAG, "confirmWithPasskey", "Prove again that it is you; holds for 5 minutes")),
                route(
                        "GET",
                        "/api/session/passkeys",
                        Access.PERSON,
                        request -> Reply.json(Map.of(
                                        "passkeys",
                                        passkeys.of(request.person().id()).stream()
                                                .map(PasskeyApi::document)
                                                .toList()))
                                .tagged(request),
                        RouteDoc.of(TAG, "listPasskeys", "Your passkeys")
                                .answers(Schema.object().with("passkeys", Schema.list(PASSKEY)))),
                route(
                        "POST",
                        "/api/session/passkeys/options",
                        Access.PERSON,
                        this::addOptions,
                        RouteDoc.of(TAG, "passkeyOptions", "A challenge to add a passkey")
                                .answers(OPTIONS)
                                .refuses("403 CONFIRMATION_REQUIRED", UNAVAILABLE)),
                route(
                        "POST",
                        "/api/session/passkeys",
                        Access.PERSON,
                        this::add,
                        RouteDoc.of(TAG, "addPasskey", "Add a passkey of yours")
                                .takes(MADE)
                                .answers(201, "application/json", PASSKEY)
                                .refuses("403 CONFIRMATION_REQUIRED", REFUSED, UNAVAILABLE)),
                route(
                        "DELETE",
                        "/api/session/passkeys/{id}",
                        Access.PERSON,
                        this::remove,
                        RouteDoc.of(TAG, "removePasskey", "Remove a passkey of yours; your other sessions end")
                                .refuses("403 CONFIRMATION_REQUIRED", "404 NOT_FOUND")));
    }

    private static Route route(String method, String template, Access access, Endpoint endpoint, RouteDoc doc) {
        return new Route(method, template, access, endpoint, doc).withMaxBodyBytes(MAX_BODY_BYTES);
    }

    /** Gives what a browser passes to its authenticators. */
    private static Route asks(String template, Access access, Endpoint endpoint, RouteDoc doc) {
        return route("POST", template, access, endpoint, doc.answers(OPTIONS).refuses(UNAVAILABLE));
    }

    /** Takes what one of them signed. */
    private static Route answers(String template, Access access, Endpoint endpoint, RouteDoc doc) {
        return route("POST", template, access, endpoint, doc.takes(SIGNED).refuses(REFUSED, UNAVAILABLE));
    }

    /** Somebody's own, for their account's page. */
    List<Passkey> of(Identity.Person person) {
        return passkeys.of(person.id());
    }

    /** Whether there is any sense in offering to sign in with one here. */
    boolean isOffered(Request request) {
        return relyingParty.of(request).filter(passkeys::isAnyFor).isPresent();
    }

    /** Whether browsers keep passkeys for the address a request came under. */
    boolean isPossible(Request request) {
        return relyingParty.of(request).isPresent();
    }

    /** Where they do. */
    String elsewhere(Request request) {
        return relyingParty.elsewhere(request);
    }

    private Party party(Request request) {
        return relyingParty
                .of(request)
                .orElseThrow(() -> new ProblemException(
                        409,
                        "PASSKEYS_UNAVAILABLE",
                        "Browsers keep passkeys for host names only; come to " + relyingParty.elsewhere(request)
                                + " instead."));
    }

    private Reply signInOptions(Request request) {
        return Reply.json(requestOptions(party(request), new Purpose.SignIn(), List.of()));
    }

    private Reply signIn(Request request) {
        String id = verified(request, new Purpose.SignIn());
        Person person = people.find(id).orElseThrow(PasskeyApi::refused);
        return sessions.open(request, person, true, Reply.empty());
    }

    private Reply confirmOptions(Request request) {
        Party party = party(request);
        List<Map<String, Object>> allowed = passkeys.of(request.person().id()).stream()
                .filter(passkey -> passkey.relyingParty().equals(party.id()))
                .map(PasskeyApi::descriptor)
                .toList();
        return Reply.json(
                requestOptions(party, new Purpose.Confirm(request.person().session()), allowed));
    }

    private Reply confirm(Request request) {
        String id = verified(request, new Purpose.Confirm(request.person().session()));
        if (!id.equals(request.person().id())) {
            throw refused();
        }
        sessions.confirm(request.person());
        return Reply.empty();
    }

    private String verified(Request request, Purpose purpose) {
        Party party = party(request);
        JsonValue body = request.json();
        Signed signed = new Signed(
                text(body, "id"),
                text(response(body), "clientDataJSON"),
                text(response(body), "authenticatorData"),
                text(response(body), "signature"),
                response(body).string("userHandle"));
        try {
            return passkeys.verify(party, purpose, signed);
        } catch (RefusedException e) {
            throw refused();
        }
    }

    private Reply addOptions(Request request) {
        request.requireConfirmed();
        Party party = party(request);
        Identity.Person person = request.person();
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("challenge", passkeys.challenge(new Purpose.Add(person.session())));
        options.put("rp", Map.of("id", party.id(), "name", "Postern"));
        options.put(
                "user",
                Map.of("id", Passkeys.handle(person.id()), "name", person.name(), "displayName", person.name()));
        options.put(
                "pubKeyCredParams",
                Passkeys.ALGORITHMS.stream()
                        .map(algorithm -> Map.of("type", "public-key", "alg", algorithm))
                        .toList());
        options.put(
                "authenticatorSelection",
                Map.of("residentKey", "required", "requireResidentKey", true, "userVerification", "required"));
        options.put("attestation", "none");
        options.put("timeout", Challenges.LIFETIME.toMillis());
        options.put(
                "excludeCredentials",
                passkeys.of(person.id()).stream().map(PasskeyApi::descriptor).toList());
        return Reply.json(options);
    }

    private Reply add(Request request) {
        request.requireConfirmed();
        Party party = party(request);
        JsonValue body = request.json();
        Person person = people.find(request.person().id()).orElseThrow();
        Made made = new Made(text(response(body), "clientDataJSON"), text(response(body), "attestationObject"));
        try {
            Passkey added =
                    passkeys.add(person, party, new Purpose.Add(request.person().session()), text(body, "name"), made);
            // They proved it just now, and must not be asked for what they just made.
            sessions.confirm(request.person());
            return Reply.json(201, document(added));
        } catch (RefusedException e) {
            throw refused();
        } catch (IllegalArgumentException e) {
            throw Request.invalid(String.valueOf(e.getMessage()));
        }
    }

    private Reply remove(Request request) {
        if (!remove(request, request.pathValue("id"))) {
            throw new ProblemException(404, "NOT_FOUND", "You have no such passkey.");
        }
        return Reply.empty();
    }

    /** Removes one of the caller's, and ends their other sessions: one of them may be the reason. */
    boolean remove(Request request, String id) {
        request.requireConfirmed();
        boolean removed = passkeys.remove(id, request.person().id());
        if (removed) {
            sessions.endOthers(request.person().id(), request.person().session());
        }
        return removed;
    }

    private Map<String, Object> requestOptions(Party party, Purpose purpose, List<Map<String, Object>> allowed) {
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("challenge", passkeys.challenge(purpose));
        options.put("rpId", party.id());
        options.put("allowCredentials", allowed);
        options.put("userVerification", "required");
        options.put("timeout", Challenges.LIFETIME.toMillis());
        return options;
    }

    private static Map<String, Object> descriptor(Passkey passkey) {
        return Map.of("type", "public-key", "id", passkey.credential());
    }

    private static Map<String, @Nullable Object> document(Passkey passkey) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("id", passkey.id());
        document.put("name", passkey.name());
        document.put("host", passkey.relyingParty());
        document.put("created", passkey.created());
        document.put("last_used", passkey.lastUsed());
        return document;
    }

    private static JsonValue response(JsonValue body) {
        JsonValue response = body.member("response");
        if (response == null || !response.is(JsonValue.Kind.OBJECT)) {
            throw Request.invalid("'response' is not an object.");
        }
        return response;
    }

    private static String text(JsonValue object, String name) {
        String text = object.string(name);
        if (text == null || text.isEmpty()) {
            throw Request.invalid("'" + name + "' is missing, or no string.");
        }
        return text;
    }

    private static ProblemException refused() {
        return new ProblemException(
                401,
                "PASSKEY_REFUSED",
                "The passkey was not accepted: try once more, or use the passphrase; it may have been removed here.");
    }
}
