package dev.postern.web.auth;

import dev.postern.gate.agent.Role;
import dev.postern.gate.person.Person;
import dev.postern.gate.person.PersonStore;
import dev.postern.secret.SecretValue;
import dev.postern.store.crypto.PassphraseHash;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * The people of one installation: the operator, who is made on the first start, and whoever an administrator invites. The
 * one place where passphrases are set and tried, for the browser and the command line alike. Thread-safe.
 */
public final class People {
    /** How long the link of a first start, or of {@code postern portal --link}, works. */
    public static final Duration LINK_LIFETIME = Duration.ofHours(1);

    /** How long an invitation works. */
    public static final Duration INVITATION_LIFETIME = Duration.ofHours(24);

    /** The fewest characters of a passphrase. */
    public static final int LEAST_CHARACTERS = 10;

    private static final int MOST_BYTES = 1024;
    private static final int MOST_AT_ONCE = 4;

    private final PersonStore store;
    private final InstantSource clock;
    private final Attempts attempts;
    private final Semaphore trying = new Semaphore(MOST_AT_ONCE);

    public People(PersonStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
        this.attempts = new Attempts(clock);
    }

    public List<Person> list() {
        return store.list();
    }

    public Optional<Person> find(String id) {
        return store.find(id);
    }

    public Optional<Person> named(String name) {
        return store.named(name);
    }

    /** Whoever runs Postern on this machine; made where nobody is there yet. */
    public synchronized Person operator() {
        return store.named(Person.OPERATOR).orElseGet(() -> store.add(Person.OPERATOR, Role.ADMIN, Person.OPERATOR));
    }

    /** Whether the command line has to show a passphrase too. */
    public boolean operatorHasPassphrase() {
        return store.named(Person.OPERATOR).map(Person::hasPassphrase).orElse(false);
    }

    /**
     * Invites somebody.
     *
     * @return the path of a link that signs them in once
     * @throws IllegalArgumentException if the name is taken
     */
    public Invitation invite(String name, Role role, String by) {
        Person person = store.add(name, role, by);
        return new Invitation(person, link(person, by, INVITATION_LIFETIME));
    }

    /** Somebody new, and the path of the link to give them. */
    public record Invitation(Person person, String path) {
        @Override
        public String toString() {
            return "Invitation[" + person.id() + "]";
        }
    }

    /** The path of a link that signs a person in once; an earlier one of theirs stops working. */
    public String link(Person person, String by, Duration lifetime) {
        String token = Tokens.random();
        store.addLink(Tokens.hash(token), person.id(), clock.instant().plus(lifetime), by);
        return SignInRoutes.LINK + token;
    }

    /** Whom a link would sign in; nothing is spent. */
    Optional<Person> linkOwner(String token) {
        return store.linkOwner(Tokens.hash(token), clock.instant());
    }

    /** Spends a link. */
    Optional<Person> claimLink(String token) {
        return store.claimLink(Tokens.hash(token), clock.instant());
    }

    /**
     * Gives somebody another role, at once.
     *
     * @throws IllegalArgumentException if nobody would be left who administers
     */
    public boolean changeRole(String id, Role role, String by) {
        return store.changeRole(id, role, by);
    }

    /**
     * Removes somebody, with their sessions.
     *
     * @throws IllegalArgumentException if nobody would be left who administers
     */
    public boolean remove(String id, String by) {
        return store.remove(id, by);
    }

    /** Tries a passphrase: the same work whether or not there is such a person. */
    public Verdict verify(String name, SecretValue passphrase) {
        String key = name.toLowerCase(Locale.ROOT);
        Duration wait = attempts.waitFor(key);
        if (!wait.isZero()) {
            return new Verdict.Wait(wait);
        }
        if (!trying.tryAcquire()) {
            return new Verdict.Wait(Duration.ofSeconds(1));
        }
        try {
            Optional<Person> person = store.named(name);
            Optional<String> hash = person.flatMap(found -> store.passphraseHash(found.id()));
            boolean right = passphrase.length() <= MOST_BYTES
                    && (hash.isPresent()
                            ? PassphraseHash.matches(hash.get(), passphrase)
                            : PassphraseHash.matchesNobody(passphrase));
            if (right && person.isPresent()) {
                attempts.succeeded(key);
                return new Verdict.Right(person.get());
            }
            attempts.failed(key);
            return new Verdict.Wrong();
        } finally {
            trying.release();
        }
    }

    /**
     * Sets a passphrase.
     *
     * @throws IllegalArgumentException if it is too short or too long; says how long it has to be
     */
    public void setPassphrase(Person person, SecretValue passphrase, String by) {
        check(passphrase);
        store.setPassphraseHash(person.id(), PassphraseHash.of(passphrase), by);
        attempts.succeeded(person.name().toLowerCase(Locale.ROOT));
    }

    static void check(SecretValue passphrase) {
        if (passphrase.characters() < LEAST_CHARACTERS || passphrase.length() > MOST_BYTES) {
            throw new IllegalArgumentException("A passphrase has at least " + LEAST_CHARACTERS
                    + " characters and at most " + MOST_BYTES + " bytes; a few words are easy to keep in mind.");
        }
    }

    void signedIn(Person person) {
        store.signedIn(person.id(), clock.instant());
    }
}
