package dev.postern.gate.testing;

import dev.postern.gate.approval.Approval;
import dev.postern.gate.approval.Approval.State;
import dev.postern.gate.approval.ApprovalStore;
import dev.postern.gate.approval.PastDecision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Approvals in memory. Says when one was inserted, and when somebody looks at one. */
public final class MemoryApprovals implements ApprovalStore {
    private final Map<String, Approval> byId = new LinkedHashMap<>();
    private final Map<String, List<String>> byFingerprint = new HashMap<>();
    private final Set<String> seen = new HashSet<>();
    private final Set<String> told = new HashSet<>();
    private final Map<String, Integer> pendingByAgent = new HashMap<>();
    private final BlockingQueue<Approval> inserted = new LinkedBlockingQueue<>();
    private final Semaphore events = new Semaphore(0);
    private int uses;
    private int inserts;
    private @Nullable Runnable onNextFind;
    private @Nullable Runnable onNextCollect;
    private @Nullable Runnable afterNextUnseen;

    @Override
    public synchronized void insert(Approval approval) {
        uses++;
        inserts++;
        byId.put(approval.id(), approval);
        byFingerprint
                .computeIfAbsent(approval.fingerprint(), ignored -> new ArrayList<>())
                .add(approval.id());
        pendingByAgent.merge(approval.agent(), 1, Integer::sum);
        inserted.add(approval);
        events.release();
    }

    @Override
    public Optional<Approval> find(String id) {
        Runnable hook;
        synchronized (this) {
            hook = onNextFind;
            onNextFind = null;
        }
        if (hook != null) {
            hook.run();
        }
        synchronized (this) {
            return Optional.ofNullable(byId.get(id));
        }
    }

    @Override
    public synchronized List<Approval> recent(int count) {
        return byId.values().stream()
                .filter(approval -> approval.state() != Approval.State.PENDING)
                .limit(count)
                .toList();
    }

    @Override
    public boolean collect(String id, Instant at) {
        Runnable hook;
        synchronized (this) {
            hook = onNextCollect;
            onNextCollect = null;
        }
        if (hook != null) {
            hook.run();
        }
        return collectNow(id);
    }

    @Override
    public Optional<Approval> unseen(String fingerprint) {
        Optional<Approval> found = unseenNow(fingerprint);
        Runnable hook;
        synchronized (this) {
            hook = afterNextUnseen;
            afterNextUnseen = null;
        }
        if (hook != null) {
            hook.run();
        }
        return found;
    }

    private synchronized Optional<Approval> unseenNow(String fingerprint) {
        uses++;
        return byFingerprint.getOrDefault(fingerprint, List.of()).reversed().stream()
                .filter(id -> !seen.contains(id))
                .map(byId::get)
                .findFirst();
    }

    @Override
    public synchronized List<Approval> pending() {
        return byId.values().stream().filter(a -> a.state() == State.PENDING).toList();
    }

    @Override
    public synchronized int pendingAt(Instant now) {
        return (int)
                pending().stream().filter(each -> now.isBefore(each.expires())).count();
    }

    @Override
    public synchronized int pendingOf(String agent) {
        return pendingByAgent.getOrDefault(agent, 0);
    }

    @Override
    public synchronized boolean decide(
            String id, State to, @Nullable String decidedBy, @Nullable String note, Instant at) {
        Approval approval = byId.get(id);
        if (approval == null || approval.state() != State.PENDING) {
            return false;
        }
        pendingByAgent.merge(approval.agent(), -1, Integer::sum);
        byId.put(id, approval.decided(to, decidedBy, note, at));
        return true;
    }

    @Override
    public synchronized List<PastDecision> decisions(String server, String tool, UUID secret, int limit) {
        List<PastDecision> decisions = new ArrayList<>();
        for (Approval approval : byId.values()) {
            String by = approval.decidedBy();
            Instant at = approval.decidedAt();
            for (Approval.SecretUse use : approval.secrets()) {
                if (by != null
                        && at != null
                        && isOf(approval, server, tool)
                        && use.id().equals(secret)) {
                    decisions.addFirst(new PastDecision(
                            approval.id(),
                            approval.agentName(),
                            secret,
                            use.field(),
                            approval.destination(),
                            approval.state() != State.DENIED,
                            by,
                            at,
                            approval.note()));
                }
            }
        }
        return decisions.stream().limit(limit).toList();
    }

    @Override
    public boolean wasGranted(String server, String tool, UUID secret, String field, @Nullable String destination) {
        return decisions(server, tool, secret, Integer.MAX_VALUE).stream()
                .anyMatch(decision -> decision.granted()
                        && decision.field().equals(field)
                        && (destination == null || decision.destination().equals(destination)));
    }

    private static boolean isOf(Approval approval, String server, String tool) {
        return approval.server().equals(server) && approval.tool().equals(tool);
    }

    private synchronized boolean collectNow(String id) {
        Approval approval = byId.get(id);
        if (approval == null || approval.state() == State.PENDING || !seen.add(id)) {
            return false;
        }
        if (approval.state() == State.GRANTED) {
            byId.put(id, approval.decided(State.USED, approval.decidedBy(), approval.note(), approval.decidedAt()));
        }
        return true;
    }

    @Override
    public synchronized void told(Collection<String> ids, Instant at) {
        told.addAll(ids);
    }

    @Override
    public int endUntold(Instant at) {
        List<String> untold = pending().stream()
                .map(Approval::id)
                .filter(id -> !told.contains(id))
                .toList();
        untold.forEach(id -> decide(id, State.CANCELLED, null, null, at));
        return untold.size();
    }

    /** The next request for a person, awaited. */
    public Approval awaitRequest() {
        try {
            Approval approval = inserted.poll(60, TimeUnit.SECONDS);
            if (approval == null) {
                throw new AssertionError("nobody was asked");
            }
            return approval;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits for a request, or for {@link #wakeAwaiting}. */
    public void awaitRequestOrWake() {
        try {
            if (!events.tryAcquire(60, TimeUnit.SECONDS)) {
                throw new AssertionError("nobody was asked");
            }
            events.drainPermits();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public void wakeAwaiting() {
        events.release();
    }

    /** Every approval there ever was, oldest first. */
    public synchronized List<Approval> all() {
        return List.copyOf(byId.values());
    }

    /** How often a call joined or asked: 0 means that no person was, or could have been, involved. */
    public synchronized int uses() {
        return uses;
    }

    public synchronized int inserts() {
        return inserts;
    }

    /** Runs once, just before the next look at an approval. */
    public synchronized void onNextFind(Runnable hook) {
        onNextFind = hook;
    }

    /** Runs once, just before the next decision is collected. */
    public synchronized void onNextCollect(Runnable hook) {
        onNextCollect = hook;
    }

    /** Runs once, just after the next look for a request to join, before its outcome is used. */
    public synchronized void afterNextUnseen(Runnable hook) {
        afterNextUnseen = hook;
    }
}
