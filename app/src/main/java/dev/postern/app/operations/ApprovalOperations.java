package dev.postern.app.operations;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ControlRequest;
import dev.postern.app.control.ExitCode;
import dev.postern.app.control.Operation;
import dev.postern.gate.approval.Approval;
import dev.postern.gate.approval.Approvals;
import dev.postern.gate.approval.GrantTerms;
import dev.postern.gate.grant.GrantStore;
import dev.postern.gate.vault.Vault;
import dev.postern.web.api.Documents;
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
                (request, peer) ->
                        approvals.pending().stream().map(Documents::approval).toList());
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
            peer.send(Documents.approval(approval));
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

    private List<Map<String, @Nullable Object>> grants() {
        return grants.list().stream()
                .map(grant -> Documents.grant(grant, nameOf(grant.scope())))
                .toList();
    }

    private @Nullable String nameOf(GrantStore.Scope scope) {
        return vault.list().stream()
                .filter(secret -> secret.id().equals(scope.secret()))
                .map(secret -> secret.name())
                .findFirst()
                .orElse(null);
    }
}
