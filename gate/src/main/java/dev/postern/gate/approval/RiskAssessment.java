package dev.postern.gate.approval;

import dev.postern.gate.approval.Approval.Risk;
import dev.postern.gate.approval.Approval.SecretUse;
import dev.postern.gate.vault.Resolved;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Says what a person should know about a call: from the call itself, and from what people decided before (P8). */
final class RiskAssessment {
    private final ApprovalStore store;

    RiskAssessment(ApprovalStore store) {
        this.store = store;
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

    static Risk risk(List<RiskReason> reasons) {
        return reasons.stream().anyMatch(RiskReason::isCritical) ? Risk.CRITICAL : Risk.HIGH;
    }
}
