package dev.postern.mcp.login;

import dev.postern.mcp.client.Authorization;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import org.jspecify.annotations.Nullable;

/**
 * The access token of one server, renewed shortly before it expires and once when it is refused. Where the server wants a
 * scope that it does not have, the operator has to sign in again, and is then asked for that one too. Thread-safe; only requests
 * to the server wait for a renewal under way, a login does not.
 */
final class ServerAuthorization implements Authorization {
    private static final byte[] SCHEME = "Bearer ".getBytes(StandardCharsets.US_ASCII);
    private static final long EARLY_SECONDS = 30;

    private final String server;
    private final URI endpoint;
    private final KeptLogins logins;
    private final InstantSource clock;
    private final Set<String> wanted = new CopyOnWriteArraySet<>();
    private volatile boolean unsatisfied;

    ServerAuthorization(String server, URI endpoint, KeptLogins logins, InstantSource clock) {
        this.server = server;
        this.endpoint = endpoint;
        this.logins = logins;
        this.clock = clock;
    }

    URI endpoint() {
        return endpoint;
    }

    @Override
    public synchronized @Nullable SecretValue header() {
        Optional<Login> found = current();
        if (found.isEmpty()) {
            return null;
        }
        try (Login login = found.get()) {
            if (!expiresSoon(login)) {
                return header(login);
            }
            try (Login renewed = logins.renew(server, login)) {
                return header(renewed);
            } catch (LoginException e) {
                // The server may know better about the time, another node may have renewed it, or the operator signed
                // out.
                Optional<Login> now = current();
                if (now.isEmpty()) {
                    return null;
                }
                try (Login newest = now.get()) {
                    return header(newest);
                }
            }
        }
    }

    /** The login, if it is for this server as it is configured now. */
    private Optional<Login> current() {
        Optional<Login> found = logins.find(server);
        if (found.isPresent() && !Discovery.covers(found.get().terms().resource(), endpoint)) {
            found.get().close();
            return Optional.empty();
        }
        return found;
    }

    private boolean expiresSoon(Login login) {
        long expires = login.terms().expiresAt();
        return expires > 0
                && login.refreshToken() != null
                && clock.instant().getEpochSecond() > expires - EARLY_SECONDS;
    }

    private static SecretValue header(Login login) {
        byte[] token = login.accessToken().reveal(Reveal.TO_DELIVER);
        byte[] header = Arrays.copyOf(SCHEME, SCHEME.length + token.length);
        System.arraycopy(token, 0, header, SCHEME.length, token.length);
        try {
            return new SecretValue(header);
        } finally {
            Arrays.fill(token, (byte) 0);
            Arrays.fill(header, (byte) 0);
        }
    }

    @Override
    public synchronized boolean refused(int status, @Nullable String header, @Nullable SecretValue sent) {
        Challenge challenge = Challenge.of(header);
        if (status == 403 && !"insufficient_scope".equals(challenge.get("error"))) {
            return false;
        }
        if (sent != null && status == 401 && (isReplaced(sent) || renewed())) {
            return true;
        }
        String scope = challenge.get("scope");
        if (scope != null) {
            wanted.addAll(List.of(scope.strip().split(" +")));
        }
        unsatisfied = true;
        return false;
    }

    /** Whether another request, or another node, has got a newer token meanwhile. */
    private boolean isReplaced(SecretValue sent) {
        Optional<Login> found = current();
        if (found.isEmpty()) {
            return false;
        }
        try (Login login = found.get();
                SecretValue now = header(login)) {
            return !now.sameAs(sent);
        }
    }

    private boolean renewed() {
        Optional<Login> found = current();
        if (found.isEmpty()) {
            return false;
        }
        try (Login login = found.get()) {
            try (Login renewed = logins.renew(server, login)) {
                return true;
            } catch (LoginException e) {
                // A refresh token may be good once, and another node may have used it.
                try (SecretValue used = header(login)) {
                    return isReplaced(used);
                }
            }
        }
    }

    /** What to ask for at the next login: what was granted before, and what the server said was missing (step-up). */
    Set<String> alsoWanted() {
        if (wanted.isEmpty()) {
            return Set.of();
        }
        Set<String> scopes = new LinkedHashSet<>();
        current().ifPresent(login -> {
            try (login) {
                String granted = login.terms().scope();
                if (!granted.isBlank()) {
                    scopes.addAll(List.of(granted.split(" ")));
                }
            }
        });
        scopes.addAll(wanted);
        return scopes;
    }

    void satisfied() {
        unsatisfied = false;
        wanted.clear();
    }

    boolean isUnsatisfied() {
        return unsatisfied;
    }

    @Override
    public String remedy() {
        return "the operator signs in with 'postern server login " + server + "'";
    }
}
