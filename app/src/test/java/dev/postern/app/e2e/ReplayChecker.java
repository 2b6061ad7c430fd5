package dev.postern.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.app.e2e.ReplayJournal.Change;
import dev.postern.app.e2e.ReplayJournal.Kind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Replays a record after the fact: the ledger, what it says each call was decided on, and what people did, against when each
 * change took hold. Shares no code with what it judges; it reads the database by SQL alone, JSON included.
 *
 * <p>A call was confirmed between the moments its record calls {@code approved} and {@code confirmed}. It was allowed if for
 * everything it rested on there is a moment in that stretch at which it was in force. A change that may have taken hold within the
 * stretch excuses both.
 */
final class ReplayChecker implements AutoCloseable {
    /** The ledger's time of a call is cut to milliseconds. */
    private static final long CUT_MICROS = 1_000;

    private static final String EXECUTED = """
            SELECT l.position, l.id, l.agent, l.server, l.tool, l.arguments, l.secret_refs, l.approver,
                CAST(round(unixepoch(l.at, 'subsec') * 1000) AS INTEGER) * 1000 AS opened,
                json_extract(t.stages, '$.approved') AS approved,
                json_extract(t.stages, '$.confirmed') AS confirmed,
                json_extract(t.decision, '$.policy_revision') AS revision,
                json_extract(t.decision, '$.approval') AS approval,
                json_extract(t.decision, '$.definition') AS definition,
                json_extract(t.decision, '$.secret_versions') AS versions,
                i.decision = t.decision AS announced
            FROM ledger l JOIN ledger_trace t ON t.id = l.id LEFT JOIN ledger_intent i ON i.position = l.intent
            WHERE l.disposition = 'EXECUTED' AND l.secret_refs <> '[]' ORDER BY l.position""";

    /** One row of an answer, by column. */
    private static final class Row extends TreeMap<String, @Nullable Object> {}

    private final Connection connection;
    private final ReplayJournal journal;
    private final List<String> violations = new ArrayList<>();

    private ReplayChecker(Connection connection, ReplayJournal journal) {
        this.connection = connection;
        this.journal = journal;
    }

    /** What was found, and how many executed calls were looked at. */
    record Findings(int executed, int byPerson, int byGrant, List<String> violations) {}

    static Findings check(Path database, ReplayJournal journal) throws SQLException {
        try (ReplayChecker checker =
                new ReplayChecker(DriverManager.getConnection("jdbc:sqlite:" + database), journal)) {
            return checker.run();
        }
    }

    private Findings run() throws SQLException {
        Map<String, Row> agents = byKey("SELECT * FROM agent", "name");
        Map<String, Row> approvals = byKey("SELECT * FROM approval", "id");
        Map<String, Row> grants = byKey("SELECT * FROM access_grant", "id");
        Map<String, Row> secrets = byKey("SELECT * FROM secret", "id");
        Set<String> usedApprovals = new HashSet<>();
        Set<String> markers = new HashSet<>();
        Map<String, Integer> grantUses = new HashMap<>();
        int byPerson = 0;
        int byGrant = 0;
        List<Row> executed = rows(EXECUTED);
        for (Row call : executed) {
            if (!markers.add(text(call, "arguments"))) {
                report(call, "the same call ran twice");
            }
            if (number(call, "announced") != 1) {
                report(call, "its intent says that it was decided on something else");
            }
            checkKill(call);
            checkPolicy(call);
            checkSecrets(call, secrets);
            checkAgent(call);
            String approver = text(call, "approver");
            if (approver.startsWith("grant:")) {
                byGrant++;
                for (String id : approver.substring("grant:".length()).split(",", -1)) {
                    grantUses.merge(id, 1, Integer::sum);
                    checkGrant(call, grants.get(id), agents, id);
                }
            } else {
                byPerson++;
                String id = text(call, "approval");
                if (!usedApprovals.add(id)) {
                    report(call, "another call ran on the same approval");
                }
                checkApproval(call, approvals.get(id), agents);
            }
        }
        checkUses(grantUses, grants);
        return new Findings(executed.size(), byPerson, byGrant, List.copyOf(violations));
    }

