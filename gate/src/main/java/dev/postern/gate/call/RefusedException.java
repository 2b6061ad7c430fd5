package dev.postern.gate.call;

import org.jspecify.annotations.Nullable;

/**
 * Ends a governed call early. Control flow inside the gate only: {@code GovernedCall} turns it into an
 * {@link Outcome.Refused}, so that the steps read top to bottom. Carries no stack.
 */
public final class RefusedException extends RuntimeException {
    private final Refusal refusal;
    private final @Nullable String decidedBy;

    public RefusedException(Refusal refusal) {
        this(refusal, null);
    }

    /** A refusal a person decided on; {@code decidedBy} is for the ledger, not for the agent. */
    public RefusedException(Refusal refusal, @Nullable String decidedBy) {
        super(refusal.code(), null, false, false);
        this.refusal = refusal;
        this.decidedBy = decidedBy;
    }

    public Refusal refusal() {
        return refusal;
    }

    /** Who decided; null where a rule did. */
    public @Nullable String decidedBy() {
        return decidedBy;
    }
}
