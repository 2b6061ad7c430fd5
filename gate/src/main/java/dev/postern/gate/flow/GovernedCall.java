package dev.postern.gate.flow;

import dev.postern.gate.approval.Approvals;
import dev.postern.gate.approval.Approved;
import dev.postern.gate.approval.ConfirmStep;
import dev.postern.gate.approval.Confirmed;
import dev.postern.gate.call.Outcome;
import dev.postern.gate.call.RefusedException;
import dev.postern.gate.call.RunningCalls;
import dev.postern.gate.call.ToolCall;
import dev.postern.gate.detect.ArgumentStep;
import dev.postern.gate.policy.Judged;
import dev.postern.gate.policy.PolicyStep;
import dev.postern.gate.policy.Quotas;
import dev.postern.gate.scrub.Cap;
import dev.postern.gate.scrub.Capped;
import dev.postern.gate.scrub.ChokePoint;
import dev.postern.gate.scrub.Raw;
import dev.postern.gate.scrub.Scrubbed;
import dev.postern.gate.substitute.Armed;
import dev.postern.gate.substitute.ReferenceStep;
import dev.postern.gate.substitute.Referenced;
import dev.postern.gate.substitute.SubstituteStep;
import dev.postern.gate.upstream.Upstream;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.gate.vault.ResolveStep;
import dev.postern.gate.vault.Resolved;
import dev.postern.scrub.ScrubFailedException;

/**
 * One tool call, governed: the steps of the contract (section 2), in its order. Each stage owns the type it returns and
 * nobody else can make one, so code that skips a step does not compile. Thread-safe; a call holds the thread it came on
 * for as long as it takes.
 */
public final class GovernedCall {
    private final Turns turns = new Turns();
    private final RunningCalls running;
    private final PolicyStep policy;
    private final Quotas quotas;
    private final ArgumentStep arguments;
    private final ReferenceStep references;
    private final ResolveStep resolver;
    private final SubstituteStep substituter;
    private final Approvals approvals;
    private final ConfirmStep confirmation;
    private final ChokePoint chokePoint;
    private final Cap cap;
    private final LedgerBook ledger;

    public GovernedCall(
            RunningCalls running,
            PolicyStep policy,
            Quotas quotas,
            ArgumentStep arguments,
            ReferenceStep references,
            ResolveStep resolver,
            SubstituteStep substituter,
            Approvals approvals,
            ConfirmStep confirmation,
            ChokePoint chokePoint,
            Cap cap,
            LedgerBook ledger) {
        this.running = running;
        this.policy = policy;
        this.quotas = quotas;
        this.arguments = arguments;
        this.references = references;
        this.resolver = resolver;
        this.substituter = substituter;
        this.approvals = approvals;
        this.confirmation = confirmation;
        this.chokePoint = chokePoint;
        this.cap = cap;
        this.ledger = ledger;
    }

    /** Runs the call to its end: an answer that is safe for the agent, or a refusal that says why there is none. */
    public Outcome run(ToolCall call, Upstream upstream) {
        try (RunningCalls.Running entered = running.enter(call)) {
            return run(entered, upstream);
        }
    }

    private Outcome run(RunningCalls.Running running, Upstream upstream) {
        ToolCall call = running.call();
        LedgerBook.Page page = ledger.open(call);
        try (Turns.Turn turn = turns.take()) {
            policy.admit(call); //                                                     0
            ToolCall screened = page.note(arguments.screen(call)); //                  0
            Referenced referenced = page.note(references.find(screened)); //           1 2
            Judged judged = page.note(policy.judge(referenced)); //                    3 4 5 6
            quotas.enter(judged, running); //                                          6
            upstream.vet(judged); //                                                   7
            Resolved resolved = page.note(resolver.resolve(judged)); //                7
            substituter.rehearse(resolved); //                                         7
            Approved approved = page.note(approvals.obtain(resolved, turn::end)); //   8
            turn.end();
            Confirmed confirmed = page.note(confirmation.confirm(approved)); //        9
            try (Armed armed = substituter.arm(confirmed); //                          10
                    ChokePoint.Delivery delivery = deliver(armed)) {
                page.intend(armed); //                                                 11
                Raw raw = page.note(execute(armed, upstream, judged, running)); //     12
                Scrubbed scrubbed = page.note(delivery.clean(raw)); //                 13
                Capped capped = cap.apply(scrubbed, judged.limits().resultCharacters()); // 14
                return page.close(capped); //                                          15
            }
        } catch (RefusedException e) {
            return page.close(Failures.of(e, running.stoppedBy()), e.decidedBy());
        } catch (UpstreamException e) {
            return page.close(Failures.of(e, running.stoppedBy()));
        } catch (ScrubFailedException e) {
            return page.close(Failures.of(e));
        } catch (RuntimeException e) {
            return page.close(Failures.unexpected(call.id(), e));
        }
    }

    /** Whoever stops the call has the last word: before it is sent, and over an answer that came all the same. */
    private Raw execute(Armed armed, Upstream upstream, Judged judged, RunningCalls.Running running) {
        running.requireGoing();
        try (Quotas.Timing _ = quotas.time(judged, running)) {
            Raw raw = upstream.execute(armed, running.call().patience().cancellation());
            running.requireGoing();
            return raw;
        }
    }

    /** From here on, until the call is over, its values are looked for in whatever its server says. */
    private ChokePoint.Delivery deliver(Armed armed) {
        return chokePoint.deliver(armed.call(), armed.live(), armed.confirmed().continuation());
    }
}
