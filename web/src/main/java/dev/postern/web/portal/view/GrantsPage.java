package dev.postern.web.portal.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Live grants (P4). */
public record GrantsPage(List<Row> rows, boolean mayRevoke) {
    public GrantsPage {
        rows = List.copyOf(rows);
    }

    /** One grant; what is null has no bound, or never was. */
    public record Row(
            String id,
            String agent,
            List<Segment> tool,
            String secret,
            List<Segment> destination,
            @Nullable Moment expires,
            String usesLeft,
            String createdBy,
            Moment created,
            @Nullable Moment lastUsed) {}
}
