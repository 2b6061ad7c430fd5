package dev.postern.gate.approval;

import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Refusal;
import java.time.Duration;
import java.util.Map;

/** What the agent is told when no approval came. */
final class ApprovalRefusals {
    private ApprovalRefusals() {}

    static Refusal denied(Approval approval) {
        return Refusal.of(
                Disposition.DENIED,
                false,
                "the operator denied this call"
                        + (approval.note() == null ? "" : ", with the note '" + approval.note() + "'"),
                "Do not send it again unchanged; ask the operator why");
    }

    static Refusal expired(Duration timeout) {
        return Refusal.of(
                Disposition.APPROVAL_EXPIRED,
                true,
                "nobody decided within " + timeout.toSeconds() + " s, which denies the call",
                "Ask the operator to be ready and send the call again");
    }

    static Refusal pending(Approval approval, String portal) {
        return new Refusal(
                Disposition.APPROVAL_PENDING.name(),
                Disposition.APPROVAL_PENDING,
                true,
                "a person has not decided yet; the operator does with 'postern approvals', for the gateway at "
                        + portal,
                "Send the same call again: it joins the same request and runs once it is approved",
                Map.of(
                        "approval", approval.id(),
                        "portal", portal,
                        "expires_at", approval.expires().toString()));
    }

    static Refusal queueFull(int maxPending) {
        return Refusal.of(
                Disposition.QUEUE_FULL,
                true,
                "this agent already waits for " + maxPending + " approvals",
                "Wait until some are decided and send the call again");
    }

    static Refusal cancelled() {
        return Refusal.of(Disposition.CANCELLED, true, "the agent cancelled the call", "Send it again if it is needed");
    }

    static Refusal stopping() {
        return Refusal.of(
                Disposition.CANCELLED, true, "the gateway is stopping", "Send the call again when it is back");
    }

    /** P8 lets no value be shown, and nothing be left out: what cannot be cleaned whole cannot be asked about. */
    static Refusal unshowable() {
        return new Refusal(
                "VAULT_SCRUB_FAILED",
                Disposition.SCRUB_FAILED,
                false,
                "the call could not be made safe to show to the operator, so nothing was sent",
                "Make the arguments smaller or simpler",
                Map.of());
    }
}
