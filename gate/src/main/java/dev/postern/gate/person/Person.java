package dev.postern.gate.person;

import dev.postern.gate.agent.Role;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who can sign in.
 *
 * @param name unique among those who are not removed; what the ledger and the record of acts say
 * @param hasPassphrase whether one was ever set
 * @param hasPasskey whether they have a passkey
 * @param createdBy who invited them
 */
public record Person(
        String id,
        String name,
        Role role,
        boolean hasPassphrase,
        boolean hasPasskey,
        Instant created,
        String createdBy,
        @Nullable Instant lastSignIn) {
    /** The name of whoever runs Postern on this machine, and of what the command line does. */
    public static final String OPERATOR = "operator";

    /** Whether they can be asked to prove that it is them. */
    public boolean canProve() {
        return hasPassphrase || hasPasskey;
    }
}
