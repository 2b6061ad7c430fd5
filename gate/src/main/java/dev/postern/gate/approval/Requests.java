package dev.postern.gate.approval;

import static java.util.Objects.requireNonNull;

import dev.postern.gate.approval.Approval.State;
import dev.postern.gate.call.RefusedException;
import dev.postern.gate.call.ToolCall;
import dev.postern.gate.call.ToolName;
import dev.postern.gate.detect.Screened;
import dev.postern.gate.grant.GrantStore.Grant;
import dev.postern.gate.grant.GrantStore.Scope;
import dev.postern.gate.scrub.ChokePoint;
import dev.postern.gate.vault.Resolved;
import dev.postern.gate.vault.SecretUse;
import dev.postern.reference.Field;
import dev.postern.scrub.ScrubFailedException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/** Makes of a call what a person is shown (P8), and of a request what a grant is bound to (P4). */
final class Requests {
    private static final int NONCE_BYTES = 16;

    private final ChokePoint chokePoint;
    private final RiskAssessment risks;
    private final SecureRandom random = new SecureRandom();

    Requests(ChokePoint chokePoint, RiskAssessment risks) {
        this.chokePoint = chokePoint;
        this.risks = risks;
    }

    /**
     * The question to a person: the whole call, and no value of a secret that we know or detect.
     *
     * @throws RefusedException if no such question can be made of it
     */
    Approval request(Resolved resolved, String fingerprint, Instant now, Duration timeout) {
        ToolCall call = resolved.call();
        String user = call.caller().user();
        List<Approval.SecretUse> secrets = secrets(resolved);
        String nonce = nonce();
        try {
            String tool = chokePoint.cleanOwnText(call.tool().tool(), user);
            String destination = chokePoint.cleanOwnText(resolved.destination(), user);
            byte[] arguments = chokePoint.cleanOwn(
                    call.arguments().bytes(),
                    user,
                    resolved.judged().referenced().spellings());
            Screened shown = chokePoint.shown(arguments, call.tool());
            List<RiskReason> reasons =
                    risks.reasons(resolved, secrets, destination, !shown.found().isEmpty());
            return new Approval(
                    UUID.randomUUID().toString(),
                    fingerprint,
                    CallDigest.digest(fingerprint, nonce),
                    nonce,
                    call.caller().agent(),
                    call.caller().name(),
                    user,
                    call.tool().server(),
                    tool,
                    shown.json(),
                    secrets,
                    destination,
                    RiskAssessment.risk(reasons),
                    reasons,
                    call.definitionHash(),
                    resolved.judged().policyRevision(),
                    now,
                    now.plus(timeout),
                    State.PENDING,
                    null,
                    null,
                    null);
        } catch (ScrubFailedException e) {
            throw new RefusedException(ApprovalRefusals.unshowable());
        }
    }

    /** What grants must cover for a call to pass unasked: each secret field it delivers. */
    static List<Scope> scopes(Resolved resolved) {
        ToolCall call = resolved.call();
        return secrets(resolved).stream()
                .map(use -> scope(call.caller().agent(), call.tool().toString(), use, resolved.destination()))
                .toList();
    }

    /** The grants that terms make of a request; none where a host is left open, since it could be any. */
    static List<Grant> grants(Approval approval, String by, GrantTerms terms, Instant now) {
        if (!Resolved.isKnown(approval.destination())) {
            return List.of();
        }
        ToolName tool = new ToolName(approval.server(), approval.tool());
        return approval.secrets().stream()
                .map(use -> new Grant(
                        UUID.randomUUID().toString(),
                        scope(approval.agent(), tool.toString(), use, approval.destination()),
                        terms.lifetime() == null ? null : now.plus(terms.lifetime()),
                        terms.uses(),
                        now,
                        by,
                        null,
                        approval.agentName(),
                        use.name()))
                .toList();
    }

    private static Scope scope(String agent, String tool, Approval.SecretUse use, String destination) {
        return new Scope(agent, tool, use.id(), requireNonNull(Field.labelled(use.field())), destination);
    }

    private static List<Approval.SecretUse> secrets(Resolved resolved) {
        return resolved.uses().stream().map(Requests::shown).distinct().toList();
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

    private String nonce() {
        byte[] bytes = new byte[NONCE_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
