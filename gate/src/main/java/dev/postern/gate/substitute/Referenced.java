package dev.postern.gate.substitute;

import dev.postern.gate.call.ToolCall;
import dev.postern.json.JsonValue;
import dev.postern.reference.Placement;
import dev.postern.reference.Reference;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

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

    /** The distinct references, in order of first use; then the secrets that the call names otherwise. */
    public List<Reference> references() {
        return Stream.concat(placements.stream().map(Placement::reference), call.named().stream())
                .distinct()
                .toList();
    }

    /** The distinct references as the agent spelt them, JSON escapes decoded. */
    public List<String> spellings() {
        return placements.stream().map(Referenced::spelling).distinct().toList();
    }

    private static String spelling(Placement placement) {
        byte[] text = placement.token().text();
        byte[] quoted = Arrays.copyOfRange(text, placement.start() - 1, placement.end() + 1);
        quoted[0] = '"';
        quoted[quoted.length - 1] = '"';
        return JsonValue.parse(quoted).string();
    }

    public boolean bearsSecrets() {
        return !placements.isEmpty() || !call.named().isEmpty();
    }
}
