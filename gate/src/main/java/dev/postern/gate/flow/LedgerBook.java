package dev.postern.gate.flow;

import dev.postern.gate.approval.Approved;
import dev.postern.gate.approval.Confirmed;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Outcome;
import dev.postern.gate.call.Refusal;
import dev.postern.gate.call.RefusedException;
import dev.postern.gate.call.ToolCall;
import dev.postern.gate.call.ToolName;
import dev.postern.gate.detect.Detected;
import dev.postern.gate.detect.DetectionMode;
import dev.postern.gate.detect.Screened;
import dev.postern.gate.detect.Screening;
import dev.postern.gate.ledger.CallTrace;
import dev.postern.gate.ledger.Ledger;
import dev.postern.gate.ledger.LedgerEntry;
import dev.postern.gate.ledger.LedgerIntent;
import dev.postern.gate.ledger.LedgerUnavailableException;
import dev.postern.gate.policy.Judged;
import dev.postern.gate.scrub.Capped;
import dev.postern.gate.scrub.ChokePoint;
import dev.postern.gate.scrub.Raw;
import dev.postern.gate.scrub.Scrubbed;
import dev.postern.gate.substitute.Armed;
import dev.postern.gate.substitute.Referenced;
import dev.postern.gate.vault.Resolved;
import dev.postern.gate.vault.SecretUse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps one page a call while it runs, and turns it into one ledger entry when it ends, however it ends (L1). */
public final class LedgerBook {
    private static final Logger log = LoggerFactory.getLogger(LedgerBook.class);

    /** Stands for arguments that cannot be masked: an entry is made all the same, and shows nothing. */
    private static final byte[] WITHHELD =
            "{\"withheld\":\"the arguments could not be masked\"}".getBytes(StandardCharsets.US_ASCII);

    private final Ledger ledger;
    private final ChokePoint chokePoint;
    private final Screening screening;
    private final InstantSource clock;

    /**
     * A book over a ledger.
     *
     * @param screening masks secrets nobody told us about in what is kept (D7)
     */
    public LedgerBook(Ledger ledger, ChokePoint chokePoint, Screening screening, InstantSource clock) {
        this.ledger = ledger;
        this.chokePoint = chokePoint;
        this.screening = screening;
        this.clock = clock;
    }

    Page open(ToolCall call) {
        return new Page(call, clock.instant());
    }

    /** What is known of one call so far. Used by the one thread that runs it. */
    final class Page {
        private final Instant opened;
        private ToolCall call;
        private List<Detected> inArguments = List.of();
        private List<Detected> inAnswer = List.of();
        private List<String> secretRefs = List.of();
        private List<String> references = List.of();
        private @Nullable String approver;
        private boolean intended;
        private long scrubHits;
        private byte @Nullable [] arguments;
        private CallTrace.@Nullable Decision decision;
        private final List<CallTrace.Stage> stages = new ArrayList<>(8);

        private Page(ToolCall call, Instant opened) {
            this.call = call;
            this.opened = opened;
        }

        /** From here on the call is what was made of it. */
        ToolCall note(ToolCall screened) {
            call = screened;
            inArguments = screened.detected();
            reached("admitted");
            return screened;
        }

        Judged note(Judged judged) {
            decision = new CallTrace.Decision(judged.policyRevision(), call.definitionHash(), List.of(), null);
            reached("judged");
            return judged;
        }

        /** The arguments with what came into them from elsewhere: what is sent, references intact. */
        Referenced note(Referenced referenced) {
            call = referenced.call();
            return referenced;
        }

        Resolved note(Resolved resolved) {
            secretRefs = resolved.uses().stream()
                    .map(SecretUse::ledgerName)
                    .distinct()
                    .toList();
            references = resolved.judged().referenced().spellings();
            decision = new CallTrace.Decision(
                    resolved.judged().policyRevision(), call.definitionHash(), versions(resolved), null);
            reached("resolved");
            return resolved;
        }

        Approved note(Approved approved) {
            approver = approved.approver();
            CallTrace.Decision known = decision;
            decision = known == null ? null : known.approvedBy(approved.approval());
            reached("approved");
            return approved;
        }

        Confirmed note(Confirmed confirmed) {
            reached("confirmed");
            return confirmed;
        }

        Raw note(Raw raw) {
            reached("answered");
            return raw;
        }

