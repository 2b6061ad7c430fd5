package dev.postern.gate.approval;

import dev.postern.gate.call.ToolCall;
import dev.postern.gate.vault.Resolved;
import org.jspecify.annotations.Nullable;

/** An approved call that still stands as it was approved, at the last moment before its values are opened. Made by {@link ConfirmStep} only. */
public final class Confirmed {
    /** Stands between the two parts of a {@link #continuation()}. */
    static final String APPROVED_BY = " approved by ";

    private final Approved approved;

    Confirmed(Approved approved) {
        this.approved = approved;
    }

    public ToolCall call() {
        return approved.resolved().call();
    }

    public Resolved resolved() {
        return approved.resolved();
    }

    public boolean bearsSecrets() {
        return approved.resolved().bearsSecrets();
    }

    public @Nullable String approver() {
        return approved.approver();
    }

    /**
     * Names the approved call and who approved it, so that a further round of it can be told; empty where nothing had to be
     * approved (P7).
     */
    public String continuation() {
        String approver = approved.approver();
        return approver == null ? "" : CallDigest.fingerprint(approved.resolved()) + APPROVED_BY + approver;
    }
}
