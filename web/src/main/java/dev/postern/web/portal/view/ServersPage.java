package dev.postern.web.portal.view;

import java.util.List;

/** The configured servers. */
public record ServersPage(List<Row> rows) {
    public ServersPage {
        rows = List.copyOf(rows);
    }

    /** One server. */
    public record Row(List<Segment> name, String link, String plainName, boolean isStopped) {}
}
