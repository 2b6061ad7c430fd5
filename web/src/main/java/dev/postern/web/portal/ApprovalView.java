package dev.postern.web.portal;

import dev.postern.gate.approval.Approval;
import dev.postern.gate.approval.Approvals;
import dev.postern.gate.approval.PastDecision;
import dev.postern.gate.approval.RiskReason;
import dev.postern.gate.vault.Resolved;
import dev.postern.store.ledger.LedgerReader;
import dev.postern.web.portal.view.ApprovalCard;
import dev.postern.web.portal.view.ApprovalPage;
import dev.postern.web.portal.view.ApprovalsPage;
import dev.postern.web.portal.view.CallArguments;
import dev.postern.web.portal.view.Moment;
import dev.postern.web.portal.view.VisibleText;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What pages show of a request. */
final class ApprovalView {
    private static final int PREVIOUS_SHOWN = 3;

    /** A call comes in before it is asked about; nothing of it takes longer until then. */
    private static final Duration BEFORE_ASKED = Duration.ofMinutes(1);

    private final Approvals approvals;
    private final Supplier<LedgerReader> ledger;
    private final Duration lapse;
    private final InstantSource clock;

    /**
     * A view.
     *
     * @param ledger tells what became of a call that was approved
     * @param lapse how long a decision waits for the agent (P7)
     */
    ApprovalView(Approvals approvals, Supplier<LedgerReader> ledger, Duration lapse, InstantSource clock) {
        this.approvals = approvals;
        this.ledger = ledger;
        this.lapse = lapse;
        this.clock = clock;
    }

    /** Such as {@code files › write_file}. */
    static String name(Approval approval) {
        return approval.server() + " › " + approval.tool();
    }

    ApprovalCard card(Approval approval) {
        Instant now = clock.instant();
        return new ApprovalCard(
                approval.id(),
                approval.agentName(),
                approval.server(),
                approval.tool(),
                approval.secrets().stream().map(ApprovalView::secret).toList(),
                VisibleText.of(approval.destination()).segments(),
                approval.risk().name().toLowerCase(Locale.ROOT),
                approval.riskReasons().stream().map(RiskReason::text).toList(),
                approvals.decisionsBefore(approval, PREVIOUS_SHOWN).stream()
                        .map(decision -> previous(decision, approval, now))
                        .toList(),
                !approval.secrets().isEmpty() && Resolved.isKnown(approval.destination()),
                CallArguments.of(approval.arguments()),
                approval.created(),
                approval.expires(),
                now);
    }

    ApprovalPage single(Approval approval, boolean isOpen) {
        return new ApprovalPage(card(approval), isOpen, isOpen ? null : decided(approval), approval.note());
    }

    ApprovalsPage.Decided decided(Approval approval) {
        Instant now = clock.instant();
        Instant at = approval.decidedAt() == null ? approval.expires() : approval.decidedAt();
        Outcome outcome = outcome(approval, at, now);
        return new ApprovalsPage.Decided(
                approval.id(),
                new Moment(at, now),
                VisibleText.of(name(approval)).segments(),
                approval.agentName(),
                decision(approval),
                outcome.words(),
                outcome.style(),
                outcome.isOpen());
    }

    private static String decision(Approval approval) {
        String by = approval.decidedBy() == null ? "" : " by " + approval.decidedBy();
        return switch (approval.state()) {
            case GRANTED, USED -> "approved" + by;
            case DENIED -> "denied" + by;
            case EXPIRED -> "nobody decided";
            case CANCELLED -> "taken back by the agent";
            case PENDING -> "waits";
        };
    }

    private Outcome outcome(Approval approval, Instant at, Instant now) {
        return switch (approval.state()) {
            case USED -> ran(approval);
            case GRANTED ->
                now.isBefore(at.plus(lapse))
                        ? new Outcome("not run yet", "", true)
                        : new Outcome("lapsed: the agent did not come back", "warn", false);
            case PENDING -> new Outcome("waits", "", true);
            case DENIED, EXPIRED, CANCELLED -> new Outcome("not run", "", false);
        };
    }

    /** What the ledger says of the call that used it. */
    private Outcome ran(Approval approval) {
        try (LedgerReader reader = ledger.get()) {
            return reader.ofApproval(approval.id(), approval.created().minus(BEFORE_ASKED))
                    .map(line -> new Outcome(
                            LedgerView.words(line.disposition()), LedgerView.style(line.disposition()), false))
                    .orElseGet(() -> new Outcome("running", "", true));
        }
    }

    private record Outcome(String words, String style, boolean isOpen) {}

    /** Such as {@code approved by ada 3 hours ago, for claude}. */
    private static String previous(PastDecision decision, Approval approval, Instant now) {
        String secret = approval.secrets().stream()
                .filter(use -> use.id().equals(decision.secret()))
                .map(Approval.SecretUse::name)
                .findFirst()
                .orElse("the secret");
        return (decision.granted() ? "approved" : "denied") + " by " + decision.decidedBy() + " "
                + new Moment(decision.decidedAt(), now).relative() + ": " + secret + ", for " + decision.agentName()
                + (decision.destination().equals(approval.destination()) ? "" : ", to " + decision.destination())
                + (decision.note() == null ? "" : " (“" + decision.note() + "”)");
    }

    private static ApprovalCard.SecretUse secret(Approval.SecretUse use) {
        return new ApprovalCard.SecretUse(
                use.name(), orNone(use.website(), "no website"), orNone(use.username(), "no username"), use.field());
    }

    private static String orNone(@Nullable String text, String none) {
        return text == null || text.isEmpty() ? none : text;
    }
}
