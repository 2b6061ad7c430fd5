package dev.postern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Json;
import dev.postern.json.JsonValue;
import dev.postern.testkit.Await;
import dev.postern.testkit.server.ScriptedServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A3: the kill switch through a running gateway and its command line, with a server that really runs. */
class KillSwitchTest {
    @TempDir
    private static Path data = Path.of("");

    @SuppressWarnings("NullAway.Init")
    private static RunningGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        RunningGateway.configure(
                data, Map.of("s", ScriptedServer.command("--log=" + log()), "other", ScriptedServer.command()));
        gateway = RunningGateway.start(data);
        gateway.addSecret("db", "a value that is long enough");
    }

    @AfterAll
    static void stop() throws Exception {
        gateway.close();
    }

    @BeforeEach
    void release() {
        gateway.ask("kill", Map.of("on", false));
        gateway.ask("kill", Map.of("on", false, "server", "s", "agent", "agent"));
    }

    /** Both eras: a call that waits for a person, and one that its server is working on. */
    @ParameterizedTest
    @EnumSource(Agent.Era.class)
    void waitingAndRunningCallsEndAtOnceAndTheServerHearsOfIt(Agent.Era era) throws Exception {
        Path called = data.resolve("called-" + era);
        try (Agent agent = era.connect(gateway)) {
            CompletableFuture<JsonValue> waiting = agent.callLater("s__mirror", "{\"a\":\"{{vault:db}}\"}");
            JsonValue approval = gateway.awaitApproval();
            CompletableFuture<JsonValue> running = agent.callLater("s__hang", "{\"file\":\"" + called + "\"}");
            Await.file(called);

            PosternProcess.Finished on = PosternProcess.run(data, "kill", "on", "--reason", "it loops");
            assertThat(on.exitCode()).isZero();
            assertThat(on.out()).contains("every call is stopped").contains("it loops");
            assertThat(Agent.code(waiting.get(60, TimeUnit.SECONDS))).isEqualTo("KILL_SWITCH");
            assertThat(Agent.code(running.get(60, TimeUnit.SECONDS))).isEqualTo("KILL_SWITCH");
            assertThat(Agent.code(agent.call("s__mirror", "{\"a\":1}"))).isEqualTo("KILL_SWITCH");
            JsonValue decided = gateway.ask(
                    "approve", Map.of("ids", List.of(Json.at(approval, "id").string())));
            assertThat(Json.at(decided, "missed").elements())
                    .as("its request is gone")
                    .hasSize(1);

            assertThat(PosternProcess.run(data, "kill", "off").out()).contains("calls go through again");
            assertThat(agent.call("s__mirror", "{\"a\":1}").spelling()).contains("\"seen\"");
            Await.until(
                    "the server has heard of it", () -> Files.readString(log()).contains("notifications/cancelled"));
            Files.delete(log());
        }
    }

    /** What reached the server. */
    private static Path log() {
        return data.resolveSibling("received-" + data.getFileName());
    }

    @Test
    void oneServerOrOneAgentAlone() throws Exception {
        String key = Json.at(gateway.ask("agent.add", Map.of("name", "second")), "key")
                .string();
        try (Agent first = Agent.Era.MODERN.connect(gateway);
                Agent second = Agent.Era.MODERN.connect(gateway, key, "/mcp")) {
            assertThat(PosternProcess.run(data, "kill", "on", "--server", "s").exitCode())
                    .isZero();
            assertThat(Agent.code(first.call("s__mirror", "{\"a\":1}"))).isEqualTo("KILL_SWITCH");
            assertThat(Agent.code(first.call("other__mirror", "{\"a\":1}"))).isNull();
            assertThat(PosternProcess.run(data, "kill", "on", "--agent", "agent")
                            .exitCode())
                    .isZero();
            assertThat(Agent.code(first.call("other__mirror", "{\"a\":1}"))).isEqualTo("KILL_SWITCH");
            assertThat(Agent.code(second.call("other__mirror", "{\"a\":1}"))).isNull();

            PosternProcess.Finished off = PosternProcess.run(data, "kill", "off");
            assertThat(off.out()).as("what is still stopped").contains("agent").contains("server s");
            JsonValue engaged = Json.at(gateway.ask("status", Map.of()), "engaged");
            assertThat(engaged.elements()).hasSize(2);
        }
    }

    @Test
    void aMistypedNameStopsNothingAndSaysSo() throws Exception {
        PosternProcess.Finished on = PosternProcess.run(data, "kill", "on", "--agent", "nobody");
        assertThat(on.exitCode()).isEqualTo(1);
        assertThat(on.err()).contains("nothing was stopped");
    }

    @Test
    void theLedgerAndTheOperatorsLogKnow() throws Exception {
        try (Agent agent = Agent.Era.MODERN.connect(gateway)) {
            gateway.ask("kill", Map.of("on", true));
            agent.call("s__mirror", "{\"a\":1}");
            assertThat(PosternProcess.run(data, "ledger", "export").out()).contains("\"disposition\":\"KILL_SWITCH\"");
        }
    }
}
