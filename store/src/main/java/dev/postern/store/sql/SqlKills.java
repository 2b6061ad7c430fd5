package dev.postern.store.sql;

import dev.postern.gate.policy.Kill;
import dev.postern.gate.policy.KillStore;
import java.sql.SQLException;
import java.util.List;

/** The kill switch at rest, one row for each scope that is stopped (A3). Every change is in the operators' log. */
public final class SqlKills implements KillStore {
    private static final String ENGAGED = "SELECT * FROM kill ORDER BY engaged_at, kind, name";
    private static final String ENGAGE = """
            INSERT INTO kill (kind, name, engaged_at, actor, reason) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (kind, name) DO UPDATE SET engaged_at = excluded.engaged_at, actor = excluded.actor,
                reason = excluded.reason""";
    private static final String RELEASE = "DELETE FROM kill WHERE kind = ? AND name = ?";
    private static final String STOPS_ALL = "SELECT count(*) FROM kill WHERE kind = 'ALL'";

    private final Database database;
    private final OperatorLog log;

    SqlKills(Database database, OperatorLog log) {
        this.database = database;
        this.log = log;
    }

    /** Whether everything is stopped, as it is stored. */
    static boolean stopsAll(Statements statements) throws SQLException {
        return statements.number(STOPS_ALL) > 0;
    }

    @Override
    public List<Kill> engaged() {
        return database.read(
                "kill.engaged",
                statements -> statements.list(
                        ENGAGED,
                        row -> new Kill(
                                new Kill.Scope(Kill.Kind.valueOf(row.text("kind")), row.text("name")),
                                row.instant("engaged_at"),
                                row.text("actor"),
                                row.textOrNull("reason"))));
    }

    @Override
    public void engage(Kill kill) {
        database.write("kill.engage", statements -> {
            statements.update(
                    ENGAGE, kill.scope().kind().name(), kill.scope().name(), kill.since(), kill.actor(), kill.reason());
            log.record(statements, kill.actor(), "kill.on", subject(kill));
            return true;
        });
    }

    @Override
    public boolean release(Kill.Scope scope, String actor) {
        return database.write("kill.release", statements -> {
            boolean released = statements.update(RELEASE, scope.kind().name(), scope.name()) == 1;
            if (released) {
                log.record(statements, actor, "kill.off", scope.toString());
            }
            return released;
        });
    }

    private static String subject(Kill kill) {
        return kill.reason() == null ? kill.scope().toString() : kill.scope() + ": " + kill.reason();
    }
}
