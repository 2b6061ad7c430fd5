package dev.postern.gate.substitute;

import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Refusal;
import dev.postern.gate.call.RefusedException;
import dev.postern.gate.call.ToolCall;
import dev.postern.reference.ReferenceException;
import dev.postern.reference.ReferenceFinder;
import dev.postern.reference.ReferenceLimits;
import java.util.Map;

/** Steps 1 and 2: scan for a marker, parse the references (R1 to R8). Reads no vault. */
public final class ReferenceStep {
    private final ReferenceLimits limits;

    public ReferenceStep(ReferenceLimits limits) {
        this.limits = limits;
    }

    /**
     * Finds the references of a call.
     *
     * @throws RefusedException {@code SECRET_UNRESOLVED} if a reference is malformed, in a key, or there are too many
     */
    public Referenced find(ToolCall call) {
        try {
            return new Referenced(call, ReferenceFinder.find(call.arguments(), limits));
        } catch (ReferenceException e) {
            throw new RefusedException(refusal(e));
        }
    }

    static Refusal refusal(ReferenceException e) {
        return new Refusal(
                Disposition.SECRET_UNRESOLVED.name(),
                Disposition.SECRET_UNRESOLVED,
                false,
                e.pointer().isEmpty() ? e.reason() : "at '" + e.pointer() + "', " + e.reason(),
                "Write {{vault:NAME}} or {{secret:UUID.field}} inside a string value and send the call again",
                Map.of("pointer", e.pointer(), "offset", e.offset(), "length", e.length(), "reason", e.reason()));
    }
}
