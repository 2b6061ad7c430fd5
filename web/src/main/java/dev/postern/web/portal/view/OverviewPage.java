package dev.postern.web.portal.view;

import java.util.List;

/**
 * What went through lately.
 *
 * @param range the stretch shown: {@code hour}, {@code day} or {@code week}
 * @param steps what to do first; empty once calls have come through
 */
public record OverviewPage(
        String range,
        List<Chart> charts,
        int waiting,
        int secrets,
        int grants,
        int agents,
        List<LedgerPage.Row> latest,
        List<Step> steps) {
    public OverviewPage {
        charts = List.copyOf(charts);
        latest = List.copyOf(latest);
        steps = List.copyOf(steps);
    }

    /** One of the first steps. */
    public record Step(String text, String path, String link, boolean isDone) {}
}
