package dev.postern.gate.ledger;

import dev.postern.gate.call.CallId;
import dev.postern.gate.call.ToolName;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is about to leave.
 *
 * @param arguments the JSON arguments as the agent wrote them, references intact, known and detected secrets masked
 * @param secretRefs {@code <id>.<field>}
 * @param approver who approved, such as {@code operator} or {@code grant:<id>}
 * @param decision what the call was decided on; null for what is no governed call
 */
public record LedgerIntent(
        CallId id,
        Instant at,
        String agent,
        ToolName tool,
        byte[] arguments,
        List<String> secretRefs,
        String approver,
        CallTrace.@Nullable Decision decision) {
    @Override
    public String toString() {
        return "LedgerIntent[" + id + "]";
    }
}
