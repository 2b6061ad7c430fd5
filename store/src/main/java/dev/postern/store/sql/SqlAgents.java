package dev.postern.store.sql;

import static java.util.stream.Collectors.joining;

import dev.postern.gate.agent.AgentStore;
import dev.postern.gate.agent.Caller;
import dev.postern.gate.agent.Permission;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Agents and the hashes of their keys (A1). Every call authenticates, so live agents are held in memory, which is sound
 * while this process alone holds the data directory; when a key was last used is written at most once a minute.
 */
public final class SqlAgents implements AgentStore {
    /** All agents of one node belong to the local user and share one memory of recent values (S9). */
    private static final String USER = "local";

    private static final Duration LAST_USED_STEP = Duration.ofMinutes(1);

    private static final String LIVE = "SELECT * FROM agent WHERE revoked_at IS NULL";
    private static final String ALL = "SELECT * FROM agent ORDER BY created_at, id";
    private static final String NAMED = "SELECT * FROM agent WHERE name = ? AND revoked_at IS NULL";
    private static final String FIND = "SELECT * FROM agent WHERE (id = ? OR name = ?) AND revoked_at IS NULL";
    private static final String INSERT = """
            INSERT INTO agent (id, name, user_name, key_prefix, key_hash, denied, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)""";
    private static final String REVOKE = "UPDATE agent SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL";
    private static final String USED = "UPDATE agent SET last_used_at = ? WHERE id = ?";

    private final Database database;
    private final OperatorLog log;
    private final InstantSource clock;
    private final Map<String, Caller> byKeyHash = new ConcurrentHashMap<>();
    private final Map<String, Caller> byId = new ConcurrentHashMap<>();
    private final Map<String, Instant> lastUsedWritten = new ConcurrentHashMap<>();

    SqlAgents(Database database, OperatorLog log, InstantSource clock) {
        this.database = database;
        this.log = log;
        this.clock = clock;
        database.read(
                "agent.load",
                statements -> statements.list(LIVE, row -> {
                    remember(row.bytes("key_hash"), caller(row));
                    return row;
                }));
    }

    /**
     * {@inheritDoc}
     *
     * <p>The key is hashed before it is looked up, so the time tells about a hash at most, from which no key follows.
     */
    @Override
    public Optional<Caller> authenticate(String key) {
        if (!AgentKey.wellFormed(key)) {
            return Optional.empty();
        }
        Optional<Caller> caller = Optional.ofNullable(byKeyHash.get(hex(AgentKey.hash(key))));
        caller.ifPresent(agent -> used(agent.agent()));
        return caller;
    }

    @Override
    public Optional<Caller> find(String agent) {
        return Optional.ofNullable(byId.get(agent));
    }

    @Override
    public NewAgent add(String name, Set<Permission> denied, String by) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("An agent needs a name.");
        }
        String id = UUID.randomUUID().toString();
        String key = AgentKey.random();
        byte[] hash = AgentKey.hash(key);
        Caller caller = new Caller(id, name, USER, Set.copyOf(denied));
        database.write("agent.add", statements -> {
            if (statements.first(NAMED, SqlAgents::caller, name).isPresent()) {
                throw new IllegalArgumentException("An agent of that name is there already.");
            }
            statements.update(INSERT, id, name, USER, AgentKey.visible(key), hash, labels(denied), clock.instant());
            log.record(statements, by, "agent.add", name);
            return true;
        });
        remember(hash, caller);
        return new NewAgent(id, name, key);
    }

    @Override
    public List<AgentSummary> list() {
        return database.read(
                "agent.list",
                statements -> statements.list(
                        ALL,
                        row -> new AgentSummary(
                                row.text("id"),
                                row.text("name"),
                                row.text("key_prefix"),
                                permissions(row.text("denied")),
                                row.instant("created_at"),
                                row.instantOrNull("last_used_at"),
                                row.instantOrNull("revoked_at") != null)));
    }

    @Override
    public boolean revoke(String idOrName, String by) {
        Optional<Caller> revoked = database.write("agent.revoke", statements -> {
            Optional<Caller> found = statements.first(FIND, SqlAgents::caller, idOrName, idOrName);
            if (found.isPresent()) {
                statements.update(REVOKE, clock.instant(), found.get().agent());
                log.record(statements, by, "agent.revoke", found.get().name());
            }
            return found;
        });
        revoked.ifPresent(agent -> {
            byId.remove(agent.agent());
            byKeyHash.values().remove(agent);
        });
        return revoked.isPresent();
    }

    private void used(String agent) {
        Instant now = clock.instant();
        Instant written = lastUsedWritten.get(agent);
        if (written == null || now.isAfter(written.plus(LAST_USED_STEP))) {
            lastUsedWritten.put(agent, now);
            // Nobody waits for it, and a lost one is written a minute later.
            var _ = database.writeLater("agent.used", statements -> statements.update(USED, now, agent));
        }
    }

    private void remember(byte[] keyHash, Caller caller) {
        byId.put(caller.agent(), caller);
        byKeyHash.put(hex(keyHash), caller);
    }

    private static String hex(byte[] hash) {
        return HexFormat.of().formatHex(hash);
    }

    private static Caller caller(Row row) throws SQLException {
        return new Caller(row.text("id"), row.text("name"), row.text("user_name"), permissions(row.text("denied")));
    }

    private static String labels(Set<Permission> permissions) {
        return permissions.stream().map(Permission::label).sorted().collect(joining(" "));
    }

    private static Set<Permission> permissions(String labels) {
        Set<Permission> permissions = EnumSet.noneOf(Permission.class);
        Arrays.stream(labels.split(" "))
                .filter(label -> !label.isEmpty())
                .map(Permission::parse)
                .forEach(permissions::add);
        return Set.copyOf(permissions);
    }
}
