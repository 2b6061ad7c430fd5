package dev.postern.store.sql;

import static java.util.stream.Collectors.joining;

import dev.postern.gate.agent.AgentStore;
import dev.postern.gate.agent.Caller;
import dev.postern.gate.agent.Permission;
import dev.postern.gate.listen.Listeners;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Agents and the hashes of their keys (A1). Every call authenticates, so live keys are held in memory, which is sound
 * while this process alone holds the data directory; when a key was last used is written at most once a minute.
 */
public final class SqlAgents implements AgentStore {
    /** All agents of one node belong to the local user and share one memory of recent values (S9). */
    private static final String USER = "local";

    private static final Duration LAST_USED_STEP = Duration.ofMinutes(1);

    private static final String LIVE_KEYS = """
            SELECT agent.*, agent_key.hash, agent_key.expires_at FROM agent JOIN agent_key ON agent_key.agent = agent.id
            WHERE agent.revoked_at IS NULL""";
    private static final String ALL = "SELECT * FROM agent ORDER BY created_at, id";
    private static final String ALL_KEYS = "SELECT * FROM agent_key ORDER BY created_at DESC, rowid DESC";
    private static final String NAMED = "SELECT * FROM agent WHERE name = ? AND revoked_at IS NULL";
    private static final String FIND = "SELECT * FROM agent WHERE (id = ? OR name = ?) AND revoked_at IS NULL";
    private static final String INSERT =
            "INSERT INTO agent (id, name, user_name, denied, created_at) VALUES (?, ?, ?, ?, ?)";
    private static final String INSERT_KEY =
            "INSERT INTO agent_key (hash, agent, prefix, created_at, expires_at) VALUES (?, ?, ?, ?, ?)";
    private static final String END_KEYS =
            "UPDATE agent_key SET expires_at = ? WHERE agent = ? AND (expires_at IS NULL OR expires_at > ?)";
    private static final String REVOKE = "UPDATE agent SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL";
    private static final String USED = "UPDATE agent_key SET last_used_at = ? WHERE hash = ?";

    private final Database database;
    private final OperatorLog log;
    private final InstantSource clock;
    private final Map<String, Key> byHash = new ConcurrentHashMap<>();
    private final Map<String, Instant> lastUsedWritten = new ConcurrentHashMap<>();
    private final Listeners<Caller> keysEnded = new Listeners<>("agents' keys that end");
    /** Held while a change is made, so that what is in memory follows the database in its order. */
    private final Object changing = new Object();

    /** A key that works, until it expires. */
    private record Key(Caller caller, @Nullable Instant expires) {
        boolean isLive(Instant now) {
            return expires == null || now.isBefore(expires);
        }
    }

