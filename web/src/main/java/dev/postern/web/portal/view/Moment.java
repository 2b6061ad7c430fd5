package dev.postern.web.portal.view;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * A point in time as pages show it: UTC, which the text says, because a server does not know where its reader sits.
 *
 * @param now when the page was made
 */
public record Moment(Instant at, Instant now) {
    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("d MMM yyyy, HH:mm:ss", Locale.ENGLISH).withZone(ZoneOffset.UTC);

    /** For machines: RFC 3339. */
    public String iso() {
        return at.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    /** The time today, else the date as well. */
    public String clock() {
        boolean isToday = at.truncatedTo(ChronoUnit.DAYS).equals(now.truncatedTo(ChronoUnit.DAYS));
        return (isToday ? CLOCK.format(at) : DAY.format(at)) + " UTC";
    }

    /** Date and time. */
    public String full() {
        return DAY.format(at) + " UTC";
    }

    /** Such as {@code 3 minutes ago} or {@code in 2 hours}. */
    public String relative() {
        Duration apart = Duration.between(at, now);
        boolean isPast = !apart.isNegative();
        Duration size = apart.abs();
        String words = size.toSeconds() < 60
                ? "less than a minute"
                : size.toMinutes() < 60
                        ? count(size.toMinutes(), "minute")
                        : size.toHours() < 48 ? count(size.toHours(), "hour") : count(size.toDays(), "day");
        return isPast ? words + " ago" : "in " + words;
    }

    private static String count(long number, String unit) {
        return number + " " + unit + (number == 1 ? "" : "s");
    }
}
