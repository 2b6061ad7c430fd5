package dev.postern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Json;
import dev.postern.json.JsonValue;
import dev.postern.testkit.Await;
import dev.postern.testkit.server.ScriptedServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A3: what the kill switch stops besides calls of tools. */
class KillSwitchReachTest {
    private static final String TOOLS = "[{\"name\":\"mirror\",\"inputSchema\":{\"type\":\"object\"}}]";

    /** Each with the name that it stands under in a modern request's headers, and its params. */
    private static final List<List<String>> REQUESTS = List.of(
            List.of("tools/list", "", ""),
            List.of("prompts/list", "", ""),
            List.of("resources/list", "", ""),
            List.of("resources/templates/list", "", ""),
            List.of("prompts/get", "p", "\"name\":\"p\""),
            List.of("resources/read", "file:///x", "\"uri\":\"file:///x\""),
            List.of(
                    "completion/complete",
                    "",
                    "\"ref\":{\"type\":\"ref/prompt\",\"name\":\"p\"},\"argument\":{\"name\":\"a\",\"value\":\"b\"}"),
            List.of("tasks/get", "", "\"taskId\":\"t\""),
            List.of("mirror", "", "\"a\":1"));

    private static final List<List<String>> LEGACY = List.of(
            List.of("resources/subscribe", "", "\"uri\":\"file:///x\""),
            List.of("resources/unsubscribe", "", "\"uri\":\"file:///x\""),
            List.of("logging/setLevel", "", "\"level\":\"debug\""));

    private static final List<List<String>> MODERN = List.of(
            List.of("server/discover", "", ""),
            List.of("subscriptions/listen", "", "\"notifications\":{\"toolsListChanged\":true}"));

    @TempDir
    private static Path data = Path.of("");

    @TempDir
    private static Path logs = Path.of("");

