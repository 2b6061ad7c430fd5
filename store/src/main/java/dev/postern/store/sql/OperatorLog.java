package dev.postern.store.sql;

import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * What people did, in order: decisions on approvals, writes of secrets, policy, agents and grants, the kill switch. Rows
 * are only ever added, in the transaction of what they record. They name things, never hold a value.
 */
public final class OperatorLog {
    /** Who acts where nobody signed in: the user of this machine, at the command line. */
    public static final String OPERATOR = "operator";

    private static final String RECORD =
            "INSERT INTO operator_act (position, at, actor, act, subject) VALUES (?, ?, ?, ?, ?)";
    private static final String LATEST = "SELECT * FROM operator_act ORDER BY position DESC LIMIT ?";

    private final Database database;
    private final InstantSource clock;

    OperatorLog(Database database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    /**
     * One act.
     *
     * @param act what was done, such as {@code secret.rotate}
     * @param subject to what: a name or an id
     */
    public record Act(long position, Instant at, String actor, String act, String subject) {}

    /** Records an act that is no write of this store, such as a start or a stop. */
    public void record(String actor, String act, String subject) {
        database.write("operator.record", statements -> {
            record(statements, actor, act, subject);
            return true;
        });
    }

    /** The latest acts, newest first. */
    public List<Act> latest(int limit) {
        return database.read(
                "operator.latest",
                statements -> statements.list(
                        LATEST,
                        row -> new Act(
                                row.number("position"),
                                row.instant("at"),
                                row.text("actor"),
                                row.text("act"),
                                row.text("subject")),
                        limit));
    }

    /** Records an act in the transaction that does it. */
    void record(Statements statements, String actor, String act, String subject) throws SQLException {
        long position = statements.number("SELECT coalesce(max(position), 0) + 1 FROM operator_act");
        statements.update(RECORD, position, clock.instant(), actor, act, subject);
    }
}
