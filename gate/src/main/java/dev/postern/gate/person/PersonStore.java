package dev.postern.gate.person;

import dev.postern.gate.agent.Role;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** People, the hashes of their passphrases, and one-time links that sign them in. Every write names who did it. */
public interface PersonStore {
    /** Everybody who is not removed, by name. */
    List<Person> list();

    Optional<Person> find(String id);

    Optional<Person> named(String name);

    /**
     * Adds somebody.
     *
     * @throws IllegalArgumentException if the name is taken or blank, or the role is none a person can have
     */
    Person add(String name, Role role, String by);

    /**
     * Gives somebody another role; open sessions have it at once.
     *
     * @throws IllegalArgumentException if nobody would be left who administers
     */
    boolean changeRole(String id, Role role, String by);

    /**
     * Removes somebody with their sessions and links.
     *
     * @throws IllegalArgumentException if nobody would be left who administers
     */
    boolean remove(String id, String by);

    /** The hash of a passphrase, in the notation of PHC strings; empty where none is set. */
    Optional<String> passphraseHash(String id);

    /** Sets or replaces a passphrase. */
    void setPassphraseHash(String id, String hash, String by);

    /** They signed in now. */
    void signedIn(String id, Instant at);

    /** Makes a link that signs somebody in once; an earlier one of theirs stops working. */
    void addLink(byte[] tokenHash, String person, Instant expires, String by);

    /** Whom a link would sign in; empty if it is spent, expired or never was. */
    Optional<Person> linkOwner(byte[] tokenHash, Instant now);

    /** Spends a link: of any number of tries at most one succeeds. */
    Optional<Person> claimLink(byte[] tokenHash, Instant now);
}
