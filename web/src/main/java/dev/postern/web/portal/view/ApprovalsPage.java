package dev.postern.web.portal.view;

import java.util.List;

/**
 * The queue, oldest first, and what became of the last ones.
 *
 * @param more how many further requests wait that are not on the page
 */
public record ApprovalsPage(List<ApprovalCard> cards, int more, List<Decided> decided) {
    public ApprovalsPage {
        cards = List.copyOf(cards);
        decided = List.copyOf(decided);
    }

    /**
     * A request that is over.
     *
     * @param decision who decided what
     * @param outcome whether it ran, and how it ended
     * @param style {@code good}, {@code warn}, {@code bad} or empty
     * @param isOpen whether more will happen
     */
    public record Decided(
            String id,
            Moment at,
            List<Segment> call,
            String agent,
            String decision,
            String outcome,
            String style,
            boolean isOpen) {}
}
