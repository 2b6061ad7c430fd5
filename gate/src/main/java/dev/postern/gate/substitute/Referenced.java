package dev.postern.gate.substitute;

import dev.postern.gate.call.ToolCall;
import dev.postern.reference.Placement;
import dev.postern.reference.Reference;
import java.util.List;

/** A call whose references are known. Made by {@link ReferenceStep} only. */
public final class Referenced {
    private final ToolCall call;
    private final List<Placement> placements;

    Referenced(ToolCall call, List<Placement> placements) {
        this.call = call;
        this.placements = List.copyOf(placements);
    }

    public ToolCall call() {
        return call;
    }

    /** Where the references stand, in document order. */
    public List<Placement> placements() {
        return placements;
    }

    /** The distinct references, in order of first use. */
    public List<Reference> references() {
        return placements.stream().map(Placement::reference).distinct().toList();
    }

    public boolean bearsSecrets() {
        return !placements.isEmpty();
    }
}
