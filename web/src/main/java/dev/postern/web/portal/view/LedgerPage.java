package dev.postern.web.portal.view;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A stretch of the ledger, newest first.
 *
 * @param older where the next page begins; 0 where there is none
 * @param result what a check of the whole chain came to; empty where none was asked for
 */
public record LedgerPage(
        Filter filter, List<Row> rows, long older, List<String> agents, List<String> dispositions, Check result) {
    public LedgerPage {
        rows = List.copyOf(rows);
        agents = List.copyOf(agents);
        dispositions = List.copyOf(dispositions);
    }

    /** What is looked for; empty where anything will do. Times are {@code yyyy-MM-ddTHH:mm}, UTC. */
    public record Filter(String text, String agent, String tool, String disposition, String since, String until) {
        public static final Filter ALL = new Filter("", "", "", "", "", "");

        public boolean isAll() {
            return equals(ALL);
        }

        String query() {
            return "q=" + encoded(text) + "&agent=" + encoded(agent) + "&tool=" + encoded(tool) + "&disposition="
                    + encoded(disposition) + "&since=" + encoded(since) + "&until=" + encoded(until);
        }

        private static String encoded(String text) {
            return URLEncoder.encode(text, StandardCharsets.UTF_8);
        }
    }

    /** What a check said. */
    public record Check(String style, String text) {
        public static final Check NONE = new Check("", "");
    }

    /** One call. */
    public record Row(
            String id,
            Moment at,
            String agent,
            List<Segment> call,
            String disposition,
            String style,
            String approver,
            int secrets,
            long durationMillis,
            long scrubHits) {}

    public String olderLink() {
        return "/ledger?" + filter.query() + "&before=" + older;
    }
}
