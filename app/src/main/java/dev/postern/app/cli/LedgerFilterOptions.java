package dev.postern.app.cli;

import dev.postern.gate.call.Disposition;
import dev.postern.store.ledger.LedgerFilter;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which entries of the ledger are wanted. */
final class LedgerFilterOptions {
    private static final Pattern AGO = Pattern.compile("(\\d{1,6})([smhd])");

    @Option(names = "--agent", paramLabel = "NAME", description = "Only this agent's.")
    private @Nullable String agent;

    @Option(names = "--tool", paramLabel = "SERVER__TOOL", description = "Only this tool's.")
    private @Nullable String tool;

    @Option(names = "--server", paramLabel = "NAME", description = "Only this server's.")
    private @Nullable String server;

    @Option(names = "--disposition", paramLabel = "NAME", description = "Only with this outcome, such as EXECUTED.")
    private @Nullable String disposition;

    @Option(names = "--text", paramLabel = "TEXT", description = "Only where arguments, error, id or approver have it.")
    private @Nullable String text;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Only from then on: 2026-03-01, 2026-03-01T12:00:00Z, or 90m, 12h, 7d ago.")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "TIME", description = "Only before then.")
    private @Nullable String until;

    /** @throws IllegalArgumentException with a sentence, if one of them means nothing */
    LedgerFilter filter() {
        String outcome = disposition == null ? null : disposition.toUpperCase(Locale.ROOT);
        if (outcome != null
                && Arrays.stream(Disposition.values())
                        .noneMatch(one -> one.name().equals(outcome))) {
            throw new IllegalArgumentException(
                    "--disposition is one of " + Arrays.toString(Disposition.values()) + ".");
        }
        LedgerFilter filter = LedgerFilter.ALL.ofTool(tool);
        return (server == null ? filter : filter.onServer(server))
                .byAgent(agent)
                .withDisposition(outcome)
                .containing(text)
                .between(time("--since", since), time("--until", until));
    }

    /** A moment as people write one; null for null. */
    static @Nullable Instant time(String option, @Nullable String text) {
        if (text == null) {
            return null;
        }
        Matcher ago = AGO.matcher(text);
        try {
            if (ago.matches()) {
                long number = Long.parseLong(ago.group(1));
                return Instant.now()
                        .minus(
                                switch (ago.group(2)) {
                                    case "s" -> Duration.ofSeconds(number);
                                    case "m" -> Duration.ofMinutes(number);
                                    case "h" -> Duration.ofHours(number);
                                    default -> Duration.ofDays(number);
                                });
            }
            return text.indexOf('T') > 0
                    ? Instant.parse(text)
                    : LocalDate.parse(text).atStartOfDay(ZoneId.systemDefault()).toInstant();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(option
                    + " is a date such as 2026-03-01, a time such as 2026-03-01T12:00:00Z, or an age such as 12h.");
        }
    }
}
