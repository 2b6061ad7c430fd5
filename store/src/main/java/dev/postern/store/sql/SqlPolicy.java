package dev.postern.store.sql;

import dev.postern.gate.policy.PolicyStore;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Policy documents, every revision of them. Every call asks, so what is in force is held in memory,
 * which is sound while this process alone holds the data directory.
 */
public final class SqlPolicy implements PolicyStore {
    /** As a person would write it, since it is what the editor shows first. */
    private static final String DEFAULT = """
            {
              "secretBearingCalls": "ASK",
              "secretReferencesEnabled": true,
              "resultScrubbingEnabled": true,
              "servers": {},
              "tools": {}
            }""";

    private static final String CURRENT = "SELECT revision, document FROM policy ORDER BY revision DESC LIMIT 1";
    private static final String HISTORY =
            "SELECT revision, applied_at, actor FROM policy WHERE revision < ? ORDER BY revision DESC LIMIT ?";
    private static final String FIND = "SELECT revision, document FROM policy WHERE revision = ?";
    private static final String INSERT =
            "INSERT INTO policy (revision, document, applied_at, actor) VALUES (?, ?, ?, ?)";

    private final Database database;
    private final OperatorLog log;
    private final InstantSource clock;
    private volatile Stored current;

    SqlPolicy(Database database, OperatorLog log, InstantSource clock) {
        this.database = database;
        this.log = log;
        this.clock = clock;
        this.current = database.read(
                "policy.load",
                statements -> statements
                        .first(CURRENT, row -> new Stored(row.number("revision"), row.bytes("document")))
                        .orElseGet(() -> new Stored(0, DEFAULT.getBytes(StandardCharsets.UTF_8))));
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
    public List<Revision> history(long before, int limit) {
        return database.read(
                "policy.history",
                statements -> statements.list(
                        HISTORY,
                        row -> new Revision(row.number("revision"), row.instant("applied_at"), row.text("actor")),
                        before,
                        limit));
    }

    @Override
    public Optional<Stored> find(long revision) {
        return revision == 0
                ? Optional.of(new Stored(0, DEFAULT.getBytes(StandardCharsets.UTF_8)))
                : database.read(
                        "policy.find",
                        statements -> statements.first(
                                FIND, row -> new Stored(row.number("revision"), row.bytes("document")), revision));
    }
}
