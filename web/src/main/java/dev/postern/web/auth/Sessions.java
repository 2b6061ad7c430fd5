package dev.postern.web.auth;

import dev.postern.gate.person.Person;
import dev.postern.gate.person.Session;
import dev.postern.gate.person.SessionStore;
import dev.postern.web.http.Identity;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Sessions of browsers, and the cookie that carries one. Thread-safe. */
public final class Sessions {
    /** A session nobody used for so long is over. */
    public static final Duration IDLE = Duration.ofMinutes(30);

    /** No session lasts longer. */
    public static final Duration ABSOLUTE = Duration.ofHours(12);

    /** For so long after a passphrase was given, or a passkey used, it is not asked for again. */
    public static final Duration CONFIRMED = Duration.ofMinutes(5);

    private static final Duration NOTED_AFTER = Duration.ofSeconds(30);

    private final SessionStore store;
    private final People people;
    private final InstantSource clock;

    public Sessions(SessionStore store, People people, InstantSource clock) {
        this.store = store;
        this.people = people;
        this.clock = clock;
    }

    /**
     * Signs somebody in: ends the session the browser had and opens one with a new token.
     *
     * @param confirmed whether they just gave their passphrase or used a passkey
     * @return the reply with the new cookie
     */
    Reply open(Request request, Person person, boolean confirmed, Reply reply) {
        end(request);
        Instant now = clock.instant();
        store.purge(now.minus(ABSOLUTE), now.minus(IDLE));
        String token = Tokens.random();
        Session session = new Session(UUID.randomUUID().toString(), person.id(), now, now, confirmed ? now : null);
        store.open(session, Tokens.hash(token));
        people.signedIn(person);
        return reply.with("Set-Cookie", cookie(request, token, ABSOLUTE));
    }

    /** Signs out: ends the session, and asks the browser to forget its cookie and what it kept. */
    Reply close(Request request, Reply reply) {
        end(request);
        return reply.with("Set-Cookie", cookie(request, "", Duration.ZERO)).with("Clear-Site-Data", "\"cache\"");
    }

    private void end(Request request) {
        @Nullable String token = request.cookie(cookieName(request));
        if (token != null) {
            store.find(Tokens.hash(token)).ifPresent(session -> store.end(session.id()));
        }
    }

    /** Who a request's cookie stands for. */
    Identity identify(Request request, boolean active) {
        @Nullable String token = request.cookie(cookieName(request));
        if (token == null || token.isEmpty()) {
            return Identity.NOBODY;
        }
        Optional<Session> session = store.find(Tokens.hash(token)).filter(this::isOpen);
        Optional<Person> person = session.flatMap(found -> people.find(found.person()));
        if (person.isEmpty()) {
            return Identity.NOBODY;
        }
        Instant now = clock.instant();
        if (active && session.get().lastUsed().plus(NOTED_AFTER).isBefore(now)) {
            store.used(session.get().id(), now);
        }
        return new Identity.Person(
                person.get().id(),
                person.get().name(),
                person.get().role(),
                session.get().id(),
                Tokens.formToken(token),
                isConfirmed(person.get(), session.get(), now));
    }

    /** Somebody who has neither passphrase nor passkey cannot be asked for it. */
    private static boolean isConfirmed(Person person, Session session, Instant now) {
        @Nullable Instant confirmed = session.confirmed();
        return !person.canProve() || (confirmed != null && now.isBefore(confirmed.plus(CONFIRMED)));
    }

    boolean isLive(Identity.Person person) {
        return store.of(person.id()).stream()
                        .anyMatch(session -> session.id().equals(person.session()) && isOpen(session))
                && people.find(person.id())
                        .filter(found -> found.role() == person.role())
                        .isPresent();
    }

    private boolean isOpen(Session session) {
        Instant now = clock.instant();
        return now.isBefore(session.opened().plus(ABSOLUTE))
                && now.isBefore(session.lastUsed().plus(IDLE));
    }

    /** They gave their passphrase, or used a passkey, again. */
    void confirm(Identity.Person person) {
        store.confirmed(person.session(), clock.instant());
    }

    /** The open sessions of a person, the latest first. */
    public List<Session> of(String person) {
        return store.of(person).stream().filter(this::isOpen).toList();
    }

    /** Ends all sessions of a person but one. */
    public void endOthers(String person, String kept) {
        store.endOthers(person, kept);
    }

    /** Cookies know no ports, so the name does; over TLS the prefix has browsers hold it to this host. */
    private static String cookieName(Request request) {
        return request.isSecure() ? "__Host-postern" : "postern_" + request.port();
    }

    private static String cookie(Request request, String value, Duration age) {
        return cookieName(request) + "=" + value + "; Path=/; Max-Age=" + age.toSeconds()
                + "; HttpOnly; SameSite=Strict" + (request.isSecure() ? "; Secure" : "");
    }
}
