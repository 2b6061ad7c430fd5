package dev.postern.gate.person;

import dev.postern.gate.agent.Role;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who can sign in.
 *
 * @param name unique among those who are not removed; what the ledger and the record of acts say
 * @param hasPassphrase whether one was ever set
 * @param createdBy who invited them
 */
public record Person(
        String id,
        String name,
        Role role,
        boolean hasPassphrase,
        Instant created,
        String createdBy,
        @Nullable Instant lastSignIn) {
    /** The name of whoever runs Postern on this machine, and of what the command line does. */
    public static final String OPERATOR = "operator";
}
