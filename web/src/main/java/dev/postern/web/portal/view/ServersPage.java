package dev.postern.web.portal.view;

import java.util.List;

/**
 * The configured servers.
 *
 * @param changed how many tools have another definition than the approved one
 */
public record ServersPage(List<Row> rows, int changed) {
    public ServersPage {
        rows = List.copyOf(rows);
    }

    /** One server. */
    public record Row(List<Segment> name, String link, String plainName, boolean isStopped) {}
}
