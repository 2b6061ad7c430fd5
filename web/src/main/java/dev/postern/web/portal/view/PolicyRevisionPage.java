package dev.postern.web.portal.view;

/**
 * One revision of the policy.
 *
 * @param text the document as it was applied
 * @param change how it differs from the revision before
 * @param fromCurrent how it differs from what is in force
 * @param base the revision that is in force
 */
public record PolicyRevisionPage(
        PolicyPage.Revision revision,
        String text,
        Difference change,
        Difference fromCurrent,
        long base,
        boolean mayApply) {
    public boolean isCurrent() {
        return revision.number() == base;
    }
}
