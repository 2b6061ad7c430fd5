package dev.postern.store.ledger;

import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.store.sql.Statements;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What people ask of the entries that are in the database. */
final class LedgerQueries {
    private static final String COLUMNS = LineFormat.ENTRY.columnList("");

    /** A text is looked for in so many entries a page, so that one that is rare, or not there, does not cost the whole ledger. */
    private static final long TEXT_SPAN = 100_000;

    private static final String TRACE =
            "SELECT decision, stages FROM ledger_trace WHERE id = ? ORDER BY position DESC LIMIT 1";

    private static final String OF_APPROVAL = "SELECT " + LineFormat.ENTRY.columnList("l.") + """
             FROM ledger l JOIN ledger_trace t ON t.id = l.id
            WHERE l.at >= ? AND json_extract(t.decision, '$.approval') = ? ORDER BY l.position LIMIT 1""";

    private final Statements statements;

    LedgerQueries(Statements statements) {
        this.statements = statements;
    }

    LedgerPage page(LedgerFilter filter, long before, int limit) throws SQLException {
        long end = statements.number("SELECT coalesce(max(position), 0) FROM ledger");
        long top = Math.min(before, end + 1);
        long floor = filter.text() == null ? 0 : Math.max(0, top - TEXT_SPAN);
        List<Object> parameters = filter.parameters();
        parameters.add(top);
        parameters.add(floor);
        parameters.add(limit + 1);
        List<ChainRow> rows = statements.list(
                "SELECT " + COLUMNS + " FROM ledger WHERE " + filter.condition()
                        + " AND position < ? AND position >= ? ORDER BY position DESC LIMIT ?",
                row -> ChainRow.read(LineFormat.ENTRY, row),
                parameters.toArray());
        boolean more = rows.size() > limit;
        List<ChainRow> shown = more ? rows.subList(0, limit) : rows;
        long older = more ? shown.getLast().position() : floor;
        return new LedgerPage(shown.stream().map(LedgerLine::of).toList(), older);
    }

    Optional<LedgerLine> ofApproval(String approval, Instant since) throws SQLException {
        return statements.first(
                OF_APPROVAL, row -> LedgerLine.of(ChainRow.read(LineFormat.ENTRY, row)), Lines.at(since), approval);
    }

    List<LedgerLine> after(LedgerFilter filter, long position, int limit) throws SQLException {
        List<Object> parameters = filter.parameters();
        parameters.add(position);
        parameters.add(limit);
        return statements.list(
                "SELECT " + COLUMNS + " FROM ledger WHERE " + filter.condition()
                        + " AND position > ? ORDER BY position LIMIT ?",
                row -> LedgerLine.of(ChainRow.read(LineFormat.ENTRY, row)),
                parameters.toArray());
    }

    List<LedgerBucket> buckets(LedgerFilter filter, Duration length) throws SQLException {
        long seconds = length.toSeconds();
        List<Object> parameters = filter.parameters();
        parameters.addFirst(seconds);
        return statements.list(
                """
                        SELECT unixepoch(at) / ? AS bucket,
                            count(*) AS calls,
                            sum(disposition IN ('SECRET_UNRESOLVED', 'SECRET_FORBIDDEN', 'POLICY_DENIED', 'DENIED',
                                'APPROVAL_EXPIRED', 'QUEUE_FULL', 'KILL_SWITCH', 'SCRUB_FAILED')) AS refusals,
                            sum(disposition IN ('FAILED', 'TIMED_OUT', 'CANCELLED')) AS failures,
                            sum(disposition IN ('DENIED', 'APPROVAL_EXPIRED', 'APPROVAL_PENDING')
                                OR coalesce(approver, 'grant:') NOT LIKE 'grant:%%') AS waits,
                            sum(scrub_hits) AS scrub_hits
                        FROM ledger WHERE %s GROUP BY bucket ORDER BY bucket""".formatted(filter.condition()),
                row -> new LedgerBucket(
                        Instant.ofEpochSecond(row.number("bucket") * seconds),
                        row.number("calls"),
                        row.number("refusals"),
                        row.number("failures"),
                        row.number("waits"),
                        row.number("scrub_hits")),
                parameters.toArray());
    }

    LedgerTimeline timeline(LedgerLine line) throws SQLException {
        Optional<LedgerTimeline> traced = statements.first(
                TRACE,
                row -> timeline(line, parsed(row.textOrNull("decision")), parsed(row.text("stages"))),
                line.id());
        return traced.orElseGet(() -> new LedgerTimeline(line, null, null, List.of(), List.of()));
    }

    private static LedgerTimeline timeline(LedgerLine line, @Nullable JsonValue decision, @Nullable JsonValue stages) {
        List<LedgerTimeline.Stage> done = new ArrayList<>();
        if (stages != null) {
            stages.forEachMember((name, after) ->
                    done.add(new LedgerTimeline.Stage(name.string(), Duration.ofNanos(number(after) * 1_000))));
        }
        if (decision == null) {
            return new LedgerTimeline(line, null, null, List.of(), done);
        }
        JsonValue versions = decision.member("secret_versions");
        JsonValue revision = decision.member("policy_revision");
        return new LedgerTimeline(
                line,
                revision == null ? null : number(revision),
                decision.string("approval"),
                versions == null
                        ? List.of()
                        : versions.elements().stream().map(JsonValue::string).toList(),
                done);
    }

    private static long number(JsonValue value) {
        try {
            return value.is(Kind.NUMBER) ? Long.parseLong(value.spelling()) : 0;
        } catch (NumberFormatException e) {
            return 0; // Changed by somebody; verification says so.
        }
    }

    private static @Nullable JsonValue parsed(@Nullable String json) {
        try {
            return json == null ? null : JsonValue.parse(json.getBytes(StandardCharsets.UTF_8));
        } catch (JsonException e) {
            return null; // Changed by somebody; verification says so.
        }
    }
}
