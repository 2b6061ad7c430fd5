package dev.postern.app.operations;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ControlRequest;
import dev.postern.app.control.ExitCode;
import dev.postern.app.control.Operation;
import dev.postern.gate.policy.Policies;
import dev.postern.gate.policy.PolicyException;
import dev.postern.secret.Reveal;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** {@code policy.*}: the rules (P10, P11). */
public final class PolicyOperations {
    private final Policies policies;
    private final String operator;

    public PolicyOperations(Policies policies, String operator) {
        this.policies = policies;
        this.operator = operator;
    }

    /** Adds {@code policy.show} and {@code policy.apply}. */
    public void addTo(Map<String, Operation> operations) {
        operations.put("policy.show", (request, peer) -> {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("revision", policies.current().revision());
            document.put("readable", policies.current().readable());
            document.put("document", new String(policies.document(), StandardCharsets.UTF_8));
            return document;
        });
        operations.put("policy.apply", (request, peer) -> apply(request));
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
