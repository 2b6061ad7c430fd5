package dev.postern.gate.definition;

import dev.postern.gate.call.ToolName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A tool's definition as a person approved it, and the one its server shows now, if that is another. What looks like a secret
 * in either is masked.
 *
 * @param hash of the definition as the server showed it
 * @param definition name, title, description, schemas and annotations in canonical form
 * @param pinnedAt when it was approved
 * @param actor who approved it
 * @param acceptedAt when a change was accepted; null while the first definition stands
 */
public record Pin(
        ToolName tool,
        String hash,
        byte[] definition,
        Instant pinnedAt,
        String actor,
        @Nullable Instant acceptedAt,
        @Nullable Seen seen) {
    /** Another definition that the server showed. */
    public record Seen(String hash, byte[] definition, Instant at) {
        @Override
        public String toString() {
            return "Seen[" + hash + "]";
        }
    }

    /** Whether the server shows another definition than the approved one. */
    public boolean isChanged() {
        return seen != null;
    }

    @Override
    public String toString() {
        return "Pin[" + tool + " " + hash + "]";
    }
}
