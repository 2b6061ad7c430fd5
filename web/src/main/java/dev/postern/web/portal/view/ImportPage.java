package dev.postern.web.portal.view;

import java.util.List;

/** The upload, or what a file holds, with every value masked. */
public record ImportPage(String wrong, List<Row> rows) {
    public ImportPage {
        rows = List.copyOf(rows);
    }

    /**
     * One secret of the file.
     *
     * @param index its place in the file
     * @param title what the file calls it
     * @param name what the vault would call it
     * @param remark what a person should know; empty if nothing
     */
    public record Row(
            int index,
            String title,
            String name,
            String website,
            String username,
            boolean hasNotes,
            List<String> tags,
            boolean isChosen,
            String remark) {}
}
