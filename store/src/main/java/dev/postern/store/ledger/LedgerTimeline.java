package dev.postern.store.ledger;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one call came to what it came to.
 *
 * @param line its entry
 * @param policyRevision the revision it was judged by; null if it was refused before, or is no governed call
 * @param approval the id of the approval it collected, if it did
 * @param secretVersions {@code <id>.<field>@<version>}
 * @param stages in order; empty for what is no governed call, or was cut short by a crash
 */
public record LedgerTimeline(
        LedgerLine line,
        @Nullable Long policyRevision,
        @Nullable String approval,
        List<String> secretVersions,
        List<Stage> stages) {
    public LedgerTimeline {
        secretVersions = List.copyOf(secretVersions);
        stages = List.copyOf(stages);
    }

    /**
     * A stage that was done: {@code admitted}, {@code judged}, {@code resolved}, {@code approved}, {@code confirmed}, {@code
     * intended}, {@code answered}, {@code scrubbed}, {@code closed}.
     *
     * @param after the time since the call came in, in microseconds
     */
    public record Stage(String name, Duration after) {}
}
