package dev.postern.gate.approval;

import dev.postern.gate.vault.Resolved;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call a person, or a grant a person made, let through; or one nobody needs to be asked about. Made by {@link Approvals} only. */
public final class Approved {
    private static final String BY_GRANT = "grant:";

    private final Resolved resolved;
    private final @Nullable String approver;
    private final @Nullable String approval;
    private final List<String> grants;

    private Approved(Resolved resolved, @Nullable String approver, @Nullable String approval, List<String> grants) {
        this.resolved = resolved;
        this.approver = approver;
        this.approval = approval;
        this.grants = List.copyOf(grants);
    }

    /** Nobody needs to be asked. */
    static Approved unasked(Resolved resolved) {
        return new Approved(resolved, null, null, List.of());
    }

    /**
     * Let through by whom {@link #approver()} named once: a person, or grants.
     *
     * @param approval the id of the approval that was collected; empty for grants
     */
    static Approved by(Resolved resolved, String approver, String approval) {
        List<String> grants = approver.startsWith(BY_GRANT)
                ? List.of(approver.substring(BY_GRANT.length()).split(",", -1))
                : List.of();
        return new Approved(resolved, approver, approval.isEmpty() ? null : approval, grants);
    }

    static Approved byGrants(Resolved resolved, List<String> grants) {
        return new Approved(resolved, BY_GRANT + String.join(",", grants), null, grants);
    }

    public Resolved resolved() {
        return resolved;
    }

    /** Who let it through, such as {@code operator} or {@code grant:<id>}; null where nobody was asked. */
    public @Nullable String approver() {
        return approver;
    }

    /** The id of the approval that was collected; null where nobody was asked or a grant stood for it. */
    public @Nullable String approval() {
        return approval;
    }

    /** The grants that were used; empty where a person was asked. */
    public List<String> grants() {
        return grants;
    }
}