    @SuppressWarnings("NullAway.Init")
    private static RunningGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        Path tools = Files.writeString(logs.resolve("tools.json"), TOOLS);
        RunningGateway.configure(
                data,
                Map.of(
                        "s", ScriptedServer.command("--tools=" + tools, "--log=" + logs.resolve("s")),
                        "other", ScriptedServer.command("--tools=" + tools, "--log=" + logs.resolve("other"))));
        gateway = RunningGateway.start(data);
        gateway.addSecret("db", "a value that is long enough");
    }

    @AfterAll
    static void stop() throws Exception {
        gateway.close();
    }

    @AfterEach
    void release() {
        gateway.ask("kill", Map.of("on", false));
        gateway.ask("kill", Map.of("on", false, "server", "s"));
        gateway.ask("kill", Map.of("on", false, "agent", "agent"));
    }

    @ParameterizedTest
    @EnumSource(Agent.Era.class)
    @DisplayName(
            "A3: no request of any kind reaches a stopped server, and none of its lists an agent; released, all is as before")
    void nothingReachesAStoppedServer(Agent.Era era) throws Exception {
        try (Agent agent = era.connect(gateway, gateway.key(), "/mcp/s");
                Agent all = era.connect(gateway)) {
            assertThat(agent.request("mirror", "", "\"a\":1").spelling()).contains("\"seen\"");
            assertThat(all.request("tools/list", "", "").spelling()).contains("s__mirror", "other__mirror");
            gateway.ask("kill", Map.of("on", true, "server", "s"));

            assertStopped(agent, era, "s");
            String listed = all.request("tools/list", "", "").spelling();
            assertThat(listed).contains("other__mirror", "vault_list").doesNotContain("s__mirror");

            gateway.ask("kill", Map.of("on", false, "server", "s"));
            assertThat(agent.request("mirror", "", "\"a\":1").spelling()).contains("\"seen\"");
            assertThat(all.request("tools/list", "", "").spelling()).contains("s__mirror");
        }
    }

    @ParameterizedTest
    @EnumSource(Agent.Era.class)
    @DisplayName("A3: nothing of a stopped agent reaches any server; others go on")
    void nothingOfAStoppedAgentReachesAServer(Agent.Era era) throws Exception {
        String key = Json.at(gateway.ask("agent.add", Map.of("name", "second-" + era)), "key")
                .string();
        try (Agent agent = era.connect(gateway, gateway.key(), "/mcp/s");
                Agent second = era.connect(gateway, key, "/mcp/s")) {
            for (Agent each : List.of(agent, second)) { // what was said in greeting has been read
                assertThat(each.request("mirror", "", "\"a\":1").spelling()).contains("\"seen\"");
            }
            gateway.ask("kill", Map.of("on", true, "agent", "agent"));
            assertStopped(agent, era, "s");
            assertThat(second.request("mirror", "", "\"a\":1").spelling()).contains("\"seen\"");
        }
    }

    @ParameterizedTest
    @EnumSource(Agent.Era.class)
    @DisplayName("A3: whatever a server is working on ends when everything is stopped, and its processes with it")
    void whatRunsEnds(Agent.Era era) throws Exception {
        Path called = logs.resolve("called-" + era);
        try (Agent agent = era.connect(gateway, gateway.key(), "/mcp/s")) {
            String pid = agent.call("spawn", "{}").spelling().replaceAll("\\D+", "");
            CompletableFuture<JsonValue> running = agent.callLater("hang", "{\"file\":\"" + called + "\"}");
            Await.file(called);
            gateway.ask("kill", Map.of("on", true));
            assertThat(Agent.code(running.get(60, TimeUnit.SECONDS))).isEqualTo("KILL_SWITCH");
            assertStopped(agent, era, "s");
            ProcessHandle.of(Long.parseLong(pid))
                    .ifPresent(child -> child.onExit().join());
        }
    }

    @Test
    @DisplayName("A3: a link that a stopped agent holds is worth nothing, and none is made")
    void linksOfAStoppedAgent() throws Exception {
        try (Agent agent = Agent.Era.MODERN.connect(gateway);
                HttpClient http = HttpClient.newHttpClient()) {
            CompletableFuture<JsonValue> made = agent.callLater("vault_presign", "{\"name\":\"db\"}");
            gateway.approveNext();
            String link = Json.at(
                            made.get(PosternProcess.PATIENCE_SECONDS, TimeUnit.SECONDS), "structuredContent", "url")
                    .string();
            gateway.ask("kill", Map.of("on", true, "agent", "agent"));
            assertThat(Agent.code(agent.call("vault_presign", "{\"name\":\"db\"}")))
                    .isEqualTo("KILL_SWITCH");
            HttpRequest redeem = HttpRequest.newBuilder(URI.create(link))
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            assertThat(http.send(redeem, BodyHandlers.ofString()).statusCode()).isEqualTo(404);
            gateway.ask("kill", Map.of("on", false, "agent", "agent"));
            assertThat(http.send(redeem, BodyHandlers.ofString()).statusCode())
                    .as("it is spent")
                    .isEqualTo(404);
        }
    }

    private static void assertStopped(Agent agent, Agent.Era era, String server) throws Exception {
        Path log = logs.resolve(server);
        String before = received(log);
        for (List<List<String>> requests : List.of(REQUESTS, era == Agent.Era.LEGACY ? LEGACY : MODERN)) {
            for (List<String> request : requests) {
                JsonValue answer = agent.request(request.get(0), request.get(1), request.get(2));
                assertThat(answer.spelling()).as(request.getFirst()).contains("\"code\":\"KILL_SWITCH\"");
            }
        }
        assertThat(Agent.code(agent.call("mirror", "{\"a\":1}"))).isEqualTo("KILL_SWITCH");
        assertThat(Agent.code(agent.call("mirror", "{\"a\":\"{{vault:db}}\"}"))).isEqualTo("KILL_SWITCH");
        assertThat(received(log)).isEqualTo(before);
    }

    /** That a call is cancelled is what a server may and must hear. */
    private static String received(Path log) throws Exception {
        return Files.exists(log) ? Files.readString(log).replace("notifications/cancelled\n", "") : "";
    }
}
