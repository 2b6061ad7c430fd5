package dev.postern.gate.person;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Open sessions. A session that is ended is gone: no token opens it again. */
public interface SessionStore {
    /** Opens one. */
    void open(Session session, byte[] tokenHash);

    /** The session whose token has this hash. */
    Optional<Session> find(byte[] tokenHash);

    /** Every session of a person, the latest first. */
    List<Session> of(String person);

    /** It was used at this moment. */
    void used(String session, Instant at);

    /** Its person proved at this moment that it is them. */
    void confirmed(String session, Instant at);

    /** Ends it; false if it was ended before. */
    boolean end(String session);

    /** Ends all of a person's but one. */
    void endOthers(String person, String kept);

    /** Removes sessions opened or last used before these moments. */
    void purge(Instant openedBefore, Instant usedBefore);
}
