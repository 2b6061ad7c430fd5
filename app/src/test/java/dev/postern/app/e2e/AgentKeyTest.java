package dev.postern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Json;
import dev.postern.json.JsonValue;
import dev.postern.testkit.server.ScriptedServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A1: agents' keys from the command line, through a running gateway: expiry, rotation, revocation. */
class AgentKeyTest {
    @TempDir
    private static Path data = Path.of("");

    @SuppressWarnings("NullAway.Init")
    private static RunningGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        RunningGateway.configure(data, Map.of("s", ScriptedServer.command()));
        gateway = RunningGateway.start(data);
        gateway.addSecret("db", "a value that is long enough");
    }

    @AfterAll
    static void stop() throws Exception {
        gateway.close();
    }

    @Test
    void rotatedWithAnOverlapBothKeysWork() throws Exception {
        String first = key(PosternProcess.run(data, "agent", "add", "overlapping", "--expires", "30d", "--json"));
        String second = key(PosternProcess.run(data, "agent", "rotate", "overlapping", "--overlap", "10m", "--json"));
        assertThat(status(first)).isNotEqualTo(401);
        assertThat(status(second)).isNotEqualTo(401);
        assertThat(PosternProcess.run(data, "agent", "list").out())
                .contains(first.substring(0, 10))
                .contains(second.substring(0, 10))
                .doesNotContain(first)
                .doesNotContain(second);

        String third = key(PosternProcess.run(data, "agent", "rotate", "overlapping", "--json"));
        assertThat(status(first)).isEqualTo(401);
        assertThat(status(second)).isEqualTo(401);
        assertThat(status(third)).isNotEqualTo(401);
    }

    @Test
    void anExpiredKeyIsRefused() throws Exception {
        String key = Json.at(gateway.ask("agent.add", Map.of("name", "brief", "expires_seconds", 0)), "key")
                .string();
        assertThat(status(key)).isEqualTo(401);
        PosternProcess.Finished wrong = PosternProcess.run(data, "agent", "add", "x", "--expires", "soon");
        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err()).contains("30d");
    }

    /** What waits for a person, and what a server works on, ends with the key. */
    @ParameterizedTest
    @EnumSource(Agent.Era.class)
    void aRevokedKeyEndsSessionsAndCalls(Agent.Era era) throws Exception {
        String name = "revoked-" + era;
        String key =
                Json.at(gateway.ask("agent.add", Map.of("name", name)), "key").string();
        Path called = data.resolve("called-" + era);
        try (Agent agent = era.connect(gateway, key, "/mcp")) {
            CompletableFuture<JsonValue> waiting = agent.callLater("s__mirror", "{\"a\":\"{{vault:db}}\"}");
            gateway.awaitApproval();
            CompletableFuture<JsonValue> running = agent.callLater("s__hang", "{\"file\":\"" + called + "\"}");
            while (!Files.exists(called)) {
                Thread.onSpinWait();
            }
            gateway.ask("agent.revoke", Map.of("agent", name));
            assertEnded(waiting);
            assertEnded(running);
            assertThat(gateway.ask("approvals.list", Map.of()).elements()).isEmpty();
            assertThat(agent.post("{}").statusCode()).isEqualTo(401);
        }
    }

    /** A refusal, or a stream that ended with its session. */
    private static void assertEnded(CompletableFuture<JsonValue> call) throws Exception {
        try {
            assertThat(Agent.code(call.get(20, TimeUnit.SECONDS))).isEqualTo("POLICY_DENIED");
        } catch (java.util.concurrent.ExecutionException e) {
            assertThat(e).hasStackTraceContaining("no answer");
        }
    }

    private static int status(String key) throws Exception {
        try (Agent agent = Agent.Era.MODERN.connect(gateway, key, "/mcp")) {
            return agent.post("{}").statusCode();
        }
    }

    private static String key(PosternProcess.Finished finished) {
        assertThat(finished.exitCode()).as(finished.err()).isZero();
        return Json.at(JsonValue.parse(finished.out().strip().getBytes(StandardCharsets.UTF_8)), "key")
                .string();
    }
}
