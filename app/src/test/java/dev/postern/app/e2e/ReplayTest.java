package dev.postern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Json;
import dev.postern.app.e2e.ReplayJournal.Kind;
import dev.postern.json.JsonValue;
import dev.postern.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * P4 to P6, A3: a thousand calls wait while policies, grants, secrets and agents change at random. Then the record is replayed by a
 * checker of its own: every call that ran was allowed by what was in force when it was confirmed, none ran twice, and none on another's
 * approval.
 *
 * <p>{@code -Dpostern.replay.seed=N} replays the same changes; {@code -Dpostern.replay.calls=N} waits with another number of calls.
 */
class ReplayTest {
    static final int GRANTED_USES = 5;

    private static final long SEED = Long.getLong("postern.replay.seed", 20_260_301L);
    private static final int CALLS = Integer.getInteger("postern.replay.calls", 1_000);
    private static final int AGENTS = 10;
    private static final String LAST_REVOKED = "agent9";
    private static final int NEVER_REVOKED = 8;
    private static final int LATE_CALLS = 20;
    private static final int SECRETS = 6;
    private static final int STEPS = 240;
    private static final int ATTEMPTS = 4;
    private static final List<String> TOOLS = List.of("playground__sha256", "playground__echo");
    private static final List<String> POLICIES = List.of(
            "{}",
            "{\"tools\":{\"playground__echo\":\"DENY\"}}",
            "{\"secretBearingCalls\":\"DENY\"}",
            "{\"secretReferencesEnabled\":false}",
            "{\"servers\":{\"playground\":\"ALLOW\"}}");

    @TempDir
    private Path data = Path.of("");

    private final ReplayJournal journal = new ReplayJournal();
    private final Random random = new Random(SEED);
    private final Set<Integer> answered = ConcurrentHashMap.newKeySet();

