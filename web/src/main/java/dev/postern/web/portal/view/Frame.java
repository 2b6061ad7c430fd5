package dev.postern.web.portal.view;

import dev.postern.gate.agent.Right;
import java.util.List;
import java.util.Set;

/**
 * What stands around every page.
 *
 * @param section the menu entry that the page belongs to
 * @param path where the page is, to come back to
 * @param token goes into every form
 * @param waiting how many requests wait for a decision
 */
public record Frame(
        String title,
        String section,
        String path,
        String person,
        String role,
        Set<Right> rights,
        String token,
        List<Stop> stops,
        int waiting,
        List<Flash> flashes,
        String style,
        String script,
        String icon) {
    public Frame {
        stops = List.copyOf(stops);
        rights = Set.copyOf(rights);
        flashes = List.copyOf(flashes);
    }

    /**
     * An engaged kill switch.
     *
     * @param scope as a form sends it: {@code all}, {@code agent:NAME} or {@code server:NAME}
     * @param what it stops, in words
     * @param why who engaged it, and their reason
     */
    public record Stop(String scope, String what, String why, Moment since) {}

    /** One entry of the menu. */
    public record Entry(String name, String path, boolean isApart) {}

    /** Whether every call is stopped. */
    public boolean isStopped() {
        return stops.stream().anyMatch(stop -> stop.scope().equals("all"));
    }

    public boolean may(Right right) {
        return rights.contains(right);
    }

    public boolean mayWatch() {
        return may(Right.SEE_APPROVALS);
    }

    public boolean mayDecide() {
        return may(Right.DECIDE_APPROVALS);
    }

    /** The pages this person can open. */
    public List<Entry> menu() {
        return Page.all().stream()
                .filter(page -> may(page.right()))
                .map(page -> new Entry(page.title(), page.path(), page == Page.POLICY))
                .toList();
    }
}
