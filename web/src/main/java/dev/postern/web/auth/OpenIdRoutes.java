package dev.postern.web.auth;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.postern.gate.person.PasskeyStore;
import dev.postern.gate.person.Person;
import dev.postern.web.http.Access;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.openid.OpenIdException;
import dev.postern.web.openid.OpenIdProvider;
import dev.postern.web.openid.OpenIdProvider.Attempt;
import dev.postern.web.openid.OpenIdSettings;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.text.ParseException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signing in with an OpenID Connect provider. The browser that begins keeps one secret in a cookie; state, nonce and code
 * verifier all follow from it, so that an answer is worth nothing in another browser, and nothing is kept here meanwhile.
 * Whoever comes back is one of the people who are here already, or nobody: no account is made, and none becomes an
 * administrator (A2).
 */
public final class OpenIdRoutes {
    private static final Logger log = LoggerFactory.getLogger(OpenIdRoutes.class);
    private static final String PATH = "/sign-in/openid";
    private static final String CALLBACK = PATH + "/callback";
    private static final int LIFETIME_SECONDS = 600;
    static final String OTHER_TYPE = "The provider's account has a claim of another type than is configured.";

    /** Characters of a code or state. */
    static final int LONGEST = 4_096;

    private final OpenIdProvider provider;
    private final OpenIdAccounts accounts;
    private final OpenIdConfirmation confirmation;
    private final Sessions sessions;
    private final SignInRoutes signIn;
    private final String address;

    /**
     * @param address scheme, host and port of the portal, as the provider knows it
     * @param spent keeps the challenges that were answered
     */
    public OpenIdRoutes(
            OpenIdSettings settings,
            OpenIdProvider provider,
            People people,
            Sessions sessions,
            SignInRoutes signIn,
            String address,
            PasskeyStore spent,
            InstantSource clock) {
        this.provider = provider;
        this.accounts = new OpenIdAccounts(settings, people);
        this.confirmation = new OpenIdConfirmation(
                new OpenIdConfirmation.Provider(settings.name(), provider, accounts, address + CALLBACK),
                sessions,
                signIn,
                spent,
                clock);
        this.sessions = sessions;
        this.signIn = signIn;
        this.address = address;
    }

    public List<Route> routes() {
        List<Route> routes = new ArrayList<>(confirmation.routes());
        routes.add(Route.page("GET", PATH, Access.OPEN, this::begin));
        routes.add(Route.page("GET", CALLBACK, Access.OPEN, this::comeBack));
        return routes;
    }

    /** What a cookie holds: the secret, and where to go afterwards. */
    private record Begun(String secret, String to) {
        String text() {
            return secret + "~" + URLEncoder.encode(to, StandardCharsets.UTF_8);
        }

        static @Nullable Begun parse(@Nullable String cookie) {
            int cut = cookie == null ? -1 : cookie.indexOf('~');
            if (cookie == null || cut < 1) {
                return null;
            }
            try {
                return new Begun(
                        cookie.substring(0, cut), URLDecoder.decode(cookie.substring(cut + 1), StandardCharsets.UTF_8));
            } catch (IllegalArgumentException e) {
                return null;
            }
        }
    }

    private Attempt attempt(Begun begun) {
        return attempt(Tokens.derived("state", begun.secret()), begun.secret(), address + CALLBACK);
    }

    /** Nonce and code verifier follow from a secret. */
    static Attempt attempt(String state, String secret, String redirect) {
        String verifier = Tokens.derived("verifier", secret);
        return new Attempt(state, Tokens.derived("nonce", secret), verifier, Tokens.challenge(verifier), redirect);
    }

    private Reply begin(Request request) {
        String to = SignInRoutes.to(request.query("to"));
        if (!request.origin().equals(address)) {
            // The cookie has to be there when they come back.
            return Reply.redirectAbroad(address + PATH + "?to=" + URLEncoder.encode(to, StandardCharsets.UTF_8));
        }
        Begun begun = new Begun(Tokens.random(), to);
        try {
            return Reply.redirectAbroad(provider.authorizationAddress(attempt(begun)))
                    .with("Set-Cookie", cookie(request, begun.text(), LIFETIME_SECONDS));
        } catch (OpenIdException e) {
            return failed(request, e);
        }
    }

    private Reply comeBack(Request request) {
        String state = request.query("state");
        if (state != null && OpenIdConfirmation.isAnswer(state)) {
            return confirmation.comeBack(request, state);
        }
        return finish(request).with("Set-Cookie", cookie(request, "", 0));
    }

    private Reply finish(Request request) {
        Begun begun = Begun.parse(request.cookie(cookieName(request)));
        String state = request.query("state");
        String code = request.query("code");
        if (begun == null || state == null || !same(attempt(begun).state(), state)) {
            return signIn.failed(
                    request, "This sign-in was not begun in this browser, or took too long. Try again.", 400);
        }
        if (code == null || code.length() > LONGEST) {
            return signIn.failed(request, "You were not signed in there.", 401);
        }
        try {
            JWTClaimsSet claims = provider.exchange(attempt(begun), code, request.query("iss"));
            Optional<Person> person = accounts.person(claims);
            if (person.isEmpty()) {
                log.warn("somebody signed in with the provider who is nobody here");
                return signIn.failed(
                        request,
                        "You are signed in there, but nobody here has that account. Ask an administrator to invite you, or to list"
                                + " the account.",
                        403);
            }
            Person known = accounts.withRole(person.get(), claims);
            return sessions.open(request, known, accounts.account(claims), Reply.redirect(SignInRoutes.to(begun.to())));
        } catch (OpenIdException e) {
            return failed(request, e);
        } catch (ParseException e) {
            return signIn.failed(request, OTHER_TYPE, 401);
        }
    }

    private Reply failed(Request request, OpenIdException e) {
        return signIn.failed(request, words(e), status(e));
    }

    /** What a person is told; the log is told more. */
    static String words(OpenIdException e) {
        log.warn("signing in with the provider failed: {}", e.getMessage());
        return e.isUnreachable()
                ? "The provider cannot be reached. Try again, or use another way."
                : "The provider's answer was not accepted. Try again.";
    }

    static int status(OpenIdException e) {
        return e.isUnreachable() ? 502 : 401;
    }

    private static boolean same(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    private static String cookieName(Request request) {
        return "postern_openid_" + request.port();
    }

    /** Lax, because the browser comes back from another site; of no use but for this. */
    private static String cookie(Request request, String value, int seconds) {
        return cookieName(request) + "=" + value + "; Path=" + PATH + "; Max-Age=" + seconds
                + "; HttpOnly; SameSite=Lax" + (request.isSecure() ? "; Secure" : "");
    }
}
