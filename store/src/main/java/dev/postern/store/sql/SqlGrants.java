package dev.postern.store.sql;

import dev.postern.gate.grant.GrantStore;
import dev.postern.reference.Field;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Grants at rest (P4). A claim takes one use of a grant for every scope in one transaction, or nothing. Of several grants
 * that cover a scope, one without a limit of uses is taken first, then the one that ends first. Giving and revoking one is
 * in the operators' log.
 */
public final class SqlGrants implements GrantStore {
    private static final String LIVE =
            "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?) AND (uses_left IS NULL OR uses_left > 0)";
    private static final String COVERS =
            " WHERE agent = ? AND tool = ? AND secret_id = ? AND field = ?" + " AND destination = ? AND " + LIVE;

    private static final String INSERT = """
            INSERT INTO access_grant (id, agent, tool, secret_id, field, destination, expires_at, uses_left, created_at,
                created_by, agent_name, secret_name)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";
    private static final String LIST = "SELECT * FROM access_grant WHERE " + LIVE + " ORDER BY created_at DESC, id";
    private static final String LIVE_IDS =
            "SELECT id FROM access_grant WHERE " + LIVE + " AND (? IS NULL OR agent = ?) ORDER BY created_at, id";
    private static final String REVOKE = "UPDATE access_grant SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL";
    private static final String COVERED = "SELECT count(*) FROM access_grant" + COVERS;
    private static final String CLAIM = "UPDATE access_grant SET uses_left = uses_left - 1, last_used_at = ?"
            + " WHERE id = (SELECT id FROM access_grant" + COVERS
            + " ORDER BY uses_left IS NOT NULL, coalesce(expires_at, 9223372036854775807), created_at, id LIMIT 1)"
            + " RETURNING id";
    private static final String STANDING = "SELECT count(*) FROM access_grant WHERE id = ? AND revoked_at IS NULL"
            + " AND (expires_at IS NULL OR expires_at > ?)";

    private final Database database;
    private final OperatorLog log;
    private final InstantSource clock;

    SqlGrants(Database database, OperatorLog log, InstantSource clock) {
        this.database = database;
        this.log = log;
        this.clock = clock;
    }

    @Override
    public void add(Grant grant) {
        Scope scope = grant.scope();
        database.write("grant.add", statements -> {
            statements.update(
                    INSERT,
                    grant.id(),
                    scope.agent(),
                    scope.tool(),
                    scope.secret().toString(),
                    scope.field().label(),
                    scope.destination(),
                    grant.expires(),
                    grant.usesLeft(),
                    grant.created(),
                    grant.createdBy(),
                    grant.agentName(),
                    grant.secretName());
            log.record(statements, grant.createdBy(), "grant.add", grant.id());
            return true;
        });
    }

    @Override
    public List<Grant> list() {
        Instant now = clock.instant();
        return database.read("grant.list", statements -> statements.list(LIST, SqlGrants::grant, now));
    }

    @Override
    public boolean revoke(String id, String actor) {
        return database.write("grant.revoke", statements -> {
            boolean revoked = statements.update(REVOKE, clock.instant(), id) == 1;
            if (revoked) {
                log.record(statements, actor, "grant.revoke", id);
            }
            return revoked;
        });
    }

    @Override
    public int revokeAll(@Nullable String agent, String actor) {
        Instant now = clock.instant();
        return database.write("grant.revoke-all", statements -> {
            List<String> ids = statements.list(LIVE_IDS, row -> row.text("id"), now, agent, agent);
            for (String id : ids) {
                statements.update(REVOKE, now, id);
                log.record(statements, actor, "grant.revoke", id);
            }
            return ids.size();
        });
    }

    /**
     * {@inheritDoc}
     *
     * <p>Committed, and on the disk with the intent that has to follow it before anything leaves (L3).
     */
    @Override
    public Optional<List<String>> claim(List<Scope> scopes, Instant now) {
        Set<Scope> distinct = new LinkedHashSet<>(scopes);
        if (distinct.isEmpty() || !covered(distinct, now)) {
            return Optional.empty();
        }
        try {
            return Optional.of(database.writeAhead("grant.claim", statements -> claim(statements, distinct, now)));
        } catch (NotCoveredException e) {
            return Optional.empty();
        }
    }

    /** Most calls have no grant; they are told so without a place in the writer's queue. */
    private boolean covered(Set<Scope> scopes, Instant now) {
        return database.read("grant.covered", statements -> {
            for (Scope scope : scopes) {
                if (statements.number(
                                COVERED,
                                scope.agent(),
                                scope.tool(),
                                scope.secret().toString(),
                                scope.field().label(),
                                scope.destination(),
                                now)
                        == 0) {
                    return false;
                }
            }
            return true;
        });
    }

    private static List<String> claim(Statements statements, Set<Scope> scopes, Instant now) throws SQLException {
        List<String> claimed = new ArrayList<>();
        for (Scope scope : scopes) {
            claimed.add(statements
                    .first(
                            CLAIM,
                            row -> row.text("id"),
                            now,
                            scope.agent(),
                            scope.tool(),
                            scope.secret().toString(),
                            scope.field().label(),
                            scope.destination(),
                            now)
                    .orElseThrow(NotCoveredException::new));
        }
        return List.copyOf(claimed);
    }

    @Override
    public boolean standing(List<String> ids, Instant now) {
        return database.read("grant.standing", statements -> {
            for (String id : ids) {
                if (statements.number(STANDING, id, now) == 0) {
                    return false;
                }
            }
            return true;
        });
    }

    private static Grant grant(Row row) throws SQLException {
        String field = row.text("field");
        return new Grant(
                row.text("id"),
                new Scope(
                        row.text("agent"),
                        row.text("tool"),
                        UUID.fromString(row.text("secret_id")),
                        labelled(field),
                        row.text("destination")),
                row.instantOrNull("expires_at"),
                row.integerOrNull("uses_left"),
                row.instant("created_at"),
                row.text("created_by"),
                row.instantOrNull("last_used_at"),
                row.text("agent_name"),
                row.text("secret_name"));
    }

    private static Field labelled(String label) {
        Field field = Field.labelled(label);
        if (field == null) {
            throw StoreException.during("grant.read", "unknown field");
        }
        return field;
    }

    /** Rolls the uses back that were taken for other scopes of the call. */
    private static final class NotCoveredException extends RuntimeException {
        NotCoveredException() {
            super("no live grant", null, false, false);
        }
    }
}
