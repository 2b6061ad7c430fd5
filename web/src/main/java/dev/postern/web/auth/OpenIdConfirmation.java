package dev.postern.web.auth;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.postern.gate.person.PasskeyStore;
import dev.postern.gate.person.ProviderAccount;
import dev.postern.web.http.Access;
import dev.postern.web.http.Identity;
import dev.postern.web.http.ProblemException;
import dev.postern.web.http.Proof;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.http.RouteDoc;
import dev.postern.web.http.Schema;
import dev.postern.web.openid.OpenIdException;
import dev.postern.web.openid.OpenIdProvider;
import dev.postern.web.openid.OpenIdProvider.Attempt;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Proving that it is still them for people who sign in with a provider's account and have nothing else to prove it with: they
 * sign in there again, now, with the same account. The state that goes there and back is a challenge of ours, made for one
 * session, taken once and for five minutes; nonce and code verifier follow from it by a secret of this process. So an answer
 * is worth nothing in another session, twice, or for signing in, and nothing is kept meanwhile.
 */
final class OpenIdConfirmation {
    private static final String PAGE = "/confirm/openid";
    private static final String MARK = "confirm.";
    private static final String AGAIN = "again";

    /** Moments are whole seconds, at both ends. */
    private static final Duration ROUNDING = Duration.ofSeconds(2);

    private static final String REMEDY =
            " Set a passphrase or add a passkey instead: an administrator, or 'postern portal --link' for the operator,"
                    + " makes you a link that lets you.";

    private final Provider provider;
    private final Sessions sessions;
    private final SignInRoutes signIn;
    private final PasskeyStore spent;
    private final Challenges challenges;
    private final InstantSource clock;
    private final String secret = Tokens.random();

    /**
     * Where people have accounts.
     *
     * @param name as people read it
     * @param accounts whose account is whose
     * @param redirect where browsers come back to
     */
    record Provider(String name, OpenIdProvider itself, OpenIdAccounts accounts, String redirect) {}

    /** @param spent keeps the challenges that were answered */
    OpenIdConfirmation(
            Provider provider, Sessions sessions, SignInRoutes signIn, PasskeyStore spent, InstantSource clock) {
        this.provider = provider;
        this.sessions = sessions;
        this.signIn = signIn;
        this.spent = spent;
        this.challenges = new Challenges(clock);
        this.clock = clock;
    }

    List<Route> routes() {
        return List.of(
                Route.page("GET", PAGE, Access.PERSON, this::begin),
                new Route(
                        "POST",
                        Proof.OPENID.path(),
                        Access.PERSON,
                        this::beginForProgram,
                        RouteDoc.of("Session", "confirmAtProvider", "Prove again at the provider that it is you")
                                .takes(Schema.object()
                                        .optional("to", Schema.text("The path where the browser ends up.")))
                                .answers(Schema.object()
                                        .with("url", Schema.text("To be opened in the browser of this session."))
                                        .with("expires_at", Schema.instant("It has to be back by then.")))
                                .refuses("409 CONFIRMATION_IMPOSSIBLE", "502 PROVIDER_UNREACHABLE")));
    }

    /** Whether what a browser brought back is an answer to one of these. */
    static boolean isAnswer(String state) {
        return state.startsWith(MARK);
    }

    /** A page of ours leads here; one of another site is shown what this is about first. */
    private Reply begin(Request request) {
        String to = SignInRoutes.to(request.query("to"));
        if (request.isForeign()) {
            return signIn.confirmForm(request, to, null, 200);
        }
        try {
            return Reply.redirectAbroad(addressFor(request.person(), to));
        } catch (ProblemException e) {
            return signIn.confirmForm(request, to, e.detail(), e.status());
        }
    }

    private Reply beginForProgram(Request request) {
        String to = SignInRoutes.to(request.jsonOrEmpty().string("to"));
        Instant lapses = clock.instant().plus(Challenges.LIFETIME);
        return Reply.json(Map.of("url", addressFor(request.person(), to), "expires_at", lapses));
    }

    private String addressFor(Identity.Person person, String to) {
        if (!person.proofs().contains(Proof.OPENID)) {
            throw impossible("You have a passphrase or a passkey here: confirm with that.");
        }
        if (!provider.accounts().isOfProvider(sessions.account(person))) {
            throw impossible(
                    "You signed in with another provider than " + provider.name() + ". Sign out, and in again.");
        }
        String challenge = challenges.make(new Purpose.ConfirmAtProvider(person.session(), to));
        String state = MARK + challenge + "."
                + Base64.getUrlEncoder().withoutPadding().encodeToString(to.getBytes(StandardCharsets.US_ASCII));
        try {
            return provider.itself().authorizationAddressAnew(attempt(state));
        } catch (OpenIdException e) {
            throw new ProblemException(502, "PROVIDER_UNREACHABLE", OpenIdRoutes.words(e));
        }
    }

    private static ProblemException impossible(String detail) {
        return new ProblemException(409, "CONFIRMATION_IMPOSSIBLE", detail);
    }

