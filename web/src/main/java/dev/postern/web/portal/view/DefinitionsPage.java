package dev.postern.web.portal.view;

import java.util.List;

/** Tools whose definitions were changed. */
public record DefinitionsPage(List<Row> rows, boolean isConfirmed) {
    public DefinitionsPage {
        rows = List.copyOf(rows);
    }

    /**
     * One tool.
     *
     * @param hash of the definition that is shown, and that accepting accepts
     */
    public record Row(
            String server,
            String tool,
            List<Segment> name,
            String hash,
            String approvedBy,
            Moment approved,
            Moment seen,
            Difference difference) {}
}
