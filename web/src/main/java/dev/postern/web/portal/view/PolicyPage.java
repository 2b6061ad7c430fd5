package dev.postern.web.portal.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The policy's editor.
 *
 * @param text what stands in the editor
 * @param base the revision that the editor started from
 * @param verdict what checking came to; null where nothing was checked
 * @param history revisions, newest first
 * @param isConfirmed whether the person proved just now that it is them, as applying asks
 */
public record PolicyPage(
        String text,
        long base,
        boolean isReadable,
        @Nullable Verdict verdict,
        List<Revision> history,
        boolean mayApply,
        boolean isConfirmed) {
    /** So many revisions are listed. */
    public static final int REVISIONS_SHOWN = 100;

    public PolicyPage {
        history = List.copyOf(history);
    }

    /**
     * What a check said.
     *
     * @param wrong place and remedy; empty where the text is a policy
     */
    public record Verdict(String wrong, Difference difference) {
        public boolean isGood() {
            return wrong.isEmpty();
        }
    }

    /** One revision that was in force. */
    public record Revision(long number, String by, Moment at) {}
}