    @Test
    @DisplayName(
            "P4 to P6, A3: what ran was allowed by what was in force at its confirm step; none twice, none on another's approval")
    void everyExecutedCallWasAllowed() throws Exception {
        try (RunningGateway gateway =
                RunningGateway.start(data, "--approval-hold", "600", "--approval-timeout", "600")) {
            for (int i = 0; i < SECRETS; i++) {
                gateway.addSecret("secret" + i, "the value of secret " + i);
            }
            List<String> keys = new ArrayList<>();
            for (int i = 0; i < AGENTS; i++) {
                keys.add(String.valueOf(
                        gateway.ask("agent.add", Map.of("name", "agent" + i)).string("key")));
            }
            // However few changes come by chance: this one is replaced, so that there is a policy no longer in force.
            journal.make(Kind.POLICY, "", () -> gateway.applyPolicy("{\"servers\":{\"playground\":\"ASK\"}}"));
            try (ManyCalls many = new ManyCalls(gateway)) {
                List<CompletableFuture<Boolean>> calls = new ArrayList<>();
                for (int i = 0; i < CALLS; i++) {
                    int number = i;
                    calls.add(ManyCalls.later(() -> call(many, keys.get(number % AGENTS), number)));
                }
                ManyCalls.awaitWaiting(gateway, calls);
                changeAtRandom(gateway);
                stopOnce(gateway, CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)));
                calls.add(grantOnce(gateway, many, keys.get(NEVER_REVOKED)));
                // Calls that come after all the changes: what they rest on is not what the first ones did.
                for (int i = 0; i < LATE_CALLS; i++) {
                    int number = CALLS + i;
                    calls.add(ManyCalls.later(() -> call(many, keys.get(NEVER_REVOKED), number)));
                }
                finish(gateway, CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)));
            }
            assertThat(gateway.stop()).isZero();
        }

        Path database = data.resolve("postern.db");
        ReplayChecker.Findings found = ReplayChecker.check(database, journal);
        assertThat(found.violations()).as("seed %d", SEED).isEmpty();
        assertThat(found.byPerson()).isGreaterThan(CALLS / 50);
        assertThat(found.byGrant()).isPositive();
        assertThat(found.executed()).isEqualTo(answered.size());
        assertThat(PosternProcess.run(data, "ledger", "verify").exitCode()).isZero();
        theCheckerSees(database);
    }

    /** A checker that finds nothing proves nothing: each of these makes one wrong thing, and must be found. */
    private void theCheckerSees(Path database) throws Exception {
        Map<String, String> wrongs = new HashMap<>();
        wrongs.put(
                "no longer in force",
                "UPDATE ledger_trace SET decision = json_set(decision, '$.policy_revision', (SELECT min(revision) FROM policy))");
        wrongs.put("its policy denied it", "UPDATE policy SET document = '{\"secretBearingCalls\":\"DENY\"}'");
        wrongs.put(
                "its secret had been rotated",
                "UPDATE ledger_trace SET decision = json_set(decision, '$.secret_versions',"
                        + " json_array(substr(json_extract(decision, '$.secret_versions[0]'), 1,"
                        + " instr(json_extract(decision, '$.secret_versions[0]'), '@')) || '1'))");
        wrongs.put(
                "another call ran on the same approval",
                "UPDATE ledger_trace SET decision = json_set(decision, '$.approval', (SELECT id FROM approval WHERE state = 'USED' LIMIT 1))");
        wrongs.put("the same call ran twice", "UPDATE ledger SET arguments = '{}'");
        wrongs.put("for something else", "UPDATE approval SET agent = 'another'");
        wrongs.put("its approval is DENIED", "UPDATE approval SET state = 'DENIED'");
        wrongs.put("its agent was revoked", "UPDATE ledger SET agent = '" + LAST_REVOKED + "'");
        wrongs.put("its grant covers something else", "UPDATE access_grant SET tool = 'another'");
        wrongs.put("the kill switch was on", "UPDATE ledger SET at = '" + momentOfKill() + "'");
        for (Map.Entry<String, String> wrong : wrongs.entrySet()) {
            Path copy = Files.copy(database, data.resolve("copy.db"));
            try (var connection = DriverManager.getConnection("jdbc:sqlite:" + copy);
                    var statement = connection.createStatement()) {
                statement.execute("PRAGMA foreign_keys = OFF");
                statement.execute(wrong.getValue());
                if (wrong.getKey().startsWith("the kill")) {
                    statement.execute("UPDATE ledger_trace SET stages = '{\"approved\":0,\"confirmed\":0}'");
                }
            }
            assertThat(ReplayChecker.check(copy, journal).violations())
                    .as("with %s", wrong.getValue())
                    .anyMatch(violation -> violation.contains(wrong.getKey()));
            for (String end : List.of("", "-wal", "-shm")) {
                Files.deleteIfExists(data.resolve("copy.db" + end));
            }
        }
    }

    private String momentOfKill() {
        long middle = (journal.of(Kind.KILL).getFirst().answered()
                        + journal.of(Kind.UNKILL).getFirst().asked())
                / 2
                / 1_000;
        return Instant.ofEpochMilli(middle).toString();
    }

    /** Sends a call again where its refusal says that this may help, as an agent would. True if it ran. */
    private boolean call(ManyCalls many, String key, int number) throws Exception {
        String arguments = "{\"text\":\"call " + number + " {{vault:secret" + number % SECRETS + "}}\"}";
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            JsonValue result = result(many, key, TOOLS.get(number % TOOLS.size()), arguments);
            if (result == null) {
                return false; // the agent is known no more
            }
            JsonValue refusal = result.path("_meta", "dev.postern/refusal");
            if (refusal == null) {
                answered.add(number);
                return true;
            }
            if (!Json.at(refusal, "retryable").spelling().equals("true")) {
                return false;
            }
        }
        return false;
    }

    /** Null where the agent is known no more: its stream may have ended before the answer was ready. */
    private static @Nullable JsonValue result(ManyCalls many, String key, String tool, String arguments)
            throws Exception {
        try {
            return many.call(key, tool, arguments);
        } catch (AssertionError e) {
            if ("no answer; HTTP 200".equals(e.getMessage()) && many.call(key, "vault_list", "{}") == null) {
                return null;
            }
            throw e;
        }
    }

    private void changeAtRandom(RunningGateway gateway) {
        for (int step = 0; step < STEPS; step++) {
            int kind = random.nextInt(100);
            if (kind < 62) {
                decide(gateway, kind < 8);
            } else if (kind < 72) {
                grant(gateway);
            } else if (kind < 82) {
                revokeGrant(gateway);
            } else if (kind < 92) {
                String name = "secret" + random.nextInt(SECRETS);
                journal.make(
                        Kind.ROTATE,
                        name,
                        () -> gateway.rotateSecret(name, "another value of " + name + random.nextInt()));
            } else if (kind < 94) {
                journal.make(Kind.POLICY, "", () -> gateway.applyPolicy(POLICIES.get(random.nextInt(POLICIES.size()))));
            } else if (kind < 95) {
                String name = "agent" + random.nextInt(AGENTS / 2);
                if (journal.of(Kind.REVOKE_AGENT, name).isEmpty()) {
                    journal.make(Kind.REVOKE_AGENT, name, () -> gateway.ask("agent.revoke", Map.of("agent", name)));
                }
            }
        }
    }

    /** Many a call is approved or denied at once, so that their confirm steps meet what changes next. */
    private void decide(RunningGateway gateway, boolean deny) {
        List<String> ids = some(gateway, 1 + random.nextInt(12));
        if (!ids.isEmpty()) {
            gateway.ask(deny ? "deny" : "approve", Map.of("ids", ids));
        }
    }

    private void grant(RunningGateway gateway) {
        List<String> ids = some(gateway, 2);
        if (!ids.isEmpty()) {
            gateway.ask("approve", Map.of("ids", ids, "seconds", 600, "uses", GRANTED_USES));
        }
    }

    /** However few grants come by chance and last: this one is there, and some of the late calls are of its kind. */
    private CompletableFuture<Boolean> grantOnce(RunningGateway gateway, ManyCalls many, String key) throws Exception {
        CompletableFuture<Boolean> granted = ManyCalls.later(() -> call(many, key, CALLS + LATE_CALLS));
        String text = "call " + (CALLS + LATE_CALLS) + " ";
        Await.until("the call that is granted is done", () -> {
            List<String> ids = gateway.ask("approvals.list", Map.of()).elements().stream()
                    .filter(approval -> approval.spelling().contains(text))
                    .map(approval -> Json.at(approval, "id").string())
                    .toList();
            if (!ids.isEmpty()) {
                gateway.ask("approve", Map.of("ids", ids, "seconds", 600, "uses", GRANTED_USES));
            }
            return granted.isDone();
        });
        return granted;
    }

    private void revokeGrant(RunningGateway gateway) {
        List<JsonValue> grants = gateway.ask("grants.list", Map.of()).elements();
        if (!grants.isEmpty()) {
            String id = Json.at(grants.get(random.nextInt(grants.size())), "id").string();
            try {
                journal.make(Kind.REVOKE_GRANT, id, () -> gateway.ask("grants.revoke", Map.of("id", id)));
            } catch (RuntimeException e) {
                // Its last use was a moment ago.
            }
        }
    }

    private List<String> some(RunningGateway gateway, int count) {
        List<String> ids = new ArrayList<>();
        gateway.ask("approvals.list", Map.of())
                .elements()
                .forEach(approval -> ids.add(Json.at(approval, "id").string()));
        Collections.shuffle(ids, random);
        return ids.subList(0, Math.min(count, ids.size()));
    }

    /** Revokes an agent, stops everything once, and lets it go on under a policy that lets calls ask. */
    private void stopOnce(RunningGateway gateway, CompletableFuture<Void> all) throws Exception {
        journal.make(Kind.REVOKE_AGENT, LAST_REVOKED, () -> gateway.ask("agent.revoke", Map.of("agent", LAST_REVOKED)));
        journal.make(Kind.KILL, "", () -> gateway.ask("kill", Map.of("on", true)));
        isDoneSoon(all);
        journal.make(Kind.UNKILL, "", () -> gateway.ask("kill", Map.of("on", false)));
        journal.make(Kind.POLICY, "", () -> gateway.applyPolicy("{}"));
    }

    /** Says yes to all that still ask. */
    private void finish(RunningGateway gateway, CompletableFuture<Void> all) throws Exception {
        while (!isDoneSoon(all)) {
            decide(gateway, false);
        }
    }

    private static boolean isDoneSoon(CompletableFuture<Void> all) throws Exception {
        try {
            all.get(20, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }
}
