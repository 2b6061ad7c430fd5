package dev.postern.gate.flow;

import dev.postern.gate.approval.Approved;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Outcome;
import dev.postern.gate.call.Refusal;
import dev.postern.gate.call.RefusedException;
import dev.postern.gate.call.ToolCall;
import dev.postern.gate.ledger.Ledger;
import dev.postern.gate.ledger.LedgerEntry;
import dev.postern.gate.ledger.LedgerIntent;
import dev.postern.gate.ledger.LedgerUnavailableException;
import dev.postern.gate.scrub.Capped;
import dev.postern.gate.scrub.ChokePoint;
import dev.postern.gate.scrub.Raw;
import dev.postern.gate.scrub.Scrubbed;
import dev.postern.gate.substitute.Armed;
import dev.postern.gate.vault.Resolved;
import dev.postern.gate.vault.SecretUse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps one page a call while it runs, and turns it into one ledger entry when it ends, however it ends (L1). */
public final class LedgerBook {
    private static final Logger log = LoggerFactory.getLogger(LedgerBook.class);

    private final Ledger ledger;
    private final ChokePoint chokePoint;
    private final UnaryOperator<byte[]> detector;
    private final InstantSource clock;

    /**
     * A book over a ledger.
     *
     * @param detector masks secrets nobody told us about in the JSON arguments (D7)
     */
    public LedgerBook(Ledger ledger, ChokePoint chokePoint, UnaryOperator<byte[]> detector, InstantSource clock) {
        this.ledger = ledger;
        this.chokePoint = chokePoint;
        this.detector = detector;
        this.clock = clock;
    }

    Page open(ToolCall call) {
        return new Page(call, clock.instant());
    }

    /** What is known of one call so far. Used by the one thread that runs it. */
    final class Page {
        private final ToolCall call;
        private final Instant opened;
        private List<String> secretRefs = List.of();
        private @Nullable String approver;
        private boolean intended;
        private long scrubHits;
        private byte @Nullable [] arguments;

        private Page(ToolCall call, Instant opened) {
            this.call = call;
            this.opened = opened;
        }

        Resolved note(Resolved resolved) {
            secretRefs = resolved.uses().stream()
                    .map(SecretUse::ledgerName)
                    .distinct()
                    .toList();
            return resolved;
        }

        Approved note(Approved approved) {
            approver = approved.approver();
            return approved;
        }

        /** The values are out from here on. */
        OpenDelivery deliver(Armed armed, ChokePoint chokePoint) {
            return new OpenDelivery(
                    chokePoint.deliver(call.caller().user(), call.tool().server(), armed.live()));
        }

        /** Step 11. A call that bears no secret needs no intent, but nothing runs while the ledger takes no entries. */
        void intend(Armed armed) {
            if (!armed.bearsSecrets()) {
                if (!ledger.isWritable()) {
                    throw new RefusedException(Failures.ledgerUnavailable());
                }
                return;
            }
            try {
                ledger.intend(new LedgerIntent(
                        call.id(),
                        opened,
                        call.caller().name(),
                        call.tool(),
                        arguments(),
                        secretRefs,
                        approver == null ? "" : approver));
                intended = true;
            } catch (LedgerUnavailableException e) {
                throw new RefusedException(Failures.ledgerUnavailable());
            }
        }

        /** Step 15 for an answer. */
        void close(Capped answer) {
            append(Disposition.EXECUTED, null, answer.bytes().length, null);
        }

        /** Step 15 for everything else. */
        Outcome close(Refusal refusal) {
            append(refusal.disposition(), refusal.code(), refusal.text().length(), refusal.what());
            return new Outcome.Refused(refusal);
        }

        /**
         * A ledger that fails now cannot undo what was sent or refused, so the outcome stands. A durable intent without
         * a close reads {@code outcome unknown} (L2), and the ledger takes no further call until it can write again.
         */
        private void append(Disposition disposition, @Nullable String code, long resultBytes, @Nullable String error) {
            try {
                ledger.append(new LedgerEntry(
                        call.id(),
                        opened,
                        call.caller().name(),
                        call.tool(),
                        arguments(),
                        secretRefs,
                        disposition,
                        code,
                        approver,
                        Duration.between(opened, clock.instant()).toMillis(),
                        resultBytes,
                        scrubHits,
                        error,
                        intended));
            } catch (LedgerUnavailableException e) {
                log.error("the ledger could not close call {}: {}", call.id(), e.getMessage());
            }
        }

        private byte[] arguments() {
            byte[] known = arguments;
            if (known == null) {
                known = detector.apply(chokePoint.cleanOwn(
                        call.arguments().bytes(), call.caller().user()));
                arguments = known;
            }
            return known;
        }

        /** The choke point for this call's answer, counting what it takes out. */
        final class OpenDelivery implements AutoCloseable {
            private final ChokePoint.Delivery delivery;

            private OpenDelivery(ChokePoint.Delivery delivery) {
                this.delivery = delivery;
            }

            Scrubbed clean(Raw raw) {
                Scrubbed scrubbed =
                        chokePoint.clean(raw, call.caller().user(), call.tool().server());
                scrubHits = scrubbed.hits();
                return scrubbed;
            }

            @Override
            public void close() {
                delivery.close();
            }
        }
    }
}
