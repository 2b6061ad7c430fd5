package dev.postern.gate.approval;

import dev.postern.gate.call.ToolCall;
import dev.postern.gate.vault.Resolved;
import org.jspecify.annotations.Nullable;

/** An approved call that still stands as it was approved, at the last moment before its values are opened. Made by {@link ConfirmStep} only. */
public final class Confirmed {
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

    /** Names the approved call, so that a further round of it can be told; empty where nothing had to be approved (P7). */
    public String fingerprint() {
        return approved.resolved().mustAsk() ? CallDigest.fingerprint(approved.resolved()) : "";
    }
}
