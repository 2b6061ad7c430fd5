package dev.postern.gate.approval;

import dev.postern.gate.call.ToolCall;
import dev.postern.gate.vault.Resolved;
import org.jspecify.annotations.Nullable;

/** An approved call that still stands as it was approved, at the last moment before its values are opened. Made by {@link ConfirmStep} only. */
public final class Confirmed {
    /** Stand between the parts of a {@link #continuation()}. */
    static final String APPROVED_AS = " approved as ";

    static final String BY = " by ";

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
     * Names the approved call, its approval and who gave it, so that a further round of it can be told; empty where nothing had to be
     * approved (P7).
     */
    public String continuation() {
        String approver = approved.approver();
        String approval = approved.approval();
        return approver == null
                ? ""
                : CallDigest.fingerprint(approved.resolved())
                        + APPROVED_AS
                        + (approval == null ? "" : approval)
                        + BY
                        + approver;
    }
}
