package dev.postern.store.sql;

import static java.util.stream.Collectors.joining;

import dev.postern.gate.approval.Approval;
import dev.postern.gate.approval.Approval.SecretUse;
import dev.postern.gate.approval.Approval.State;
import dev.postern.gate.approval.ApprovalStore;
import dev.postern.gate.approval.PastDecision;
import dev.postern.gate.approval.RiskReason;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Approvals at rest (P5, P7). A decision takes effect only on a pending approval, and only one caller can collect it; both
 * are conditional updates. A person's decision is in the operators' log.
 */
public final class SqlApprovals implements ApprovalStore {
    private static final String INSERT = """
            INSERT INTO approval (id, fingerprint, digest, nonce, agent, agent_name, user_name, server, tool, arguments,
                secrets, destination, risk, risk_reasons, definition_hash, policy_revision, created_at, expires_at, state)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";
    private static final String INSERT_SECRET =
            "INSERT INTO approval_secret (approval_id, secret_id, field, server, tool) VALUES (?, ?, ?, ?, ?)";
    private static final String DECIDED = """
            FROM approval_secret s JOIN approval a ON a.id = s.approval_id
            WHERE s.secret_id = ? AND s.server = ? AND s.tool = ? AND a.decided_by IS NOT NULL""";
    private static final String DECISIONS =
            "SELECT a.*, s.field AS field " + DECIDED + " ORDER BY a.decided_at DESC, a.id LIMIT ?";
    private static final String WAS_GRANTED = "SELECT EXISTS (SELECT 1 " + DECIDED
            + " AND a.state <> 'DENIED' AND s.field = ? AND (? IS NULL OR a.destination = ?))";
    private static final String FIND = "SELECT * FROM approval WHERE id = ?";
    private static final String UNSEEN = """
            SELECT * FROM approval WHERE fingerprint = ? AND seen_at IS NULL AND state <> 'USED'
            ORDER BY created_at DESC, id LIMIT 1""";
    private static final String PENDING = "SELECT * FROM approval WHERE state = 'PENDING' ORDER BY created_at, id";
    private static final String RECENT = """
            SELECT * FROM approval WHERE state <> 'PENDING'
            ORDER BY coalesce(decided_at, expires_at) DESC, id LIMIT ?""";
    private static final String PENDING_AT = "SELECT count(*) FROM approval WHERE state = 'PENDING' AND expires_at > ?";
    private static final String PENDING_OF = "SELECT count(*) FROM approval WHERE state = 'PENDING' AND agent = ?";
    /** A yes after the time is over is no yes, whatever the clock said when the person clicked (P7). */
    private static final String DECIDE = """
            UPDATE approval SET state = ?, decided_by = ?, note = ?, decided_at = ?
            WHERE id = ? AND state = 'PENDING' AND (? <> 'GRANTED' OR expires_at > ?)""";

    private static final String COLLECT = """
            UPDATE approval SET state = CASE state WHEN 'GRANTED' THEN 'USED' ELSE state END, seen_at = ?
            WHERE id = ? AND state NOT IN ('PENDING', 'USED') AND seen_at IS NULL""";

    private static final String TOLD =
            "UPDATE approval SET told_at = ? WHERE id = ? AND state = 'PENDING' AND told_at IS NULL";
    private static final String END_UNTOLD = """
            UPDATE approval SET state = 'CANCELLED', decided_at = ?, seen_at = ?
            WHERE state = 'PENDING' AND told_at IS NULL""";

    private final Database database;
    private final OperatorLog log;

    SqlApprovals(Database database, OperatorLog log) {
        this.database = database;
        this.log = log;
    }

    @Override
    public void insert(Approval approval) {
        database.write("approval.insert", statements -> {
            statements.update(
                    INSERT,
                    approval.id(),
                    approval.fingerprint(),
                    approval.digest(),
                    approval.nonce(),
                    approval.agent(),
                    approval.agentName(),
                    approval.user(),
                    approval.server(),
                    approval.tool(),
                    approval.arguments(),
                    written(approval.secrets()),
                    approval.destination(),
                    approval.risk().name(),
                    approval.riskReasons().stream().map(RiskReason::name).collect(joining(" ")),
                    approval.definitionHash(),
                    approval.policyRevision(),
                    approval.created(),
                    approval.expires(),
                    State.PENDING.name());
            for (SecretUse use : approval.secrets()) {
                statements.update(
                        INSERT_SECRET,
                        approval.id(),
                        use.id().toString(),
                        use.field(),
                        approval.server(),
                        approval.tool());
            }
            return true;
        });
    }

    @Override
    public Optional<Approval> find(String id) {
        return database.read("approval.find", statements -> statements.first(FIND, SqlApprovals::approval, id));
    }

    @Override
    public Optional<Approval> unseen(String fingerprint) {
        return database.read(
                "approval.unseen", statements -> statements.first(UNSEEN, SqlApprovals::approval, fingerprint));
    }

    @Override
    public List<Approval> pending() {
        return database.read("approval.pending", statements -> statements.list(PENDING, SqlApprovals::approval));
    }

    @Override
    public List<Approval> recent(int count) {
        return database.read("approval.recent", statements -> statements.list(RECENT, SqlApprovals::approval, count));
    }

    @Override
    public int pendingOf(String agent) {
        return Math.toIntExact(
                database.read("approval.pending-of", statements -> statements.number(PENDING_OF, agent)));
    }

    @Override
    public int pendingAt(Instant now) {
        return Math.toIntExact(database.read("approval.pending-at", statements -> statements.number(PENDING_AT, now)));
    }

    @Override
    public List<PastDecision> decisions(String server, String tool, UUID secret, int limit) {
        return database.read(
                "approval.decisions",
                statements -> statements.list(
                        DECISIONS,
                        row -> new PastDecision(
                                row.text("id"),
                                row.text("agent_name"),
                                secret,
                                row.text("field"),
                                row.text("destination"),
                                State.valueOf(row.text("state")) != State.DENIED,
                                row.text("decided_by"),
                                row.instant("decided_at"),
                                row.textOrNull("note")),
                        secret.toString(),
                        server,
                        tool,
                        limit));
    }

    @Override
    public boolean wasGranted(String server, String tool, UUID secret, String field, @Nullable String destination) {
        return database.read(
                "approval.was-granted",
                statements ->
                        statements.number(WAS_GRANTED, secret.toString(), server, tool, field, destination, destination)
                                == 1);
    }

    @Override
    public boolean decide(String id, State to, @Nullable String decidedBy, @Nullable String note, Instant at) {
        if (to == State.PENDING || to == State.USED) {
            throw new IllegalArgumentException("not a decision");
        }
        return database.write("approval.decide", statements -> {
            boolean decided = statements.update(DECIDE, to.name(), decidedBy, note, at, id, to.name(), at) == 1;
            if (decided && decidedBy != null) {
                log.record(statements, decidedBy, to == State.GRANTED ? "approval.grant" : "approval.deny", id);
            }
            return decided;
        });
    }

    /**
     * {@inheritDoc}
     *
     * <p>Committed, and on the disk with the intent that has to follow it before anything leaves (L3).
     */
    @Override
    public boolean collect(String id, Instant at) {
        return database.writeAhead("approval.collect", statements -> statements.update(COLLECT, at, id) == 1);
    }

    @Override
    public void told(Collection<String> ids, Instant at) {
        database.write("approval.told", statements -> {
            int told = 0;
            for (String id : ids) {
                told += statements.update(TOLD, at, id);
            }
            return told;
        });
    }

    @Override
    public int endUntold(Instant at) {
        return database.write("approval.end-untold", statements -> statements.update(END_UNTOLD, at, at));
    }

    private static Approval approval(Row row) throws SQLException {
        return new Approval(
                row.text("id"),
                row.text("fingerprint"),
                row.text("digest"),
                row.text("nonce"),
                row.text("agent"),
                row.text("agent_name"),
                row.text("user_name"),
                row.text("server"),
                row.text("tool"),
                row.bytes("arguments"),
                read(row.text("secrets")),
                row.text("destination"),
                Approval.Risk.valueOf(row.text("risk")),
                reasons(row.text("risk_reasons")),
                row.text("definition_hash"),
                row.number("policy_revision"),
                row.instant("created_at"),
                row.instant("expires_at"),
                State.valueOf(row.text("state")),
                row.textOrNull("decided_by"),
                row.textOrNull("note"),
                row.instantOrNull("decided_at"));
    }

    private static List<RiskReason> reasons(String names) {
        return names.isEmpty()
                ? List.of()
                : Arrays.stream(names.split(" ")).map(RiskReason::valueOf).toList();
    }

    private static String written(List<SecretUse> uses) {
        List<Map<String, @Nullable Object>> list = uses.stream()
                .map(use -> {
                    Map<String, @Nullable Object> members = new LinkedHashMap<>();
                    members.put("id", use.id());
                    members.put("name", use.name());
                    members.put("website", use.website());
                    members.put("username", use.username());
                    members.put("field", use.field());
                    members.put("version", Long.toString(use.version()));
                    return members;
                })
                .toList();
        return new String(JsonWriter.write(list), StandardCharsets.UTF_8);
    }

    private static List<SecretUse> read(String array) {
        return JsonValue.parse(array.getBytes(StandardCharsets.UTF_8)).elements().stream()
                .map(use -> new SecretUse(
                        UUID.fromString(member(use, "id")),
                        member(use, "name"),
                        use.string("website"),
                        use.string("username"),
                        member(use, "field"),
                        Long.parseLong(member(use, "version"))))
                .toList();
    }

    private static String member(JsonValue object, String name) {
        String text = object.string(name);
        if (text == null) {
            throw StoreException.during("approval.read", "no " + name);
        }
        return text;
    }
}
