package dev.postern.web.portal.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Agents and their keys.
 *
 * @param wrong what to mend of what was sent; empty at first
 */
public record AgentsPage(List<Row> rows, String wrong, String name) {
    public AgentsPage {
        rows = List.copyOf(rows);
    }

    /**
     * One agent.
     *
     * @param key the visible start of its key
     * @param may what it may do, in words
     * @param lastUsed null if never
     */
    public record Row(
            String id,
            List<Segment> name,
            String plainName,
            String key,
            String may,
            Moment created,
            @Nullable Moment lastUsed,
            boolean isRevoked) {}
}
