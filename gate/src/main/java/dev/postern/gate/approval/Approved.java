package dev.postern.gate.approval;

import dev.postern.gate.vault.Resolved;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call a person, or a grant a person made, let through; or one nobody needs to be asked about. Made by {@link Approvals} only. */
public final class Approved {
    private final Resolved resolved;
    private final @Nullable String approver;
    private final List<String> grants;

    Approved(Resolved resolved, @Nullable String approver, List<String> grants) {
        this.resolved = resolved;
        this.approver = approver;
        this.grants = List.copyOf(grants);
    }

    public Resolved resolved() {
        return resolved;
    }

    /** Who let it through, such as {@code operator} or {@code grant:<id>}; null where nobody was asked. */
    public @Nullable String approver() {
        return approver;
    }

    /** The grants that were used; empty where a person was asked. */
    public List<String> grants() {
        return grants;
    }
}