    SqlAgents(Database database, OperatorLog log, InstantSource clock) {
        this.database = database;
        this.log = log;
        this.clock = clock;
        database.read(
                "agent.load",
                statements -> statements.list(LIVE_KEYS, row -> {
                    byHash.put(hex(row.bytes("hash")), new Key(caller(row), row.instantOrNull("expires_at")));
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
        byte[] hash = AgentKey.hash(key);
        Key known = byHash.get(hex(hash));
        if (known == null || !known.isLive(clock.instant())) {
            return Optional.empty();
        }
        used(hash);
        return Optional.of(known.caller());
    }

    @Override
    public Optional<Caller> find(String agent) {
        Instant now = clock.instant();
        return byHash.values().stream()
                .filter(key -> key.caller().agent().equals(agent) && key.isLive(now))
                .map(Key::caller)
                .findFirst();
    }

    @Override
    public NewAgent add(String name, Set<Permission> denied, @Nullable Instant expires, String actor) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("An agent needs a name.");
        }
        Caller caller = new Caller(UUID.randomUUID().toString(), name, USER, Set.copyOf(denied));
        String key = AgentKey.random();
        synchronized (changing) {
            database.write("agent.add", statements -> {
                if (statements.first(NAMED, SqlAgents::caller, name).isPresent()) {
                    throw new IllegalArgumentException("An agent of that name is there already.");
                }
                statements.update(INSERT, caller.agent(), name, USER, labels(denied), clock.instant());
                insertKey(statements, caller, key, expires);
                log.record(statements, actor, "agent.add", name);
                return true;
            });
            remember(caller, key, expires);
        }
        return new NewAgent(caller.agent(), name, key);
    }

    @Override
    public Optional<NewAgent> rotate(String idOrName, Duration overlap, @Nullable Instant expires, String actor) {
        String key = AgentKey.random();
        Instant now = clock.instant();
        Instant end = now.plus(overlap);
        Optional<Caller> rotated;
        synchronized (changing) {
            rotated = database.write("agent.rotate", statements -> {
                Optional<Caller> found = statements.first(FIND, SqlAgents::caller, idOrName, idOrName);
                if (found.isPresent()) {
                    statements.update(END_KEYS, end, found.get().agent(), end);
                    insertKey(statements, found.get(), key, expires);
                    log.record(statements, actor, "agent.rotate", found.get().name());
                }
                return found;
            });
            rotated.ifPresent(caller -> {
                byHash.replaceAll((hash, known) -> known.caller().agent().equals(caller.agent()) && known.isLive(end)
                        ? new Key(caller, end)
                        : known);
                remember(caller, key, expires);
            });
        }
        if (!end.isAfter(now)) {
            rotated.ifPresent(keysEnded::announce);
        }
        return rotated.map(caller -> new NewAgent(caller.agent(), caller.name(), key));
    }

    @Override
    public List<AgentSummary> list() {
        return database.read("agent.list", statements -> {
            Map<String, List<KeySummary>> keys = new HashMap<>();
            statements.list(
                    ALL_KEYS,
                    row -> keys.computeIfAbsent(row.text("agent"), any -> new ArrayList<>())
                            .add(new KeySummary(
                                    row.text("prefix"),
                                    row.instant("created_at"),
                                    row.instantOrNull("expires_at"),
                                    row.instantOrNull("last_used_at"))));
            return statements.list(
                    ALL,
                    row -> new AgentSummary(
                            row.text("id"),
                            row.text("name"),
                            permissions(row.text("denied")),
                            row.instant("created_at"),
                            row.instantOrNull("revoked_at") != null,
                            keys.getOrDefault(row.text("id"), List.of())));
        });
    }

    @Override
    public boolean revoke(String idOrName, String actor) {
        Optional<Caller> revoked;
        synchronized (changing) {
            revoked = database.write("agent.revoke", statements -> {
                Optional<Caller> found = statements.first(FIND, SqlAgents::caller, idOrName, idOrName);
                if (found.isPresent()) {
                    Instant now = clock.instant();
                    statements.update(REVOKE, now, found.get().agent());
                    statements.update(END_KEYS, now, found.get().agent(), now);
                    log.record(statements, actor, "agent.revoke", found.get().name());
                }
                return found;
            });
            revoked.ifPresent(agent ->
                    byHash.values().removeIf(key -> key.caller().agent().equals(agent.agent())));
        }
        revoked.ifPresent(keysEnded::announce);
        return revoked.isPresent();
    }

    @Override
    public void endExpired() {
        Instant now = clock.instant();
        Set<Caller> ended = new HashSet<>();
        byHash.values().removeIf(key -> {
            if (key.isLive(now)) {
                return false;
            }
            ended.add(key.caller());
            return true;
        });
        for (Caller caller : ended) {
            if (find(caller.agent()).isEmpty()) {
                keysEnded.announce(caller);
            }
        }
    }

    @Override
    public Listeners.Registration onKeysEnded(Consumer<Caller> listener) {
        return keysEnded.add(listener);
    }

    private void used(byte[] hash) {
        Instant now = clock.instant();
        String key = hex(hash);
        Instant written = lastUsedWritten.get(key);
        if (written == null || now.isAfter(written.plus(LAST_USED_STEP))) {
            lastUsedWritten.put(key, now);
            // Nobody waits for it, and a lost one is written a minute later.
            var _ = database.writeLater("agent.used", statements -> statements.update(USED, now, hash));
        }
    }

    private void insertKey(Statements statements, Caller caller, String key, @Nullable Instant expires)
            throws SQLException {
        statements.update(
                INSERT_KEY, AgentKey.hash(key), caller.agent(), AgentKey.visible(key), clock.instant(), expires);
    }

    private void remember(Caller caller, String key, @Nullable Instant expires) {
        byHash.put(hex(AgentKey.hash(key)), new Key(caller, expires));
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
