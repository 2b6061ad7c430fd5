package dev.postern.gate.person;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Passkeys, and the challenges that were answered with one. */
public interface PasskeyStore {
    /** How many passkeys a person can have. */
    int MOST_OF_ONE_PERSON = 20;

    /** A person's, in the order they were added. */
    List<Passkey> of(String person);

    /** The one with an authenticator's id. */
    Optional<Passkey> find(String credential);

    /** Whether anybody has one for a host name. */
    boolean isAnyFor(String relyingParty);

    /**
     * Adds one, in its person's name.
     *
     * @throws IllegalArgumentException if its credential is there already, or the person has too many
     */
    void add(Passkey passkey);

    /** Removes one of a person's, in their name. */
    boolean remove(String id, String person);

    /**
     * It signed: notes the moment and the authenticator's count.
     *
     * @return false if it is gone, or if a signature with this count or a later one was noted before
     */
    boolean used(String id, long signatures, Instant at);

    /**
     * Spends a challenge: of any number of tries at most one succeeds.
     *
     * @param lapses when its answers are no longer taken, so that it need not be remembered
     */
    boolean spendChallenge(byte[] hash, Instant lapses, Instant now);
}