    private void checkKill(Row call) {
        List<Change> off = journal.of(Kind.UNKILL);
        List<Change> on = journal.of(Kind.KILL);
        for (int i = 0; i < on.size(); i++) {
            long until = i < off.size() ? off.get(i).asked() : Long.MAX_VALUE;
            if (on.get(i).answered() < from(call) && until > to(call)) {
                report(call, "the kill switch was on");
            }
        }
    }

    private void checkPolicy(Row call) throws SQLException {
        long revision = number(call, "revision");
        // The journal's first change made the second revision there was, and so on.
        List<Long> revisions = new ArrayList<>();
        rows("SELECT revision FROM policy ORDER BY revision").forEach(row -> revisions.add(number(row, "revision")));
        List<Change> changes = journal.of(Kind.POLICY);
        int base = revisions.size() - changes.size();
        int index = revisions.indexOf(revision) - base;
        if (index >= 0 && changes.get(index).asked() > to(call)) {
            report(call, "its policy was not yet in force");
        }
        if (index + 1 < changes.size() && changes.get(index + 1).answered() < from(call)) {
            report(call, "its policy was no longer in force");
        }
        String tool = text(call, "server") + "__" + text(call, "tool");
        for (Row policy : rows(
                "SELECT coalesce(json_extract(d, '$.secretBearingCalls'), 'ASK') AS bearing,"
                        + " coalesce(json_extract(d, '$.secretReferencesEnabled'), 1) AS enabled,"
                        + " coalesce(json_extract(d, '$.tools.' || ?), '') AS tool,"
                        + " coalesce(json_extract(d, '$.servers.' || ?), '') AS server"
                        + " FROM (SELECT CAST(document AS TEXT) AS d FROM policy WHERE revision = ?)",
                tool,
                text(call, "server"),
                revision)) {
            if (!text(policy, "bearing").equals("ASK")
                    || number(policy, "enabled") != 1
                    || text(policy, "tool").equals("DENY")
                    || text(policy, "server").equals("DENY")) {
                report(call, "its policy denied it");
            }
        }
    }

    private void checkSecrets(Row call, Map<String, Row> secrets) throws SQLException {
        List<Row> used = rows("SELECT value FROM json_each(?)", text(call, "versions"));
        if (used.isEmpty()) {
            report(call, "it bears secrets of no version");
        }
        for (Row one : used) {
            String use = text(one, "value");
            long version = Long.parseLong(use.substring(use.indexOf('@') + 1));
            Row secret = secrets.get(use.substring(0, use.indexOf('.')));
            if (secret == null) {
                report(call, "its secret never was");
                continue;
            }
            List<Change> rotations = journal.of(Kind.ROTATE, text(secret, "name"));
            // The first rotation made version 2.
            int made = (int) version - 2;
            if (version < 1) {
                report(call, "its secret never had such a version");
                continue;
            }
            if (made >= 0 && (made >= rotations.size() || rotations.get(made).asked() > to(call))) {
                report(call, "its secret's version was not there yet");
            }
            if (made + 1 < rotations.size() && rotations.get(made + 1).answered() < from(call)) {
                report(call, "its secret had been rotated");
            }
        }
    }

    private void checkAgent(Row call) {
        for (Change revoked : journal.of(Kind.REVOKE_AGENT, text(call, "agent"))) {
            if (revoked.answered() < from(call)) {
                report(call, "its agent was revoked");
            }
        }
    }

