package dev.postern.mcp.login;

import dev.postern.gate.vault.ServerLogins;
import dev.postern.mcp.client.Authorization;
import dev.postern.mcp.login.Login.Terms;
import dev.postern.secret.SecretValue;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Signs the gateway in at servers, by the operator's browser, and keeps what comes of it. Thread-safe. */
public final class Logins implements AutoCloseable {
    private static final Duration PENDING = Duration.ofMinutes(10);
    private static final int MAX_PENDING = 32;

    private static final String ELSEWHERE = "the answer came from another authorization server than was asked";

    private final String redirect;
    private final InstantSource clock;
    private final Web web = new Web();
    private final KeptLogins kept;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Pending> pending = new ConcurrentHashMap<>();
    private final Map<String, ServerAuthorization> authorizations = new ConcurrentHashMap<>();

    /**
     * A desk for logins.
     *
     * @param redirect where browsers are sent back to: an address of this gateway, to which the server's name is added
     * @param seen hears of each access token before it is used
     */
    public Logins(ServerLogins store, URI redirect, Seen seen, InstantSource clock) {
        this.redirect = redirect.toString();
        this.clock = clock;
        this.kept = new KeptLogins(store, web, seen, clock);
    }

    /** Hears of access tokens, so that they are looked for in what servers say. */
    @FunctionalInterface
    public interface Seen {
        /**
         * A token is about to be used; the same one may be told of again and again.
         *
         * @param token closed by whoever tells of it
         * @param end when it expires; null if nobody said
         */
        void token(String server, SecretValue token, @Nullable Instant end);
    }

    /**
     * A login that waits for the operator's browser.
     *
     * @param url where the operator signs in
     * @param done completed with what was granted, or exceptionally with a {@link LoginException}
     */
    public record Started(URI url, CompletableFuture<Status> done) {}

    /**
     * How things stand at a server.
     *
     * @param scope what was granted, separated by spaces
     * @param expiresAt of the access token, in seconds since the epoch; 0 if nobody said
     * @param renewable whether it is renewed by itself
     * @param refused whether the server wants more than this gives: sign in again
     */
    public record Status(String issuer, String scope, long expiresAt, boolean renewable, boolean refused) {}

    /** Not a record: a record would show the verifier in toString. */
    private static final class Pending {
        private final String server;
        private final AuthorizationServer at;
        private final Terms terms;
        private final @Nullable SecretValue clientSecret;
        private final String verifier;
        private final long sinceNanos = System.nanoTime();
        private final CompletableFuture<Status> done = new CompletableFuture<>();

        Pending(
                String server,
                AuthorizationServer at,
                Terms terms,
                @Nullable SecretValue clientSecret,
                String verifier) {
            this.server = server;
            this.at = at;
            this.terms = terms;
            this.clientSecret = clientSecret;
            this.verifier = verifier;
        }

        boolean isOver() {
            return System.nanoTime() - sinceNanos > PENDING.toNanos();
        }

        void fail(String why) {
            done.completeExceptionally(new LoginException(why));
            if (clientSecret != null) {
                clientSecret.close();
            }
        }
    }

    /**
     * Finds out where to sign in, registers where that is needed, and waits for the browser from then on.
     *
     * @param clientId as the authorization server knows this gateway; null to register
     * @throws LoginException if it cannot begin
     */
    public Started begin(String server, URI endpoint, @Nullable String clientId) {
        forgetOver();
        Discovery.Found found = new Discovery(web).of(endpoint);
        AuthorizationServer at = found.server();
        Set<String> scopes = new LinkedHashSet<>(authorization(server, endpoint).alsoWanted());
        scopes.addAll(found.scopes());
        if (at.scopes().contains("offline_access")) {
            scopes.add("offline_access");
        }
        String back = redirect(server);
        Client client = clientId == null ? Client.register(web, at, scopes, back) : Client.named(clientId);
        String verifier = token();
        String state = token();
        Terms terms = new Terms(
                at.issuer(),
                found.resource(),
                at.token().toString(),
                at.revocation() == null ? "" : at.revocation().toString(),
                client.id(),
                client.authentication(),
                String.join(" ", scopes),
                0);
        Pending waiting = new Pending(server, at, terms, client.secret(), verifier);
        pending.put(state, waiting);
        Map<String, String> query = new LinkedHashMap<>();
        query.put("response_type", "code");
        query.put("client_id", client.id());
        query.put("redirect_uri", back);
        query.put("state", state);
        query.put("code_challenge", challenge(verifier));
        query.put("code_challenge_method", "S256");
        query.put("resource", found.resource());
        if (!scopes.isEmpty()) {
            query.put("scope", terms.scope());
        }
        return new Started(withQuery(at.authorization(), query), waiting.done);
    }

