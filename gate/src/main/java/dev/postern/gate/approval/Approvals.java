package dev.postern.gate.approval;

import dev.postern.gate.approval.Approval.State;
import dev.postern.gate.call.Cancellation;
import dev.postern.gate.call.Patience;
import dev.postern.gate.call.RefusedException;
import dev.postern.gate.definition.Pins;
import dev.postern.gate.grant.GrantStore;
import dev.postern.gate.listen.Listeners;
import dev.postern.gate.scrub.ChokePoint;
import dev.postern.gate.vault.Resolved;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Step 8: asks the operator, unless a live grant covers exactly this (P2, P4, P5, P7).
 *
 * <p>The store decides every race: a decision is a conditional write, and so is collecting it. This class only waits. The
 * same call sent again finds the approval by its fingerprint and joins it; a decision nobody was there to hear is kept
 * for the agent until it lapses, so that a denial is seen and not asked again. Thread-safe.
 */
public final class Approvals {
    private static final Logger log = LoggerFactory.getLogger(Approvals.class);

    private final ApprovalStore store;
    private final GrantStore grants;
    private final Requests requests;
    private final ApprovalSettings settings;
    private final InstantSource clock;
    private final Waiters waiters = new Waiters();
    private volatile boolean lettingGo;
    private final Object asking = new Object();
    private final Listeners<Approval> listeners = new Listeners<>("approvals");

