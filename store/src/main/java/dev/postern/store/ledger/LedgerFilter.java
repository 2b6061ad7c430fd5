package dev.postern.store.ledger;

import dev.postern.json.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which entries of the ledger are wanted; null where any will do.
 *
 * @param agent the agent's name
 * @param server the server's name
 * @param tool without its server
 * @param disposition such as {@code EXECUTED}
 * @param text stands in the arguments, error, id, approver or secret references, in either case of ASCII letters
 * @param since came in at this time or later
 * @param until came in before this time
 */
public record LedgerFilter(
        @Nullable String agent,
        @Nullable String server,
        @Nullable String tool,
        @Nullable String disposition,
        @Nullable String text,
        @Nullable Instant since,
        @Nullable Instant until) {
    private static final String SEPARATOR = "__";
    private static final Duration LONGEST_CALL = Duration.ofDays(2);

    /** Every entry. */
    public static final LedgerFilter ALL = new LedgerFilter(null, null, null, null, null, null, null);

    public LedgerFilter byAgent(@Nullable String name) {
        return new LedgerFilter(name, server, tool, disposition, text, since, until);
    }

    public LedgerFilter onServer(@Nullable String name) {
        return new LedgerFilter(agent, name, tool, disposition, text, since, until);
    }

    /** Those of a tool: {@code server__tool}, or a tool's own name for any server's. */
    public LedgerFilter ofTool(@Nullable String name) {
        int separator = name == null ? -1 : name.indexOf(SEPARATOR);
        return name == null || separator < 0
                ? new LedgerFilter(agent, server, name, disposition, text, since, until)
                : new LedgerFilter(
                        agent,
                        name.substring(0, separator),
                        name.substring(separator + SEPARATOR.length()),
                        disposition,
                        text,
                        since,
                        until);
    }

    public LedgerFilter withDisposition(@Nullable String name) {
        return new LedgerFilter(agent, server, tool, name, text, since, until);
    }

    public LedgerFilter containing(@Nullable String words) {
        return new LedgerFilter(agent, server, tool, disposition, words, since, until);
    }

    public LedgerFilter between(@Nullable Instant from, @Nullable Instant to) {
        return new LedgerFilter(agent, server, tool, disposition, text, from, to);
    }

    /** Whether it leaves nothing out. */
    public boolean isAll() {
        return equals(ALL);
    }

    /** Whether an archived segment may hold what is wanted. */
    boolean mayReach(ArchivedSegment segment) {
        // A call that came in earlier may have ended, and been written, later: the ends of a segment are not its
        // extremes.
        return since == null || segment.lastAt().compareTo(Lines.at(since.minus(LONGEST_CALL))) >= 0;
    }

    /** Whether an exported line is wanted; for lines that no database holds. */
    boolean admits(byte[] line) {
        if (isAll()) {
            return true;
        }
        JsonValue entry = JsonValue.parse(line);
        String at = String.valueOf(entry.string("at"));
        return equal(agent, entry, "agent")
                && equal(server, entry, "server")
                && equal(tool, entry, "tool")
                && equal(disposition, entry, "disposition")
                && (since == null || at.compareTo(Lines.at(since)) >= 0)
                && (until == null || at.compareTo(Lines.at(until)) < 0)
                && (text == null || contains(entry, text));
    }

    private static boolean equal(@Nullable String wanted, JsonValue entry, String name) {
        return wanted == null || wanted.equals(entry.string(name));
    }

    private static boolean contains(JsonValue entry, String text) {
        String wanted = text.toLowerCase(Locale.ROOT);
        for (String name : List.of("arguments", "error", "id", "approver", "secret_refs")) {
            JsonValue value = entry.member(name);
            if (value != null && value.spelling().toLowerCase(Locale.ROOT).contains(wanted)) {
                return true;
            }
        }
        return false;
    }

    /** A condition over the table {@code ledger}; {@code 1} where it leaves nothing out. */
    String condition() {
        List<String> conditions = new ArrayList<>();
        conditions.add("1");
        if (agent != null) {
            conditions.add("agent = ?");
        }
        if (server != null) {
            conditions.add("server = ?");
        }
        if (tool != null) {
            conditions.add("tool = ?");
        }
        if (disposition != null) {
            conditions.add("disposition = ?");
        }
        if (since != null) {
            conditions.add("at >= ?");
        }
        if (until != null) {
            conditions.add("at < ?");
        }
        if (text != null) {
            conditions.add("(arguments LIKE ? ESCAPE '!' OR error LIKE ? ESCAPE '!' OR id LIKE ? ESCAPE '!'"
                    + " OR approver LIKE ? ESCAPE '!' OR secret_refs LIKE ? ESCAPE '!')");
        }
        return String.join(" AND ", conditions);
    }

    /** The parameters of {@link #condition()}, in order. */
    List<Object> parameters() {
        List<Object> parameters = new ArrayList<>();
        for (String equal : new @Nullable String[] {agent, server, tool, disposition}) {
            if (equal != null) {
                parameters.add(equal);
            }
        }
        if (since != null) {
            parameters.add(Lines.at(since));
        }
        if (until != null) {
            parameters.add(Lines.at(until));
        }
        if (text != null) {
            String like = "%" + text.replace("!", "!!").replace("%", "!%").replace("_", "!_") + "%";
            parameters.addAll(List.of(like, like, like, like, like));
        }
        return parameters;
    }
}
