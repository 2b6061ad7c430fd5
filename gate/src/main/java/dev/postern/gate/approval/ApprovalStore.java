package dev.postern.gate.approval;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Approvals at rest. Every change of state is a conditional write, so that an approval works once (P5). */
public interface ApprovalStore {
    void insert(Approval approval);

    Optional<Approval> find(String id);

    /** The newest approval of the same call that is pending, or decided and not yet seen by the agent. */
    Optional<Approval> unseen(String fingerprint);

    /** Pending ones, oldest first. */
    List<Approval> pending();

    int pendingOf(String agent);

    /** PENDING to a decided state; false if it was no longer pending. */
    boolean decide(String id, Approval.State to, @Nullable String decidedBy, @Nullable String note, Instant at);

    /** A decided state to seen: GRANTED becomes USED, others are marked seen. False if another call was first. */
    boolean collect(String id, Instant at);
}
