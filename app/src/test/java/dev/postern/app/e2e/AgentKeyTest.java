package dev.postern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Json;
import dev.postern.json.JsonValue;
import dev.postern.testkit.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A1: agents' keys from the command line, through a running gateway: expiry, rotation, revocation. */
@Timeout(600)
class AgentKeyTest {
    /** Enough for a quick machine to begin what the key's end is to end. */
    private static final int SHORTEST_SECONDS = 4;

    @TempDir
    private static Path data = Path.of("");

    @SuppressWarnings("NullAway.Init")
    private static RunningGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        gateway = RunningGateway.startScripted(data);
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

    /** A session, a stream and a call that waits, all begun while the key was good. */
    @ParameterizedTest
    @EnumSource(Agent.Era.class)
    @DisplayName("A1: an expired key ends what was begun with it: requests, open streams and calls that wait")
    void anExpiredKeyEndsSessionsStreamsAndCalls(Agent.Era era) throws Exception {
        int seconds = SHORTEST_SECONDS;
        while (!endsWithItsKey(era, seconds)) {
            seconds *= 3;
        }
    }

    /** False where the key expired before everything was begun with it, as on a slow machine. */
    private static boolean endsWithItsKey(Agent.Era era, int seconds) throws Exception {
        String key = brief("expiring-" + era + "-" + seconds, seconds);
        Agent begun;
        try {
            begun = era.connect(gateway, key, "/mcp");
        } catch (AssertionError noSession) {
            assertThat(status(key)).isEqualTo(401);
            return false;
        }
        try (Agent agent = begun) {
            HttpResponse<InputStream> listening = agent.listen();
            if (listening.statusCode() == 401) {
                return false;
            }
            try (InputStream stream = listening.body()) {
                CompletableFuture<JsonValue> waiting = agent.callLater("s__mirror", "{\"a\":\"{{vault:db}}\"}");
                Await.until(
                        "a person is asked, or it is too late",
                        () -> waiting.isDone() || !requests().isEmpty());
                if (requests().isEmpty()) {
                    return false;
                }
                awaitExpiry(key);
                assertThat(agent.send("tools/list", "", "").statusCode()).isEqualTo(401);
                toEnd(stream);
                assertEnded(waiting);
                awaitNoRequests();
                return true;
            }
        }
    }

    @Test
    @DisplayName(
            "A1: a key that is replaced with an overlap ends its own streams when that is over, and not its agent's")
    void theOldKeysStreamsEndWithTheOverlap() throws Exception {
        String old = key(PosternProcess.run(data, "agent", "add", "replaced", "--json"));
        try (Agent with = Agent.Era.LEGACY.connect(gateway, old, "/mcp");
                InputStream stream = with.listen().body()) {
            String fresh = key(PosternProcess.run(data, "agent", "rotate", "replaced", "--overlap", "3s", "--json"));
            try (Agent other = Agent.Era.LEGACY.connect(gateway, fresh, "/mcp");
                    InputStream lasting = other.listen().body()) {
                awaitExpiry(old);
                toEnd(stream);
                assertThat(other.request("ping", "", "").spelling()).contains("\"result\"");
                assertThat(lasting.available()).isNotNegative();
            }
        }
    }

    /** The one that speaks after its key has expired, and the one that is silent. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("A1: connect ends with its key, at the next message or by itself")
    void connectEndsWithItsKey(boolean speaks) throws Exception {
        int seconds = SHORTEST_SECONDS;
        while (!connectEndsWithItsKey(speaks, seconds)) {
            seconds *= 3;
        }
    }

    /** False where the key expired before connect had begun, as on a slow machine. */
    private static boolean connectEndsWithItsKey(boolean speaks, int seconds) throws Exception {
        String key = brief("stdio-" + speaks + "-" + seconds, seconds);
        ProcessBuilder builder = PosternProcess.builder("connect", "--data", data.toString());
        builder.environment().put("POSTERN_AGENT_KEY", key);
        Process process = builder.start();
        try {
            OutputStream in = process.getOutputStream();
            BufferedReader out = process.inputReader();
            in.write(PosternProcess.utf8("""
                    {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
                    "capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
                    """));
            in.flush();
            String greeting = out.readLine();
            if (greeting == null || !greeting.contains("\"result\"")) {
                assertThat(status(key)).as(greeting).isEqualTo(401);
                return false;
            }
            awaitExpiry(key);
            if (speaks) {
                in.write(PosternProcess.utf8("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n"));
                in.flush();
            }
            assertThat(out.readLine()).as("nothing is answered").isNull();
            return true;
        } finally {
            process.destroyForcibly();
        }
    }

    /** A key that is good for a few seconds. */
    private static String brief(String name, int seconds) {
        return Json.at(gateway.ask("agent.add", Map.of("name", name, "expires_seconds", seconds)), "key")
                .string();
    }

    /** The stream of a legacy call may be cut a little before the call is ended. */
    private static void awaitNoRequests() throws Exception {
        Await.until("the request of an expired key is gone", () -> requests().isEmpty());
    }

    private static List<JsonValue> requests() {
        return gateway.ask("approvals.list", Map.of()).elements();
    }

    private static void awaitExpiry(String key) throws Exception {
        Await.until("the key has expired", () -> status(key) == 401);
    }

    /** Reads until there is no more, however it ends. */
    private static void toEnd(InputStream stream) {
        try {
            stream.readAllBytes();
        } catch (IOException e) {
            // Cut off is ended, too.
        }
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
            Await.file(called);
            gateway.ask("agent.revoke", Map.of("agent", name));
            if (era == Agent.Era.MODERN) {
                // No session of its own ends, so that the call is told.
                assertThat(Agent.code(waiting.get(60, TimeUnit.SECONDS))).isEqualTo("POLICY_DENIED");
                assertThat(Agent.code(running.get(60, TimeUnit.SECONDS))).isEqualTo("POLICY_DENIED");
            } else {
                assertEnded(waiting);
                assertEnded(running);
            }
            awaitNoRequests();
            assertThat(agent.post("{}").statusCode()).isEqualTo(401);
        }
    }

    /** What comes last on a stream whose key has ended is that the call was refused, and not silence. */
    @Test
    void aCallIsToldThatItsKeyWasRevokedWhereItsStreamIsOpen() throws Exception {
        String key =
                Json.at(gateway.ask("agent.add", Map.of("name", "told")), "key").string();
        String params = "\"name\":\"s__mirror\",\"arguments\":{\"a\":\"{{vault:db}}\"}";
        try (Agent agent = Agent.Era.MODERN.connect(gateway, key, "/mcp");
                InputStream stream =
                        agent.streamed("tools/call", "s__mirror", params).body()) {
            gateway.awaitApproval();
            gateway.ask("agent.revoke", Map.of("agent", "told"));
            assertThat(new String(stream.readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith(": still here")
                    .contains("POLICY_DENIED", "was revoked or expired");
        }
    }

    /** A refusal, or a stream that ended with its session. */
    private static void assertEnded(CompletableFuture<JsonValue> call) throws Exception {
        try {
            assertThat(Agent.code(call.get(60, TimeUnit.SECONDS))).isEqualTo("POLICY_DENIED");
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