    /**
     * Where the browser is sent back to for a server. Each has an address of its own (RFC 9700, section 4.4.2): so an
     * authorization server cannot send the browser on to another one and have the code that comes of it.
     */
    private String redirect(String server) {
        return redirect + "/"
                + URLEncoder.encode(server, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /**
     * The browser came back. Whatever is wrong with it is said to whoever waits for the login, and by the exception.
     *
     * @param server the name at the end of the address it came to
     * @param parameter the redirect's query parameters by name
     * @throws LoginException if nothing came of it
     */
    public void complete(String server, Function<String, @Nullable String> parameter) {
        String state = parameter.apply("state");
        Pending waiting = state == null ? null : pending.remove(state);
        if (waiting == null || waiting.isOver()) {
            throw new LoginException("no login waits for this: begin again with 'postern server login'");
        }
        try {
            if (!waiting.server.equals(server)) {
                throw new LoginException(ELSEWHERE);
            }
            waiting.done.complete(complete(waiting, parameter));
        } catch (LoginException e) {
            waiting.fail(String.valueOf(e.getMessage()));
            throw e;
        } catch (RuntimeException e) {
            // Its text may quote what was received.
            waiting.fail("what came of the login could not be kept");
            throw e;
        }
    }

    private Status complete(Pending waiting, Function<String, @Nullable String> parameter) {
        String issuer = parameter.apply("iss");
        // RFC 9207: an answer of another server must not get at the code, nor its error at our attention.
        if (issuer == null ? waiting.at.sendsIssuer() : !issuer.equals(waiting.at.issuer())) {
            throw new LoginException(ELSEWHERE);
        }
        String code = parameter.apply("code");
        if (parameter.apply("error") != null || code == null) {
            throw new LoginException("the authorization server refused, or the login was cancelled there");
        }
        try (Login login = new TokenRequest()
                .with("grant_type", "authorization_code")
                .with("code", code)
                .with("redirect_uri", redirect(waiting.server))
                .with("code_verifier", waiting.verifier)
                .with("resource", waiting.terms.resource())
                .send(web, waiting.terms, waiting.clientSecret, null, clock)) {
            kept.save(waiting.server, login);
            ServerAuthorization open = authorizations.get(waiting.server);
            if (open != null) {
                open.satisfied();
            }
            return status(login, false);
        } finally {
            if (waiting.clientSecret != null) {
                waiting.clientSecret.close();
            }
        }
    }

    /** The credential of a server that has none in its configuration. There need not be a login yet. */
    public Authorization credential(String server, URI endpoint) {
        return authorization(server, endpoint);
    }

    private ServerAuthorization authorization(String server, URI endpoint) {
        return authorizations.compute(
                server,
                (name, known) -> known != null && known.endpoint().equals(endpoint)
                        ? known
                        : new ServerAuthorization(server, endpoint, kept, clock));
    }

    /** How things stand; empty where nobody signed in. */
    public Optional<Status> status(String server) {
        ServerAuthorization open = authorizations.get(server);
        boolean refused = open != null && open.isUnsatisfied();
        return kept.find(server).map(login -> {
            try (login) {
                return status(login, refused);
            }
        });
    }

    private static Status status(Login login, boolean refused) {
        Terms terms = login.terms();
        return new Status(terms.issuer(), terms.scope(), terms.expiresAt(), login.refreshToken() != null, refused);
    }

    /**
     * Forgets a login, and gives its tokens back where its authorization server takes them.
     *
     * @return false if there was none
     */
    public boolean remove(String server) {
        authorizations.remove(server);
        return kept.remove(server);
    }

    private void forgetOver() {
        pending.forEach((state, waiting) -> {
            if ((waiting.isOver() || pending.size() > MAX_PENDING) && pending.remove(state, waiting)) {
                waiting.fail("the login was not finished in time");
            }
        });
    }

    private String token() {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String challenge(String verifier) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static URI withQuery(URI address, Map<String, String> parameters) {
        StringBuilder url = new StringBuilder(address.toString());
        char joint = address.getRawQuery() == null ? '?' : '&';
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            url.append(joint)
                    .append(parameter.getKey())
                    .append('=')
                    .append(URLEncoder.encode(parameter.getValue(), StandardCharsets.UTF_8));
            joint = '&';
        }
        return URI.create(url.toString());
    }

    @Override
    public void close() {
        pending.values().forEach(waiting -> waiting.fail("the gateway is stopping"));
        pending.clear();
        web.close();
    }
}