        Scrubbed note(Scrubbed scrubbed) {
            scrubHits = scrubbed.hits();
            inAnswer = scrubbed.detected();
            reached("scrubbed");
            return scrubbed;
        }

        /** Step 11. A call that bears no secret needs no intent, but nothing runs while the ledger takes no entries. */
        void intend(Armed armed) {
            arguments(); // before the answer may have taught us more than the agent wrote
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
                        tool(),
                        arguments(),
                        secretRefs,
                        approver == null ? "" : approver,
                        decision));
                intended = true;
                reached("intended");
            } catch (LedgerUnavailableException e) {
                throw new RefusedException(Failures.ledgerUnavailable());
            }
        }

        /** Step 15 for an answer. */
        Outcome close(Capped answer) {
            append(Disposition.EXECUTED, null, answer.bytes().length, null);
            return new Outcome.Answered(answer);
        }

        /** Step 15 for everything else. */
        Outcome close(Refusal refusal) {
            Refusal told = refusal.masked(this::screened);
            byte[] text = told.text().getBytes(StandardCharsets.UTF_8);
            append(told.disposition(), told.code(), text.length, told.what());
            return new Outcome.Refused(told);
        }

        /** Step 15 for a refusal somebody may have decided on. */
        Outcome close(Refusal refusal, @Nullable String decidedBy) {
            if (decidedBy != null) {
                approver = decidedBy;
            }
            return close(refusal);
        }

        /**
         * A ledger that fails now cannot undo what was sent or refused, so the outcome stands. A durable intent without
         * a close reads {@code outcome unknown} (L2), and the ledger takes no further call until it can write again.
         */
        private void append(Disposition disposition, @Nullable String code, long resultBytes, @Nullable String error) {
            reached("closed");
            try {
                ledger.append(new LedgerEntry(
                        call.id(),
                        opened,
                        call.caller().name(),
                        tool(),
                        arguments(),
                        secretRefs,
                        disposition,
                        code,
                        approver,
                        Duration.between(opened, clock.instant()).toMillis(),
                        resultBytes,
                        scrubHits,
                        error == null ? null : masked(error),
                        intended,
                        detected(),
                        new CallTrace(decision, stages)));
            } catch (LedgerUnavailableException e) {
                log.error("the ledger could not close call {}: {}", call.id(), e.getMessage());
            }
        }

        private void reached(String stage) {
            stages.add(new CallTrace.Stage(stage, Duration.between(opened, clock.instant())));
        }

        private static List<String> versions(Resolved resolved) {
            return resolved.uses().stream()
                    .map(use -> use.ledgerName() + "@" + use.secret().version())
                    .distinct()
                    .toList();
        }

        private byte[] arguments() {
            byte[] known = arguments;
            if (known == null) {
                known = maskedArguments();
                arguments = known;
            }
            return known;
        }

        private byte[] maskedArguments() {
            try {
                byte[] cleaned = chokePoint.cleanOwn(
                        call.arguments().bytes(), call.caller().user(), references);
                Screened recorded = screening.recorded(cleaned, call.tool());
                if (screening.modes(call.tool().server()).arguments() == DetectionMode.REPORT) {
                    inArguments = recorded.found();
                }
                return recorded.json();
            } catch (RuntimeException e) {
                log.error("the arguments of call {} cannot be masked: {}", call.id(), e.getClass());
                return WITHHELD;
            }
        }

        private List<Detected> detected() {
            return Stream.concat(inArguments.stream(), inAnswer.stream()).toList();
        }

        /** The tool's name is the agent's text as well. */
        private ToolName tool() {
            return new ToolName(call.tool().server(), masked(call.tool().tool()));
        }

        /** A text for the agent: it knows its own words, but they need not be said again. */
        private String screened(String text) {
            try {
                return screening.masked(text);
            } catch (RuntimeException e) {
                log.error("a text of call {} cannot be masked: {}", call.id(), e.getClass());
                return "withheld";
            }
        }

        /** A refusal, too, may repeat what the agent wrote: a member's name, a host. */
        private String masked(String text) {
            try {
                return screening.masked(
                        chokePoint.cleanOwnText(text, call.caller().user()));
            } catch (RuntimeException e) {
                log.error("a text of call {} cannot be masked: {}", call.id(), e.getClass());
                return "withheld";
            }
        }
    }
}
