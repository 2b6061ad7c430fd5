package dev.postern.gate.ledger;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a call came to what it came to: what it was decided on, so that the decision can be checked later from the record
 * alone, and when each stage was done.
 *
 * @param decision what the decision rested on; null where the call was refused before it was judged
 * @param stages in order
 */
public record CallTrace(@Nullable Decision decision, List<Stage> stages) {
    public CallTrace {
        stages = List.copyOf(stages);
    }

    /**
     * What a call was judged, approved and confirmed on (P5, P6).
     *
     * @param policyRevision the revision that judged it
     * @param definitionHash the tool definition it was made for; empty where the server never listed the tool
     * @param secretVersions {@code <id>.<field>@<version>}, one for each of the entry's secret references
     * @param approval the id of the approval it collected; null where none was needed, or a grant stood for it
     */
    public record Decision(
            long policyRevision,
            String definitionHash,
            List<String> secretVersions,
            @Nullable String approval) {
        public Decision {
            secretVersions = List.copyOf(secretVersions);
        }

        /** The same decision, approved. */
        public Decision approvedBy(@Nullable String id) {
            return new Decision(policyRevision, definitionHash, secretVersions, id);
        }
    }

    /**
     * A stage that was done.
     *
     * @param name such as {@code approved}
     * @param after the time since the call came in
     */
    public record Stage(String name, Duration after) {}
}
