package dev.postern.web.http;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.agent.Right;
import dev.postern.gate.agent.Role;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Who sent a request: exactly one of these (A1). */
public sealed interface Identity {
    /** Nobody we know. */
    Identity NOBODY = new Nobody();

    /** Whether the role of whoever this is has a right. */
    boolean may(Right right);

    /** No credential, or none that holds. */
    record Nobody() implements Identity {
        @Override
        public boolean may(Right right) {
            return false;
        }
    }

    /** An agent, by its key. */
    record Agent(Caller caller) implements Identity {
        @Override
        public boolean may(Right right) {
            return Role.AGENT.may(right);
        }
    }

    /**
     * A person, by the session of a browser.
     *
     * @param id stable; what stands in the database
     * @param name as the ledger and the record of acts name them
     * @param role what they may do
     * @param session the session's own id, which is no credential
     * @param token what a form or a script sends back to show that our page made the request
     * @param confirmed whether they proved just now that it is still them, as sensitive acts ask
     * @param proofs by what they can prove it
     */
    record Person(String id, String name, Role role, String session, String token, boolean confirmed, Set<Proof> proofs)
            implements Identity {
        public Person {
            proofs = Collections.unmodifiableSet(
                    proofs.isEmpty() ? EnumSet.noneOf(Proof.class) : EnumSet.copyOf(proofs));
        }

        /**
         * Goes on where they proved just now that it is them.
         *
         * @throws ProblemException 403 {@code CONFIRMATION_REQUIRED} otherwise, with the ways to do so
         */
        public void requireConfirmed() {
            if (!confirmed) {
                throw new ProblemException(
                        403,
                        "CONFIRMATION_REQUIRED",
                        "This is a sensitive act: confirm that it is you, then do it again.",
                        Map.of("confirm_with", confirmWith()));
            }
        }

        /** By what they can prove that it is them, and what a program posts to for it. */
        public Map<String, String> confirmWith() {
            Map<String, String> ways = new LinkedHashMap<>();
            proofs.forEach(proof -> ways.put(proof.label(), proof.path()));
            return ways;
        }

        @Override
        public boolean may(Right right) {
            return role.may(right);
        }

        @Override
        public String toString() {
            return "Person[" + id + " " + role + "]";
        }
    }
}