    private Attempt attempt(String state) {
        return OpenIdRoutes.attempt(state, state + " " + secret, provider.redirect());
    }

    /** The session's cookie does not come along from another site: our own page asks once more, and then it does. */
    Reply comeBack(Request request, String state) {
        if (!(request.caller() instanceof Identity.Person person)) {
            return request.query(AGAIN) == null
                    ? askAgain(request)
                    : signIn.failed(request, "You are not signed in here any more, so nothing is confirmed.", 401);
        }
        Optional<Answer> answer = Answer.parse(state);
        String to = answer.map(Answer::to).orElse("/");
        Optional<Instant> begun = answer.flatMap(found -> spend(found, person));
        if (begun.isEmpty()) {
            return signIn.confirmForm(
                    request,
                    to,
                    "That was not begun in this session, was used before, or took too long. Nothing is confirmed; try again.",
                    400);
        }
        String code = request.query("code");
        if (code == null || code.length() > OpenIdRoutes.LONGEST) {
            return signIn.confirmForm(
                    request, to, "You did not sign in at " + provider.name() + ". Nothing is confirmed.", 401);
        }
        try {
            JWTClaimsSet claims = provider.itself().exchange(attempt(state), code, request.query("iss"));
            String wrong = wrong(person, claims, begun.get());
            if (wrong != null) {
                return signIn.confirmForm(request, to, wrong, 403);
            }
            sessions.confirm(person);
            return Reply.redirect(to);
        } catch (OpenIdException e) {
            return signIn.confirmForm(request, to, OpenIdRoutes.words(e), OpenIdRoutes.status(e));
        } catch (ParseException e) {
            return signIn.confirmForm(request, to, OpenIdRoutes.OTHER_TYPE, 401);
        }
    }

    /** When this session began it; empty if it did not, or if it came back before. */
    private Optional<Instant> spend(Answer answer, Identity.Person person) {
        String challenge = Base64.getUrlEncoder().withoutPadding().encodeToString(answer.challenge());
        return challenges
                .lapses(answer.challenge(), new Purpose.ConfirmAtProvider(person.session(), answer.to()))
                .filter(lapses -> spent.spendChallenge(Tokens.hash(challenge), lapses, clock.instant()))
                .map(lapses -> lapses.minus(Challenges.LIFETIME));
    }

    private static Reply askAgain(Request request) {
        StringBuilder address =
                new StringBuilder(request.path()).append('?').append(AGAIN).append("=1");
        for (String name : List.of("state", "code", "iss")) {
            String value = request.query(name);
            if (value != null) {
                address.append("&amp;")
                        .append(name)
                        .append('=')
                        .append(URLEncoder.encode(value, StandardCharsets.UTF_8));
            }
        }
        String page = "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url=" + address + "\">";
        return Reply.html(page.getBytes(StandardCharsets.US_ASCII));
    }

    /** What speaks against it; null for nothing. */
    private @Nullable String wrong(Identity.Person person, JWTClaimsSet claims, Instant begun) throws ParseException {
        Optional<ProviderAccount> account = sessions.account(person);
        boolean same = account.isPresent()
                && account.get().equals(provider.accounts().account(claims))
                && provider.accounts()
                        .person(claims)
                        .filter(found -> found.id().equals(person.id()))
                        .isPresent();
        if (!same) {
            return "You signed in at " + provider.name()
                    + " with another account than here. Nothing is confirmed; use the one you signed" + " in with.";
        }
        Date signedIn = claims.getDateClaim("auth_time");
        if (signedIn == null) {
            return provider.name() + " does not say when you signed in there, so it cannot confirm that it is you."
                    + REMEDY;
        }
        return isFresh(signedIn.toInstant(), claims.getIssueTime().toInstant(), begun)
                ? null
                : provider.name() + " did not ask you to sign in anew, so nothing is confirmed." + REMEDY;
    }

    /**
     * Whether somebody signed in after we had asked for it. How long ago they did is told by the provider's clock alone, and how
     * long ago we asked by ours, so that it does not matter how far the two are apart.
     */
    private boolean isFresh(Instant signedIn, Instant issued, Instant begun) {
        Duration ago = Duration.between(signedIn, issued);
        Duration asked = Duration.between(begun, clock.instant());
        return ago.compareTo(ROUNDING.negated()) >= 0 && ago.compareTo(asked.plus(ROUNDING)) <= 0;
    }

    /** The parts of a state that came back. */
    private record Answer(byte[] challenge, String to) {
        static Optional<Answer> parse(String state) {
            String[] parts = state.split("\\.", -1);
            if (parts.length != 3 || state.length() > OpenIdRoutes.LONGEST) {
                return Optional.empty();
            }
            try {
                Base64.Decoder decoder = Base64.getUrlDecoder();
                String to = new String(decoder.decode(parts[2]), StandardCharsets.US_ASCII);
                return Optional.of(new Answer(decoder.decode(parts[1]), SignInRoutes.to(to)));
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        }
    }
}
