package dev.postern.app.operations;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ControlRequest;
import dev.postern.app.control.ExitCode;
import dev.postern.app.control.Operation;
import dev.postern.gate.approval.Approval;
import dev.postern.gate.approval.Approvals;
import dev.postern.gate.approval.GrantTerms;
import dev.postern.gate.grant.GrantStore;
import dev.postern.json.JsonValue;
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
    private final String operator;

    /**
     * Decides in one person's name.
     *
     * @param operator who decides, as the ledger names them
     */
    public ApprovalOperations(Approvals approvals, GrantStore grants, String operator) {
        this.approvals = approvals;
        this.grants = grants;
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
        operations.put("grants.revoke", (request, peer) -> revoke(request));
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

    private Map<String, Object> revoke(ControlRequest request) {
        String id = request.optionalText("id");
        if (id != null) {
            if (!grants.revoke(id, operator)) {
                throw new ControlException(ExitCode.FAILED, "there is no live grant '" + id + "'.");
            }
            return Map.of("revoked", id);
        }
        String agent = request.optionalText("agent");
        if (agent == null && !isTrue(request, "all")) {
            throw new ControlException(ExitCode.WRONG_USAGE, "name a grant, an agent, or all.");
        }
        return Map.of("count", grants.revokeAll(agent == null ? null : idOf(agent), operator));
    }

    /** Of an agent that has grants, by id or by the name it had when they were given. */
    private String idOf(String agent) {
        return grants.list().stream()
                .filter(grant ->
                        grant.scope().agent().equals(agent) || grant.agentName().equals(agent))
                .map(grant -> grant.scope().agent())
                .findFirst()
                .orElseThrow(() -> new ControlException(
                        ExitCode.FAILED,
                        "no live grant is the agent's '" + agent + "'; 'postern grants list' shows them."));
    }

    private static boolean isTrue(ControlRequest request, String name) {
        JsonValue value = request.arguments().member(name);
        return value != null && value.is(JsonValue.Kind.TRUE);
    }

    private static @Nullable GrantTerms terms(ControlRequest request) {
        Long seconds = request.number("seconds");
        Long uses = request.number("uses");
        if (seconds == null && uses == null && !isTrue(request, "always")) {
            return null;
        }
        try {
            return new GrantTerms(
                    seconds == null ? null : Duration.ofSeconds(seconds),
                    uses == null ? null : Math.clamp(uses, 0, Integer.MAX_VALUE));
        } catch (IllegalArgumentException e) {
            throw new ControlException(ExitCode.WRONG_USAGE, String.valueOf(e.getMessage()));
        }
    }

    private List<Map<String, @Nullable Object>> grants() {
        return grants.list().stream().map(Documents::grant).toList();
    }
}
