package dev.postern.gate.policy;

import dev.postern.gate.call.ToolCall;
import dev.postern.gate.substitute.Referenced;

/** A call the policy lets through to the next step. Made by {@link PolicyStep} only. */
public final class Judged {
    private final Referenced referenced;
    private final long policyRevision;
    private final boolean ask;

    Judged(Referenced referenced, long policyRevision, boolean ask) {
        this.referenced = referenced;
        this.policyRevision = policyRevision;
        this.ask = ask;
    }

    public Referenced referenced() {
        return referenced;
    }

    public ToolCall call() {
        return referenced.call();
    }

    /** The revision that decided; bound into an approval (P5). */
    public long policyRevision() {
        return policyRevision;
    }

    /** Whether a rule wants a person asked even though the call bears no secret. */
    public boolean ask() {
        return ask;
    }
}
