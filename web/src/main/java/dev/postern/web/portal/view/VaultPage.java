package dev.postern.web.portal.view;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The vault's list.
 *
 * @param query what was searched for; empty for everything
 * @param offset how many come before these
 * @param total how many match
 */
public record VaultPage(String query, List<Row> rows, int offset, int total, boolean mayWrite) {
    /** So many secrets are on a page. */
    public static final int SHOWN = 100;

    public VaultPage {
        rows = List.copyOf(rows);
    }

    /** One secret: everything but its secret parts. */
    public record Row(
            String name,
            String website,
            String username,
            String description,
            List<String> fields,
            List<String> tags,
            List<String> servers,
            List<String> tools,
            List<String> hosts,
            long version,
            String owner,
            Moment created,
            Moment updated,
            boolean mayWrite) {
        /** Where it may go, in a line. */
        public String destinations() {
            if (servers.isEmpty() && tools.isEmpty() && hosts.isEmpty()) {
                return "anywhere you approve";
            }
            StringBuilder line = new StringBuilder();
            add(line, "servers", servers);
            add(line, "tools", tools);
            add(line, "hosts", hosts);
            return line.toString();
        }

        private static void add(StringBuilder line, String what, List<String> names) {
            if (!names.isEmpty()) {
                line.append(line.isEmpty() ? "" : "; ").append(what).append(' ').append(String.join(", ", names));
            }
        }
    }

    public boolean hasNewer() {
        return offset > 0;
    }

    public boolean hasOlder() {
        return offset + rows.size() < total;
    }

    public String newer() {
        return link(Math.max(0, offset - SHOWN));
    }

    public String older() {
        return link(offset + SHOWN);
    }

    private String link(int from) {
        return "/vault?q=" + URLEncoder.encode(query, StandardCharsets.UTF_8) + "&from=" + from;
    }
}
