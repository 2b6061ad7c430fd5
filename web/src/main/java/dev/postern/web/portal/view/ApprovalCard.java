package dev.postern.web.portal.view;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * One request as an operator sees it (P8): the whole call, who asks, what it gets and where that goes.
 *
 * @param risk in words, lower case
 * @param reasons why the risk is what it is
 * @param previous what was decided before for this tool and these secrets
 * @param isGrantable whether a grant can be made of it: only where every host is known
 */
public record ApprovalCard(
        String id,
        String agent,
        String server,
        String tool,
        List<SecretUse> secrets,
        List<Segment> destination,
        String risk,
        List<String> reasons,
        List<String> previous,
        boolean isGrantable,
        CallArguments arguments,
        Instant created,
        Instant expires,
        Instant now) {

    /** A secret field the tool receives: {@code name — website (username) — field}. */
    public record SecretUse(String name, String website, String username, String field) {}

    public List<Segment> serverText() {
        return VisibleText.of(server).segments();
    }

    public List<Segment> toolText() {
        return VisibleText.of(tool).segments();
    }

    public String riskStyle() {
        return risk.equals("critical") ? "critical" : "high";
    }

    public long totalMillis() {
        return Duration.between(created, expires).toMillis();
    }

    public long leftMillis() {
        return Math.max(0, Duration.between(now, expires).toMillis());
    }

    public long expiresMillis() {
        return expires.toEpochMilli();
    }

    public String expiresText() {
        return new Moment(expires, now).iso();
    }

    /** Such as {@code 4:05 left}. */
    public String leftText() {
        long seconds = (leftMillis() + 999) / 1000;
        return String.format(Locale.ROOT, "%d:%02d left", seconds / 60, seconds % 60);
    }
}
