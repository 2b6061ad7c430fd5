package dev.postern.store.sql;

import dev.postern.gate.policy.PolicyStore;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Policy documents, every revision of them, and the kill switch. Every call asks, so what is in force is held in memory,
 * which is sound while this process alone holds the data directory.
 */
public final class SqlPolicy implements PolicyStore {
    private static final String DEFAULT = """
            {"secretBearingCalls":"ASK","secretReferencesEnabled":true,"resultScrubbingEnabled":true,\
            "servers":{},"tools":{}}""";

    private static final String CURRENT = "SELECT revision, document FROM policy ORDER BY revision DESC LIMIT 1";
    private static final String INSERT =
            "INSERT INTO policy (revision, document, applied_at, actor) VALUES (?, ?, ?, ?)";
    private static final String KILLED = "SELECT engaged FROM kill_switch WHERE id = 1";
    private static final String KILL = """
            INSERT INTO kill_switch (id, engaged, changed_at, actor) VALUES (1, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET engaged = excluded.engaged, changed_at = excluded.changed_at,
                actor = excluded.actor""";

    private final Database database;
    private final OperatorLog log;
    private final InstantSource clock;
    private volatile Stored current;
    private volatile boolean killed;

    SqlPolicy(Database database, OperatorLog log, InstantSource clock) {
        this.database = database;
        this.log = log;
        this.clock = clock;
        this.current = database.read(
                "policy.load",
                statements -> statements
                        .first(CURRENT, row -> new Stored(row.number("revision"), row.bytes("document")))
                        .orElseGet(() -> new Stored(0, DEFAULT.getBytes(StandardCharsets.UTF_8))));
        this.killed = database.read("policy.killed", SqlPolicy::killed);
    }

    /** Whether the kill switch is on, as it is stored. */
    static boolean killed(Statements statements) throws SQLException {
        return statements.first(KILLED, row -> row.truth("engaged")).orElse(false);
    }

    @Override
    public Stored current() {
        return new Stored(current.revision(), current.document().clone());
    }

    @Override
    public synchronized long apply(byte[] document, String actor) {
        byte[] kept = document.clone();
        long revision = current.revision() + 1;
        database.write("policy.apply", statements -> {
            statements.update(INSERT, revision, kept, clock.instant(), actor);
            log.record(statements, actor, "policy.apply", "revision " + revision);
            return true;
        });
        current = new Stored(revision, kept);
        return revision;
    }

    @Override
    public boolean killed() {
        return killed;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Stopping takes effect before it is written, so it holds even where the disk fails; resuming, only after.
     */
    @Override
    public synchronized void kill(boolean on, String actor) {
        if (on) {
            killed = true;
        }
        Instant now = clock.instant();
        database.write("policy.kill", statements -> {
            statements.update(KILL, on, now, actor);
            log.record(statements, actor, on ? "kill.on" : "kill.off", "all calls");
            return true;
        });
        killed = on;
    }
}
