package dev.postern.gate.ledger;

import dev.postern.gate.call.CallId;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.ToolName;
import dev.postern.gate.detect.Detected;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call, closed (L1).
 *
 * @param at when the call came in
 * @param arguments the JSON arguments as the agent wrote them, references intact, known and detected secrets masked
 * @param secretRefs {@code <id>.<field>}
 * @param code the refusal's code; null where the call was executed
 * @param approver who approved; null where nobody was asked
 * @param resultBytes size of what the agent received
 * @param scrubHits how many times a value was taken out of the answer
 * @param error scrubbed text; null where there was none
 * @param intended whether an intent was written for this call
 * @param detected secrets nobody told us about, in the arguments and in the answer (D6)
 * @param trace what the call was decided on and how long each stage took; null for what is no governed call
 */
public record LedgerEntry(
        CallId id,
        Instant at,
        String agent,
        ToolName tool,
        byte[] arguments,
        List<String> secretRefs,
        Disposition disposition,
        @Nullable String code,
        @Nullable String approver,
        long durationMillis,
        long resultBytes,
        long scrubHits,
        @Nullable String error,
        boolean intended,
        List<Detected> detected,
        @Nullable CallTrace trace) {
    public LedgerEntry {
        detected = List.copyOf(detected);
    }

    @Override
    public String toString() {
        return "LedgerEntry[" + id + " " + disposition + "]";
    }
}