    private void checkApproval(Row call, @Nullable Row approval, Map<String, Row> agents) throws SQLException {
        if (approval == null) {
            report(call, "its approval never was");
            return;
        }
        if (!text(approval, "state").equals("USED")) {
            report(call, "its approval is " + text(approval, "state"));
        }
        if (!text(approval, "decided_by").equals(text(call, "approver"))) {
            report(call, "somebody else approved");
        }
        Row agent = agents.get(text(call, "agent"));
        boolean same = agent != null
                && text(approval, "agent").equals(text(agent, "id"))
                && text(approval, "server").equals(text(call, "server"))
                && text(approval, "tool").equals(text(call, "tool"))
                && text(approval, "definition_hash").equals(text(call, "definition"))
                && number(approval, "policy_revision") == number(call, "revision")
                && rows(
                                "SELECT json(CAST(? AS TEXT)) = json(?) AS same",
                                blobText(approval, "arguments"),
                                text(call, "arguments"))
                        .stream()
                        .allMatch(row -> number(row, "same") == 1);
        if (!same) {
            report(call, "its approval was given for something else");
        }
        Set<String> approved = new HashSet<>();
        rows(
                        "SELECT json_extract(value, '$.id') || '.' || json_extract(value, '$.field') || '@'"
                                + " || json_extract(value, '$.version') AS use FROM json_each(?)",
                        text(approval, "secrets"))
                .forEach(row -> approved.add(text(row, "use")));
        Set<String> delivered = new HashSet<>();
        rows("SELECT value FROM json_each(?)", text(call, "versions"))
                .forEach(row -> delivered.add(text(row, "value")));
        if (!approved.equals(delivered)) {
            report(call, "it delivers other secrets than were approved");
        }
        long decided = number(approval, "decided_at") * 1_000;
        if (decided > to(call) + CUT_MICROS || number(approval, "expires_at") < number(approval, "decided_at")) {
            report(call, "its approval came too late");
        }
    }

    private void checkGrant(Row call, @Nullable Row grant, Map<String, Row> agents, String id) {
        if (grant == null) {
            report(call, "its grant never was");
            return;
        }
        Row agent = agents.get(text(call, "agent"));
        boolean covers = agent != null
                && text(grant, "agent").equals(text(agent, "id"))
                && text(grant, "tool").equals(text(call, "server") + "__" + text(call, "tool"))
                && text(call, "versions")
                        .contains(text(grant, "secret_id") + "."
                                + text(grant, "field").toLowerCase(Locale.ROOT) + "@");
        if (!covers) {
            report(call, "its grant covers something else");
        }
        if (grant.get("expires_at") != null && number(grant, "expires_at") * 1_000 < from(call)) {
            report(call, "its grant had expired");
        }
        for (Change revoked : journal.of(Kind.REVOKE_GRANT, id)) {
            if (revoked.answered() < from(call)) {
                report(call, "its grant was revoked");
            }
        }
    }

    /** Each use that is gone was one call at most; a call that was refused at the confirm step used one up as well. */
    private void checkUses(Map<String, Integer> uses, Map<String, Row> grants) {
        uses.forEach((id, used) -> {
            Row grant = grants.get(id);
            if (grant != null
                    && grant.get("uses_left") != null
                    && used > ReplayTest.GRANTED_USES - number(grant, "uses_left")) {
                violations.add("grant " + id + " was used more often than it allowed");
            }
        });
    }

    private void report(Row call, String what) {
        violations.add("entry " + call.get("position") + " (" + call.get("id") + "): " + what);
    }

    /** Not before this was it confirmed. */
    private static long from(Row call) {
        return number(call, "opened") + number(call, "approved");
    }

    /** Not after this was it confirmed. */
    private static long to(Row call) {
        return number(call, "opened") + number(call, "confirmed") + CUT_MICROS;
    }

    private Map<String, Row> byKey(String sql, String key) throws SQLException {
        Map<String, Row> byKey = new HashMap<>();
        rows(sql).forEach(row -> byKey.put(text(row, key), row));
        return byKey;
    }

    private List<Row> rows(String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            List<Row> rows = new ArrayList<>();
            try (ResultSet results = statement.executeQuery()) {
                while (results.next()) {
                    Row row = new Row();
                    for (int i = 1; i <= results.getMetaData().getColumnCount(); i++) {
                        row.put(results.getMetaData().getColumnLabel(i), results.getObject(i));
                    }
                    rows.add(row);
                }
            }
            return rows;
        }
    }

    private static String text(Row row, String column) {
        return String.valueOf(row.get(column));
    }

    private static String blobText(Row row, String column) {
        Object value = row.get(column);
        return value instanceof byte[] bytes ? new String(bytes, UTF_8) : String.valueOf(value);
    }

    private static long number(Row row, String column) {
        return row.get(column) instanceof Number number ? number.longValue() : Long.MIN_VALUE / 4;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
