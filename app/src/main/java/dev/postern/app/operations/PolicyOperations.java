package dev.postern.app.operations;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ControlRequest;
import dev.postern.app.control.ExitCode;
import dev.postern.app.control.Operation;
import dev.postern.gate.policy.Policies;
import dev.postern.gate.policy.Policy;
import dev.postern.gate.policy.PolicyException;
import dev.postern.gate.policy.PolicyStore;
import dev.postern.secret.Reveal;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code policy.*}: the rules (P10, P11). */
public final class PolicyOperations {
    private static final int DEFAULT_LIMIT = 50;

    private final Policies policies;
    private final String operator;

    public PolicyOperations(Policies policies, String operator) {
        this.policies = policies;
        this.operator = operator;
    }

    /** Adds {@code policy.show}, {@code policy.history} and {@code policy.apply}. */
    public void addTo(Map<String, Operation> operations) {
        operations.put("policy.show", (request, peer) -> show(request.number("revision")));
        operations.put(
                "policy.history",
                (request, peer) -> policies.history(limit(request)).stream()
                        .map(PolicyOperations::document)
                        .toList());
        operations.put("policy.apply", (request, peer) -> apply(request));
    }

    private Map<String, Object> show(@Nullable Long revision) {
        Policy current = policies.current();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("revision", revision == null ? current.revision() : revision);
        if (revision == null || revision == current.revision()) {
            document.put("readable", current.readable());
        }
        document.put("document", new String(text(revision), StandardCharsets.UTF_8));
        return document;
    }

    private byte[] text(@Nullable Long revision) {
        return revision == null
                ? policies.document()
                : policies.document(revision)
                        .orElseThrow(() -> new ControlException(
                                ExitCode.FAILED,
                                "there is no policy of revision " + revision
                                        + "; 'postern policy history' lists them."));
    }

    private static int limit(ControlRequest request) {
        Long limit = request.number("limit");
        return limit == null ? DEFAULT_LIMIT : Math.clamp(limit, 1, Integer.MAX_VALUE);
    }

    private static Map<String, Object> document(PolicyStore.Revision revision) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("revision", revision.revision());
        document.put("applied_at", revision.appliedAt());
        document.put("actor", revision.actor());
        return document;
    }

    private Map<String, Object> apply(ControlRequest request) {
        // No secret, but bytes that must arrive as they are, so it travels like one.
        byte[] document = request.requiredValue().reveal(Reveal.TO_DELIVER);
        try {
            return Map.of("revision", policies.apply(document, operator).revision());
        } catch (PolicyException e) {
            throw new ControlException(ExitCode.FAILED, "the policy was not applied: " + e.getMessage() + ".");
        }
    }
}
