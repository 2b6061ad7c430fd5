package dev.postern.gate.vault;

import dev.postern.secret.SecretValue;
import java.util.Optional;

/**
 * What servers gave the gateway to come with: sealed like secrets and never among them. No reference names one, no list shows
 * one, no agent is told of one. A port; thread-safe.
 */
public interface ServerLogins {
    /** What is kept for a server; the caller closes it. */
    Optional<SecretValue> find(String server);

    /** Keeps it in the place of what was kept for that server before. The value stays the caller's. */
    void save(String server, SecretValue login);

    /** Forgets it; false if there was none. */
    boolean remove(String server);
}
