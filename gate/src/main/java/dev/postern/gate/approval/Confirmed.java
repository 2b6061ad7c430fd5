package dev.postern.gate.approval;

import dev.postern.gate.call.ToolCall;
import dev.postern.gate.vault.Resolved;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An approved call that still stands as it was approved, at the last moment before its values are opened. Made by {@link ConfirmStep} only. */
public final class Confirmed {
    /** Stand between the parts of a {@link #continuation()}. */
    private static final String APPROVED_AS = " approved as ";

    private static final String BY = " by ";

    private final Approved approved;

    Confirmed(Approved approved) {
        this.approved = approved;
    }

    /**
     * The approval of a call that is the same in every part that an approval binds as one that was approved, and that brings
     * the {@link #continuation()} of that one: by whom it was, it still is (P7).
     */
    static Optional<Approved> furtherRound(Resolved resolved) {
        String continues = resolved.call().continues();
        if (continues.isEmpty()) {
            return Optional.empty();
        }
        String approved = CallDigest.fingerprint(resolved) + APPROVED_AS;
        int by = continues.indexOf(BY, approved.length());
        return by >= 0 && continues.startsWith(approved)
                ? Optional.of(Approved.by(
                        resolved, continues.substring(by + BY.length()), continues.substring(approved.length(), by)))
                : Optional.empty();
    }

    /** The call. */
    public ToolCall call() {
        return approved.resolved().call();
    }

    /** The call with the secrets it names. */
    public Resolved resolved() {
        return approved.resolved();
    }

    /** Whether it names any. */
    public boolean bearsSecrets() {
        return approved.resolved().bearsSecrets();
    }

    /** Who approved it; null where nothing had to be approved. */
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
