package dev.postern.mcp.login;

import dev.postern.gate.vault.ServerLogins;
import dev.postern.secret.SecretValue;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logins that are kept, by server: found, renewed and given back. What a renewal brings replaces only what was renewed, so
 * that it undoes neither a sign-out nor a new login that came meanwhile. Thread-safe.
 */
final class KeptLogins {
    private static final Logger LOG = LoggerFactory.getLogger(KeptLogins.class);

    /** Another node may have signed in meanwhile; until then each request of a server without a login would ask the store. */
    private static final Duration ABSENCE = Duration.ofSeconds(2);

    private final ServerLogins store;
    private final Web web;
    private final Logins.Seen seen;
    private final InstantSource clock;
    private final Map<String, Long> absentNanos = new ConcurrentHashMap<>();

    /** @param seen hears of each access token before it is used */
    KeptLogins(ServerLogins store, Web web, Logins.Seen seen, InstantSource clock) {
        this.store = store;
        this.web = web;
        this.seen = seen;
        this.clock = clock;
    }

    /** Keeps a login in the place of the one before. */
    synchronized void save(String server, Login login) {
        tell(server, login);
        try (SecretValue sealed = login.sealed()) {
            store.save(server, sealed);
        }
        absentNanos.remove(server);
    }

    /** What is kept for a server; the caller closes it. */
    Optional<Login> find(String server) {
        Long absent = absentNanos.get(server);
        if (absent != null && System.nanoTime() - absent < ABSENCE.toNanos()) {
            return Optional.empty();
        }
        Optional<Login> found = read(server);
        found.ifPresentOrElse(login -> tell(server, login), () -> absentNanos.put(server, System.nanoTime()));
        return found;
    }

    private void tell(String server, Login login) {
        long expires = login.terms().expiresAt();
        seen.token(server, login.accessToken(), expires == 0 ? null : Instant.ofEpochSecond(expires));
    }

    private Optional<Login> read(String server) {
        return store.find(server).map(kept -> {
            try (kept) {
                return Login.of(kept);
            }
        });
    }

    /**
     * Asks for a new access token and keeps it.
     *
     * @throws LoginException if none was given, or the login is not the one that is kept any more
     */
    Login renew(String server, Login old) {
        SecretValue refresh = old.refreshToken();
        if (refresh == null) {
            throw new LoginException("the login is over and cannot be renewed");
        }
        Login renewed = new TokenRequest()
                .with("grant_type", "refresh_token")
                .with("refresh_token", refresh)
                .with("resource", old.terms().resource())
                .send(web, old.terms(), old.clientSecret(), refresh, clock);
        if (replace(server, old, renewed)) {
            return renewed;
        }
        try (renewed) {
            Optional<Login> now = read(server);
            now.ifPresent(Login::close);
            if (now.isEmpty()) { // where there is another login, giving this back could end that one, too
                giveBack(server, renewed);
            }
        }
        throw new LoginException("the login was ended or replaced while it was renewed");
    }

    private synchronized boolean replace(String server, Login old, Login renewed) {
        Optional<Login> now = read(server);
        boolean isKept = now.isPresent() && now.get().accessToken().sameAs(old.accessToken());
        now.ifPresent(Login::close);
        if (isKept) {
            save(server, renewed);
        }
        return isKept;
    }

    /**
     * Forgets a login, and gives its tokens back where its authorization server takes them.
     *
     * @return false if there was none
     */
    boolean remove(String server) {
        Optional<Login> found;
        boolean removed;
        synchronized (this) {
            found = find(server);
            removed = store.remove(server);
        }
        found.ifPresent(login -> {
            try (login) {
                giveBack(server, login);
            }
        });
        return removed;
    }

    /** The token that lasts longer; what was issued by it goes with it. */
    private void giveBack(String server, Login login) {
        if (login.terms().revocationEndpoint().isEmpty()) {
            return;
        }
        SecretValue refresh = login.refreshToken();
        try {
            new TokenRequest()
                    .with("token", refresh == null ? login.accessToken() : refresh)
                    .with("token_type_hint", refresh == null ? "access_token" : "refresh_token")
                    .revoke(web, login.terms(), login.clientSecret());
        } catch (LoginException e) {
            LOG.warn("signed out of server '{}', but {}", server, e.getMessage());
        }
    }
}
