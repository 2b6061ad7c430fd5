package dev.postern.web.auth;

import dev.postern.gate.person.Person;
import dev.postern.gate.person.ProviderAccount;
import dev.postern.gate.person.Session;
import dev.postern.gate.person.SessionStore;
import dev.postern.web.http.Identity;
import dev.postern.web.http.Proof;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Sessions of browsers, and the cookie that carries one. Thread-safe. */
public final class Sessions {
    /** A session nobody used for so long is over. */
    public static final Duration IDLE = Duration.ofMinutes(30);

    /** No session lasts longer. */
    public static final Duration ABSOLUTE = Duration.ofHours(12);

    /** For so long after somebody proved that it is them, they are not asked again. */
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
        return open(request, person, confirmed, null, reply);
    }

    /** As above, for somebody who signed in with a provider's account: that is what they are asked for again. */
    Reply open(Request request, Person person, ProviderAccount account, Reply reply) {
        return open(request, person, false, account, reply);
    }

    private Reply open(
            Request request, Person person, boolean confirmed, @Nullable ProviderAccount account, Reply reply) {
        end(request);
        Instant now = clock.instant();
        store.purge(now.minus(ABSOLUTE), now.minus(IDLE));
        String token = Tokens.random();
        Session session =
                new Session(UUID.randomUUID().toString(), person.id(), now, now, confirmed ? now : null, account);
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
        Set<Proof> proofs = proofs(person.get(), session.get());
        return new Identity.Person(
                person.get().id(),
                person.get().name(),
                person.get().role(),
                session.get().id(),
                Tokens.formToken(token),
                proofs.isEmpty() || isConfirmed(session.get(), now),
                proofs);
    }

    /**
     * By what somebody can be asked to prove that it is them: what they keep here, or else the provider's account they came
     * with. Nobody with none of these can be asked.
     */
    private static Set<Proof> proofs(Person person, Session session) {
        Set<Proof> proofs = EnumSet.noneOf(Proof.class);
        if (person.hasPassphrase()) {
            proofs.add(Proof.PASSPHRASE);
        }
        if (person.hasPasskey()) {
            proofs.add(Proof.PASSKEY);
        }
        if (proofs.isEmpty() && session.account() != null) {
            proofs.add(Proof.OPENID);
        }
        return proofs;
    }

    private static boolean isConfirmed(Session session, Instant now) {
        @Nullable Instant confirmed = session.confirmed();
        return confirmed != null && now.isBefore(confirmed.plus(CONFIRMED));
    }

    /** The provider's account that somebody's session was opened with. */
    Optional<ProviderAccount> account(Identity.Person person) {
        return store.of(person.id()).stream()
                .filter(session -> session.id().equals(person.session()))
                .flatMap(session -> Optional.ofNullable(session.account()).stream())
                .findFirst();
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

    /** They gave their passphrase, used a passkey, or signed in at the provider, again. */
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
