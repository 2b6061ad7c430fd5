package dev.postern.gate.policy;

import dev.postern.gate.call.ToolCall;
import dev.postern.gate.substitute.Referenced;

/** A call the policy lets through to the next step. Made by {@link PolicyStep} only. */
public final class Judged {
    private final Referenced referenced;
    private final long policyRevision;
    private final boolean ask;
    private final Limits limits;

    Judged(Referenced referenced, long policyRevision, boolean ask, Limits limits) {
        this.referenced = referenced;
        this.policyRevision = policyRevision;
        this.ask = ask;
        this.limits = limits;
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

    /** The quotas that concern the call. */
    public Limits limits() {
        return limits;
    }

    /** Whether a rule wants a person asked even though the call bears no secret. */
    public boolean ask() {
        return ask;
    }
}
