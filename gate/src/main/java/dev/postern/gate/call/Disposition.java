package dev.postern.gate.call;

/** What became of a call, in the words of the contract. Stable: part of {@code _meta} and of the ledger. */
public enum Disposition {
    EXECUTED,
    SECRET_UNRESOLVED,
    SECRET_FORBIDDEN,
    POLICY_DENIED,
    DENIED,
    APPROVAL_EXPIRED,
    APPROVAL_PENDING,
    QUEUE_FULL,
    KILL_SWITCH,
    SCRUB_FAILED,
    TIMED_OUT,
    CANCELLED,
    FAILED
}
