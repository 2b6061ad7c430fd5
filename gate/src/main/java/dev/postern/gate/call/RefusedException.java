package dev.postern.gate.call;

/**
 * Ends a governed call early. Control flow inside the gate only: {@code GovernedCall} turns it into an
 * {@link Outcome.Refused}, so that the steps read top to bottom. Carries no stack.
 */
public final class RefusedException extends RuntimeException {
    private final Refusal refusal;

    public RefusedException(Refusal refusal) {
        super(refusal.code(), null, false, false);
        this.refusal = refusal;
    }

    public Refusal refusal() {
        return refusal;
    }
}
