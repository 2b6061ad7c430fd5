package dev.postern.gate.approval;

import static java.util.Objects.requireNonNull;

import dev.postern.gate.approval.Approval.Risk;
import dev.postern.gate.approval.Approval.State;
import dev.postern.gate.call.Cancellation;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Patience;
import dev.postern.gate.call.Refusal;
import dev.postern.gate.call.RefusedException;
import dev.postern.gate.call.ToolCall;
import dev.postern.gate.grant.GrantStore;
import dev.postern.gate.grant.GrantStore.Grant;
import dev.postern.gate.grant.GrantStore.Scope;
import dev.postern.gate.scrub.ChokePoint;
import dev.postern.gate.vault.Resolved;
import dev.postern.gate.vault.SecretUse;
import dev.postern.reference.Field;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Step 8: asks the operator, unless a live grant covers exactly this (P2, P4, P5, P7).
 *
 * <p>The store decides every race: a decision is a conditional write, and so is collecting it. This class only waits. The
 * same call sent again finds the approval by its fingerprint and joins it; a decision nobody was there to hear is kept
 * for the agent until it lapses, so that a denial is seen and not asked again.
 */
public final class Approvals {
    private final ApprovalStore store;
    private final GrantStore grants;
    private final ChokePoint chokePoint;
    private final ApprovalSettings settings;
    private final InstantSource clock;
    private final Waiters waiters = new Waiters();
    private final SecureRandom random = new SecureRandom();
    private final List<Consumer<Approval>> listeners = new CopyOnWriteArrayList<>();

