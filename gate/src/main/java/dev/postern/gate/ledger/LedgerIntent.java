package dev.postern.gate.ledger;

import dev.postern.gate.call.CallId;
import dev.postern.gate.call.ToolName;
import java.time.Instant;
import java.util.List;

/**
 * What is about to leave.
 *
 * @param arguments the JSON arguments as the agent wrote them, references intact, known and detected secrets masked
 * @param secretRefs {@code <id>.<field>}
 * @param approver who approved, such as {@code operator} or {@code grant:<id>}
 */
public record LedgerIntent(
        CallId id,
        Instant at,
        String agent,
        ToolName tool,
        byte[] arguments,
        List<String> secretRefs,
        String approver) {
    @Override
    public String toString() {
        return "LedgerIntent[" + id + "]";
    }
}
