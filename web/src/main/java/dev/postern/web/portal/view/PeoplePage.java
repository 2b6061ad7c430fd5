package dev.postern.web.portal.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * People and their roles.
 *
 * @param wrong what to mend of what was sent; empty at first
 * @param link a link that was just made, shown this once; empty if none was
 * @param linkFor whom it signs in
 */
public record PeoplePage(List<Row> rows, String wrong, String link, String linkFor) {
    public PeoplePage {
        rows = List.copyOf(rows);
    }

    /** One person. */
    public record Row(
            String id,
            String name,
            String role,
            boolean canProve,
            @Nullable Moment lastSignIn,
            int sessions,
            boolean isMe) {}

    @Override
    public String toString() {
        return "PeoplePage[" + rows.size() + "]";
    }
}