    public Approvals(
            ApprovalStore store,
            GrantStore grants,
            ChokePoint chokePoint,
            ApprovalSettings settings,
            InstantSource clock) {
        this.store = store;
        this.grants = grants;
        this.chokePoint = chokePoint;
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * Waits for a person where one must be asked.
     *
     * @throws RefusedException {@code DENIED}, {@code APPROVAL_EXPIRED}, {@code APPROVAL_PENDING}, {@code QUEUE_FULL} or
     *     {@code CANCELLED}
     */
    public Approved obtain(Resolved resolved) {
        if (!resolved.mustAsk()) {
            return new Approved(resolved, null, List.of());
        }
        if (resolved.bearsSecrets()) {
            Optional<List<String>> used = grants.claim(scopes(resolved), clock.instant());
            if (used.isPresent()) {
                return new Approved(resolved, "grant:" + String.join(",", used.get()), used.get());
            }
        }
        String fingerprint = CallDigest.fingerprint(resolved);
        Instant holdUntil = clock.instant().plus(resolved.call().patience().hold());
        while (true) {
            Approval approval = join(fingerprint).orElseGet(() -> ask(resolved, fingerprint));
            Approval decided = await(approval, resolved.call(), holdUntil);
            if (store.collect(decided.id(), clock.instant())) {
                return conclude(resolved, decided);
            }
            // Another call with the same arguments was first to collect: this one needs an approval of its own (P5).
        }
    }

    /** Requests that wait for a person, oldest first; those whose time is over are expired on the way. */
    public List<Approval> pending() {
        Instant now = clock.instant();
        List<Approval> pending = store.pending();
        for (Approval approval : pending) {
            if (!now.isBefore(approval.expires())) {
                expire(approval);
            }
        }
        return pending.stream().filter(a -> now.isBefore(a.expires())).toList();
    }

    /**
     * A person says yes, once; with terms, also for further calls of the same kind.
     *
     * @param by who, for the ledger
     * @return false if there is no such pending request (any more)
     */
    public boolean approve(String id, String by, @Nullable GrantTerms terms) {
        Optional<Approval> approval = store.find(id);
        Instant now = clock.instant();
        if (approval.isEmpty() || !now.isBefore(approval.get().expires())) {
            return false;
        }
        boolean decided = store.decide(id, State.GRANTED, by, null, now);
        if (decided && terms != null) {
            grant(approval.get(), by, terms, now);
        }
        announce(id);
        return decided;
    }

    /** A person says no; the note reaches the agent. False if there is no such pending request (any more). */
    public boolean deny(String id, String by, @Nullable String note) {
        boolean decided = store.decide(id, State.DENIED, by, note, clock.instant());
        announce(id);
        return decided;
    }

    public Optional<Approval> find(String id) {
        return store.find(id);
    }

    /** Calls {@code listener} whenever a request appears or is decided on this node. */
    public AutoCloseable listen(Consumer<Approval> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
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

    private Approval ask(Resolved resolved, String fingerprint) {
        ToolCall call = resolved.call();
        if (store.pendingOf(call.caller().agent()) >= settings.maxPendingPerAgent()) {
            throw new RefusedException(Refusal.of(
                    Disposition.QUEUE_FULL,
                    true,
                    "this agent already waits for " + settings.maxPendingPerAgent() + " approvals",
                    "Wait until some are decided and send the call again"));
        }
        byte[] nonceBytes = new byte[16];
        random.nextBytes(nonceBytes);
        String nonce = HexFormat.of().formatHex(nonceBytes);
        Instant now = clock.instant();
        Approval approval = new Approval(
                UUID.randomUUID().toString(),
                fingerprint,
                CallDigest.digest(fingerprint, nonce),
                nonce,
                call.caller().agent(),
                call.caller().name(),
                call.caller().user(),
                call.tool().server(),
                call.tool().tool(),
                chokePoint.cleanOwn(call.arguments().bytes(), call.caller().user()),
                resolved.uses().stream().map(Approvals::shown).distinct().toList(),
                resolved.destination(),
                resolved.uses().size() > 1 ? Risk.CRITICAL : Risk.HIGH,
                call.definitionHash(),
                resolved.judged().policyRevision(),
                now,
                now.plus(settings.timeout()),
                State.PENDING,
                null,
                null,
                null);
        store.insert(approval);
        announce(approval);
        return approval;
    }

    private Approval await(Approval asked, ToolCall call, Instant holdUntil) {
        Patience patience = call.patience();
        Waiters.Room room = waiters.enter(asked.id());
        boolean cancelled = false;
        try (Cancellation.Registration _ = patience.cancellation().onFire(room::wake)) {
            while (true) {
                long seen = room.changes();
                Approval now = store.find(asked.id()).orElseThrow();
                if (now.state() != State.PENDING) {
                    return now;
                }
                Instant instant = clock.instant();
                if (patience.cancellation().isFired()) {
                    cancelled = true;
                    throw new RefusedException(Refusal.of(
                            Disposition.CANCELLED,
                            true,
                            "the agent cancelled the call",
                            "Send it again if it is needed"));
                }
                if (!instant.isBefore(now.expires())) {
                    expire(now);
                    continue;
                }
                if (!instant.isBefore(holdUntil)) {
                    throw new RefusedException(pending(now));
                }
                room.await(seen, nextLook(patience, instant, now, holdUntil));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RefusedException(Refusal.of(
                    Disposition.CANCELLED, true, "the gateway is stopping", "Send the call again when it is back"));
        } finally {
            if (waiters.leave(asked.id(), room) && cancelled) {
                store.decide(asked.id(), State.CANCELLED, null, null, clock.instant());
                store.collect(asked.id(), clock.instant());
                announce(asked.id());
            }
        }
    }

    private Duration nextLook(Patience patience, Instant now, Approval approval, Instant holdUntil) {
        Duration remaining = Duration.between(now, approval.expires());
        Duration look = min(remaining, Duration.between(now, holdUntil));
        if (patience.heartbeat() == null) {
            return look;
        }
        patience.heartbeat().waiting(Duration.between(approval.created(), now), remaining);
        return min(look, settings.heartbeat());
    }

    private Approved conclude(Resolved resolved, Approval decided) {
        return switch (decided.state()) {
            case GRANTED ->
                new Approved(resolved, decided.decidedBy() == null ? "operator" : decided.decidedBy(), List.of());
            case DENIED ->
                throw new RefusedException(new Refusal(
                        Disposition.DENIED.name(),
                        Disposition.DENIED,
                        false,
                        "the operator denied this call"
                                + (decided.note() == null ? "" : ", with the note '" + decided.note() + "'"),
                        "Do not send it again unchanged; ask the operator why",
                        Map.of()));
            case EXPIRED ->
                throw new RefusedException(Refusal.of(
                        Disposition.APPROVAL_EXPIRED,
                        true,
                        "nobody decided within " + settings.timeout().toSeconds() + " s, which denies the call",
                        "Ask the operator to be ready and send the call again"));
            case CANCELLED, PENDING, USED -> throw new IllegalStateException("collected in state " + decided.state());
        };
    }

    private Refusal pending(Approval approval) {
        return new Refusal(
                Disposition.APPROVAL_PENDING.name(),
                Disposition.APPROVAL_PENDING,
                true,
                "a person has not decided yet; the request is open at " + settings.portal(),
                "Send the same call again: it joins the same request and runs once it is approved",
                Map.of(
                        "approval", approval.id(),
                        "portal", settings.portal(),
                        "expires_at", approval.expires().toString()));
    }

    private void expire(Approval approval) {
        store.decide(approval.id(), State.EXPIRED, null, null, clock.instant());
        announce(approval.id());
    }

    private void grant(Approval approval, String by, GrantTerms terms, Instant now) {
        for (Approval.SecretUse use : approval.secrets()) {
            grants.add(new Grant(
                    UUID.randomUUID().toString(),
                    scope(approval.agent(), approval.server() + "__" + approval.tool(), use, approval.destination()),
                    terms.lifetime() == null ? null : now.plus(terms.lifetime()),
                    terms.uses(),
                    now,
                    by,
                    null));
        }
    }

    private static List<Scope> scopes(Resolved resolved) {
        ToolCall call = resolved.call();
        return resolved.uses().stream()
                .map(Approvals::shown)
                .distinct()
                .map(use -> scope(call.caller().agent(), call.tool().toString(), use, resolved.destination()))
                .toList();
    }

    private static Scope scope(String agent, String tool, Approval.SecretUse use, String destination) {
        return new Scope(agent, tool, use.id(), requireNonNull(Field.labelled(use.field())), destination);
    }

    private static Approval.SecretUse shown(SecretUse use) {
        return new Approval.SecretUse(
                use.secret().id(),
                use.secret().name(),
                use.secret().website(),
                use.secret().username(),
                use.reference().field().label(),
                use.secret().version());
    }

    private void announce(String id) {
        store.find(id).ifPresent(this::announce);
    }

    private void announce(Approval approval) {
        waiters.wake(approval.id());
        listeners.forEach(listener -> listener.accept(approval));
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
