package dev.postern.gate.substitute;

import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Filling.Gap;
import dev.postern.gate.call.Refusal;
import dev.postern.gate.call.RefusedException;
import dev.postern.gate.call.ToolCall;
import dev.postern.reference.Placement;
import dev.postern.reference.ReferenceException;
import dev.postern.reference.ReferenceFinder;
import dev.postern.reference.ReferenceLimits;
import java.util.List;
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
            List<Placement> placements = ReferenceFinder.find(call.arguments(), limits);
            List<Gap> gaps = call.filling().gaps(call.arguments());
            return gaps.isEmpty() ? new Referenced(call, placements) : filled(call, placements, gaps);
        } catch (ReferenceException e) {
            throw new RefusedException(refusal(e));
        }
    }

    /** What was found stays what it is; what comes in is not looked at. */
    private Referenced filled(ToolCall call, List<Placement> placements, List<Gap> gaps) {
        Filled filled = Filled.of(call.arguments(), placements, gaps);
        Referenced referenced = new Referenced(call.filled(filled.arguments()), filled.placements());
        if (referenced.bearsSecrets() && looksLikeMore(filled)) {
            throw new RefusedException(Refusal.of(
                    Disposition.SECRET_UNRESOLVED,
                    false,
                    "an earlier step's output holds text that looks like a reference, which a person could not tell from yours",
                    "Take a smaller part of that output, or make this a call of its own"));
        }
        return referenced;
    }

    private boolean looksLikeMore(Filled filled) {
        try {
            return ReferenceFinder.find(filled.arguments(), limits).size()
                    != filled.placements().size();
        } catch (ReferenceException e) {
            return true;
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
