package dev.postern.gate.definition;

import dev.postern.gate.call.ToolName;
import dev.postern.gate.diff.LineDiff;
import java.time.Instant;
import java.util.List;

/**
 * A tool whose definition is no longer the approved one, as a person is shown it.
 *
 * @param hash of the new definition: what {@link Pins#accept} is to be told
 * @param before the approved definition, readable
 * @param after the new one, readable
 * @param approvedAt when and by whom the old one was approved
 * @param seenAt when the new one was first seen
 */
public record ChangedDefinition(
        ToolName tool,
        String hash,
        String before,
        String after,
        Instant approvedAt,
        String approvedBy,
        Instant seenAt) {
    /** What changed, line by line. */
    public List<LineDiff.Line> lines() {
        return LineDiff.of(before, after);
    }
}
