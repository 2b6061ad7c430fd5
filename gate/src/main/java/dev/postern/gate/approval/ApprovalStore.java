package dev.postern.gate.approval;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
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

    /** How many are pending and not over at this time. */
    int pendingAt(Instant now);

    /** What people decided about taking this secret to this tool, newest first; expired and cancelled requests are none. */
    List<PastDecision> decisions(String server, String tool, UUID secret, int limit);

    /** Whether a person ever let this secret's field go to this tool; with a destination, whether there. */
    boolean wasGranted(String server, String tool, UUID secret, String field, @Nullable String destination);

    /** The last ones that are no longer pending, newest first. */
    List<Approval> recent(int count);

    /** PENDING to a decided state; false if it was no longer pending. */
    boolean decide(String id, Approval.State to, @Nullable String decidedBy, @Nullable String note, Instant at);

    /** A decided state to seen: GRANTED becomes USED, others are marked seen. False if another call was first. */
    boolean collect(String id, Instant at);

    /** Their agents were told that these wait for a person, and may come back for them after this process, too (P7). */
    void told(Collection<String> ids, Instant at);

    /** Cancels what is pending and nobody was told of; returns how many. */
    int endUntold(Instant at);
}
