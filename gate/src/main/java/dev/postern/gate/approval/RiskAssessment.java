package dev.postern.gate.approval;

import dev.postern.gate.approval.Approval.Risk;
import dev.postern.gate.approval.Approval.SecretUse;
import dev.postern.gate.call.ToolName;
import dev.postern.gate.definition.Pin;
import dev.postern.gate.definition.Pins;
import dev.postern.gate.vault.Resolved;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Says what a person should know about a call: from the call itself, and from what people decided before (P8). */
final class RiskAssessment {
    private static final int DECISIONS = 20;

    private final ApprovalStore store;
    private final Pins pins;

    RiskAssessment(ApprovalStore store, Pins pins) {
        this.store = store;
        this.pins = pins;
    }

    /**
     * What makes the risk, the gravest first.
     *
     * @param shownMasked whether something in the shown arguments is masked
     */
    List<RiskReason> reasons(Resolved resolved, List<SecretUse> secrets, String destination, boolean shownMasked) {
        Set<RiskReason> reasons = EnumSet.noneOf(RiskReason.class);
        if (secrets.size() > 1) {
            reasons.add(RiskReason.SEVERAL_SECRETS);
        }
        if (isNewlyDefined(resolved, secrets)) {
            reasons.add(RiskReason.DEFINITION_CHANGED);
        }
        Resolved.Reach reach = resolved.reach();
        if (reach.web() && resolved.bearsSecrets() && !resolved.hostsAreBounded()) {
            reasons.add(RiskReason.OPEN_WEB);
        }
        if (!Resolved.isKnown(resolved.destination())) {
            reasons.add(RiskReason.HOST_UNKNOWN);
        }
        if (reach.hosts() && reach.guessed()) {
            reasons.add(RiskReason.HOST_GUESSED);
        }
        String server = resolved.call().tool().server();
        String tool = resolved.call().tool().tool();
        for (SecretUse use : secrets) {
            if (!store.wasGranted(server, tool, use.id(), use.field(), null)) {
                reasons.add(RiskReason.FIRST_USE);
            } else if (!store.wasGranted(server, tool, use.id(), use.field(), destination)) {
                reasons.add(RiskReason.NEW_DESTINATION);
            }
        }
        if (shownMasked) {
            reasons.add(RiskReason.ARGUMENTS_MASKED);
        }
        return List.copyOf(reasons);
    }

    /** Changed and not accepted, or accepted and nobody has approved a call with these secrets since. */
    private boolean isNewlyDefined(Resolved resolved, List<SecretUse> secrets) {
        ToolName tool = resolved.call().tool();
        Pin pin = secrets.isEmpty() ? null : pins.find(tool).orElse(null);
        if (pin == null || pin.isChanged()) {
            return pin != null;
        }
        Instant accepted = pin.acceptedAt();
        return accepted != null
                && secrets.stream()
                        .anyMatch(use -> store.decisions(tool.server(), tool.tool(), use.id(), DECISIONS).stream()
                                .noneMatch(decision -> decision.granted()
                                        && decision.decidedAt().isAfter(accepted)));
    }

    static Risk risk(List<RiskReason> reasons) {
        return reasons.stream().anyMatch(RiskReason::isCritical) ? Risk.CRITICAL : Risk.HIGH;
    }
}
