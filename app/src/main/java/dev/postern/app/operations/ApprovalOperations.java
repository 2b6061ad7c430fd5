package dev.postern.app.operations;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ControlRequest;
import dev.postern.app.control.ExitCode;
import dev.postern.app.control.Operation;
import dev.postern.gate.approval.Approval;
import dev.postern.gate.approval.Approvals;
import dev.postern.gate.approval.GrantTerms;
import dev.postern.gate.approval.RiskReason;
import dev.postern.gate.grant.GrantStore;
import dev.postern.gate.vault.Vault;
import dev.postern.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** {@code approvals.*}, {@code approve}, {@code deny} and {@code grants.*}: the operator's voice (P2 to P8). */
public final class ApprovalOperations {
    private final Approvals approvals;
    private final GrantStore grants;
    private final Vault vault;
    private final String operator;

    /**
     * Decides in one person's name.
     *
     * @param operator who decides, as the ledger names them
     */
    public ApprovalOperations(Approvals approvals, GrantStore grants, Vault vault, String operator) {
        this.approvals = approvals;
        this.grants = grants;
        this.vault = vault;
        this.operator = operator;
    }

    public void addTo(Map<String, Operation> operations) {
        operations.put(
                "approvals.list",
                (request, peer) -> approvals.pending().stream()
                        .map(ApprovalOperations::document)
                        .toList());
        operations.put("approvals.watch", (request, peer) -> watch(peer));
        operations.put("approve", (request, peer) -> {
            GrantTerms terms = terms(request);
            return decide(request, id -> approvals.approve(id, operator, terms));
        });
        operations.put("deny", (request, peer) -> {
            String note = request.optionalText("note");
            return decide(request, id -> approvals.deny(id, operator, note));
        });
        operations.put("grants.list", (request, peer) -> grants());
        operations.put("grants.revoke", (request, peer) -> {
            String id = request.text("id");
            if (!grants.revoke(id)) {
                throw new ControlException(ExitCode.FAILED, "there is no live grant '" + id + "'.");
            }
            return Map.of("revoked", id);
        });
    }

    /** The fixed form of one waiting call: references intact, no value (P8). */
    static Map<String, Object> document(Approval approval) {
        List<Object> secrets = new ArrayList<>();
        for (Approval.SecretUse use : approval.secrets()) {
            Map<String, Object> secret = new LinkedHashMap<>();
            secret.put("name", use.name());
            secret.put("website", use.website());
            secret.put("username", use.username());
            secret.put("field", use.field());
            secrets.add(secret);
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("id", approval.id());
        document.put("agent", approval.agentName());
        document.put("server", approval.server());
        document.put("tool", approval.tool());
        document.put("arguments", JsonValue.parse(approval.arguments()));
        document.put("secrets", secrets);
        document.put("destination", approval.destination());
        document.put("risk", approval.risk());
        document.put(
                "risk_reasons",
                approval.riskReasons().stream().map(RiskReason::name).toList());
        document.put("expires_at", approval.expires());
        return document;
    }

    private @Nullable Object watch(Operation.Peer peer) throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        peer.onHangUp(gone::countDown);
        try (AutoCloseable listening = approvals.listen(approval -> {
            if (approval.state() == Approval.State.PENDING) {
                send(peer, approval, gone);
            }
        })) {
            approvals.pending().forEach(approval -> send(peer, approval, gone));
            gone.await();
        }
        return null;
    }

    private static void send(Operation.Peer peer, Approval approval, CountDownLatch gone) {
        try {
            peer.send(document(approval));
        } catch (java.io.UncheckedIOException e) {
            gone.countDown();
        }
    }

    private static Map<String, Object> decide(ControlRequest request, Predicate<String> decision) {
        List<String> decided = new ArrayList<>();
        List<String> missed = new ArrayList<>();
        for (String id : request.texts("ids")) {
            (decision.test(id) ? decided : missed).add(id);
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("decided", decided);
        document.put("missed", missed);
        return document;
    }

    private static @Nullable GrantTerms terms(ControlRequest request) {
        Long seconds = request.number("seconds");
        Long uses = request.number("uses");
        return seconds == null && uses == null
                ? null
                : new GrantTerms(
                        seconds == null ? null : Duration.ofSeconds(seconds),
                        uses == null ? null : Math.toIntExact(uses));
    }

    private List<Map<String, Object>> grants() {
        List<Map<String, Object>> documents = new ArrayList<>();
        for (GrantStore.Grant grant : grants.list()) {
            GrantStore.Scope scope = grant.scope();
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("id", grant.id());
            document.put("agent", scope.agent());
            document.put("tool", scope.tool());
            document.put("secret_id", scope.secret());
            document.put("secret", nameOf(scope));
            document.put("field", scope.field().label());
            document.put("destination", scope.destination());
            document.put("expires_at", grant.expires());
            document.put("uses_left", grant.usesLeft());
            document.put("created", grant.created());
            document.put("created_by", grant.createdBy());
            document.put("last_used", grant.lastUsed());
            documents.add(document);
        }
        return documents;
    }

    private @Nullable String nameOf(GrantStore.Scope scope) {
        return vault.list().stream()
                .filter(secret -> secret.id().equals(scope.secret()))
                .map(secret -> secret.name())
                .findFirst()
                .orElse(null);
    }
}