    public Approvals(
            ApprovalStore store,
            GrantStore grants,
            ChokePoint chokePoint,
            Pins pins,
            ApprovalSettings settings,
            InstantSource clock) {
        this.store = store;
        this.grants = grants;
        this.requests = new Requests(chokePoint, new RiskAssessment(store, pins));
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * Waits for a person where one must be asked.
     *
     * @param beforeWaiting run before the call begins to wait, if it does
     * @throws RefusedException {@code DENIED}, {@code APPROVAL_EXPIRED}, {@code APPROVAL_PENDING}, {@code QUEUE_FULL} or
     *     {@code CANCELLED}
     */
    public Approved obtain(Resolved resolved, Runnable beforeWaiting) {
        if (!resolved.mustAsk()) {
            return Approved.unasked(resolved);
        }
        Optional<Approved> before = Confirmed.furtherRound(resolved);
        if (before.isPresent()) {
            return before.get();
        }
        if (resolved.bearsSecrets() && Resolved.isKnown(resolved.destination())) {
            Optional<List<String>> used = grants.claim(Requests.scopes(resolved), clock.instant());
            if (used.isPresent()) {
                return Approved.byGrants(resolved, used.get());
            }
        }
        return ask(resolved, beforeWaiting);
    }

    /**
     * Holds no call any longer: those that wait, and those that come, are told to come back. What they ask stays asked, also
     * over a restart (P7).
     */
    public void letGo() {
        lettingGo = true;
        store.told(
                waiters.awaited(), clock.instant()); // all in one: one by one, thousands would outlast the time to stop
        waiters.wakeAll();
    }

    private Approved ask(Resolved resolved, Runnable beforeWaiting) {
        String fingerprint = CallDigest.fingerprint(resolved);
        Instant holdUntil = clock.instant().plus(resolved.call().patience().hold());
        while (true) {
            String asked = joinOrRequest(resolved, fingerprint).id();
            Approval decided = await(asked, resolved.call().patience(), holdUntil, beforeWaiting);
            boolean first = store.collect(decided.id(), clock.instant());
            switch (decided.state()) {
                case GRANTED -> {
                    if (first) {
                        String by = decided.decidedBy();
                        return Approved.by(resolved, by == null ? "operator" : by, decided.id());
                    }
                }
                case DENIED -> throw new RefusedException(ApprovalRefusals.denied(decided), decided.decidedBy());
                case EXPIRED -> throw new RefusedException(ApprovalRefusals.expired(settings.timeout()));
                case CANCELLED, USED -> {}
                case PENDING -> throw new IllegalStateException("awaited, and still pending");
            }
            // The same call of another thread used it, or took it along when it was cancelled: this one needs an
            // approval of its own (P5). A denial or an expiry, though, holds for all who waited.
        }
    }

    /**
     * Ends, at the start, the requests of calls that were held when the process ended: their clients are gone, and were never told to
     * come back. Those that were told, find theirs as it was (P7).
     *
     * @return how many were ended
     */
    public int endAbandoned() {
        return store.endUntold(clock.instant());
    }

    /**
     * Requests that wait for a person, in {@link Rounds}, so that no agent that asks a lot pushes another's out of sight (P8). Those
     * whose time is over are expired on the way.
     */
    public List<Approval> pending() {
        return Rounds.of(store.pending().stream().filter(this::isOpen).toList());
    }

    /** How many requests wait for a person. */
    public int waiting() {
        return store.pendingAt(clock.instant());
    }

    /**
     * A person says yes, once; with terms, also for further calls of the same kind, unless their host is left open.
     *
     * @param by who, for the ledger
     * @return false if there is no such pending request (any more)
     */
    public boolean approve(String id, String by, @Nullable GrantTerms terms) {
        Optional<Approval> approval = store.find(id).filter(this::isOpen);
        Instant now = clock.instant();
        if (approval.isEmpty() || !store.decide(id, State.GRANTED, by, null, now)) {
            return false;
        }
        try {
            if (terms != null) {
                Requests.grants(approval.get(), by, terms, now).forEach(grants::add);
            }
        } finally {
            announce(id);
        }
        return true;
    }

    /** A person says no; the note reaches the agent. False if there is no such pending request (any more). */
    public boolean deny(String id, String by, @Nullable String note) {
        if (store.find(id).filter(this::isOpen).isEmpty()
                || !store.decide(id, State.DENIED, by, note, clock.instant())) {
            return false;
        }
        announce(id);
        return true;
    }

    /** The last requests that are over, newest first. */
    public List<Approval> recent(int count) {
        return store.recent(count);
    }

    /** A request, in whatever state it is. */
    public Optional<Approval> find(String id) {
        return store.find(id);
    }

    /** What people decided about the secrets of a request and its tool before, newest first; at most {@code limit}. */
    public List<PastDecision> decisionsBefore(Approval approval, int limit) {
        return approval.secrets().stream()
                .map(Approval.SecretUse::id)
                .distinct()
                .flatMap(secret -> store.decisions(approval.server(), approval.tool(), secret, limit).stream())
                .filter(decision -> !decision.approval().equals(approval.id()))
                .sorted(Comparator.comparing(PastDecision::decidedAt).reversed())
                .limit(limit)
                .toList();
    }

    /** Calls {@code listener} whenever a request appears or is decided on this node. */
    public Listeners.Registration listen(Consumer<Approval> listener) {
        return listeners.add(listener);
    }

    /** One request for the same call at a time, and no more requests than an agent may have open. */
    private Approval joinOrRequest(Resolved resolved, String fingerprint) {
        Optional<Approval> joined = join(fingerprint);
        if (joined.isPresent()) {
            return joined.get();
        }
        Approval request = requests.request(resolved, fingerprint, clock.instant(), settings.timeout());
        synchronized (asking) {
            joined = join(fingerprint);
            if (joined.isPresent()) {
                return joined.get();
            }
            int maxPending = Math.min(
                    settings.maxPendingPerAgent(),
                    resolved.judged().limits().pendingApprovals().orElse(Integer.MAX_VALUE));
            if (isFull(request.agent(), maxPending)) {
                throw new RefusedException(ApprovalRefusals.queueFull(maxPending));
            }
            store.insert(request);
        }
        announce(request);
        return request;
    }

    private Optional<Approval> join(String fingerprint) {
        Optional<Approval> found = store.unseen(fingerprint);
        Instant decidedAt = found.map(Approval::decidedAt).orElse(null);
        if (decidedAt != null && !clock.instant().isBefore(decidedAt.plus(settings.timeout()))) {
            store.collect(found.get().id(), clock.instant()); // lapsed: nobody came for it in time (P7)
            return Optional.empty();
        }
        return found;
    }

    private boolean isFull(String agent, int maxPending) {
        if (store.pendingOf(agent) < maxPending) {
            return false;
        }
        pending(); // expires those that only look open
        return store.pendingOf(agent) >= maxPending;
    }

    /** Holds nothing of the request but its id: thousands of calls may wait here for hours. */
    private Approval await(String asked, Patience patience, Instant holdUntil, Runnable beforeWaiting) {
        Waiters.Room room = waiters.enter(asked);
        boolean cancelled = false;
        try (Cancellation.Registration _ = patience.cancellation().onFire(room::wake)) {
            while (true) {
                long seen = room.changes();
                Look look = look(asked, patience, holdUntil);
                if (look.decided() != null) {
                    return look.decided();
                }
                cancelled = patience.cancellation().isFired();
                if (cancelled) {
                    throw new RefusedException(ApprovalRefusals.cancelled());
                }
                beforeWaiting.run();
                room.await(seen, look.next());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RefusedException(ApprovalRefusals.stopping());
        } finally {
            if (waiters.leave(asked, room) && cancelled) {
                decide(asked, State.CANCELLED);
            }
        }
    }

    /** The request once it is decided; else when to look again at the latest. */
    private record Look(@Nullable Approval decided, Duration next) {}

    private Look look(String asked, Patience patience, Instant holdUntil) {
        Approval now = store.find(asked).orElseThrow();
        if (now.state() != State.PENDING) {
            return new Look(now, Duration.ZERO);
        }
        if (patience.cancellation().isFired() || !isOpen(now)) {
            return new Look(null, Duration.ZERO);
        }
        Instant instant = clock.instant();
        if (lettingGo || !instant.isBefore(holdUntil)) {
            store.told(List.of(asked), instant);
            throw new RefusedException(ApprovalRefusals.pending(now, settings.portal()));
        }
        return new Look(null, nextLook(patience, instant, now, holdUntil));
    }

    private Duration nextLook(Patience patience, Instant now, Approval approval, Instant holdUntil) {
        Duration remaining = Duration.between(now, approval.expires());
        Duration look = min(remaining, Duration.between(now, holdUntil));
        if (patience.heartbeat() == null) {
            return look;
        }
        try {
            patience.heartbeat().waiting(Duration.between(approval.created(), now), remaining);
        } catch (RuntimeException e) {
            // A client that cannot be told still waits, or its cancellation will say that it does not.
            log.debug("no heartbeat for approval {}: {}", approval.id(), e.getClass());
        }
        return min(look, settings.heartbeat());
    }

    /** Whether a request still waits for a person; one whose time is over is expired on the way. */
    private boolean isOpen(Approval approval) {
        if (approval.state() != State.PENDING) {
            return false;
        }
        if (clock.instant().isBefore(approval.expires())) {
            return true;
        }
        decide(approval.id(), State.EXPIRED);
        return false;
    }

    private void decide(String id, State to) {
        store.decide(id, to, null, null, clock.instant());
        announce(id);
    }

    private void announce(String id) {
        store.find(id).ifPresent(this::announce);
    }

    private void announce(Approval approval) {
        waiters.wake(approval.id());
        listeners.announce(approval);
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
