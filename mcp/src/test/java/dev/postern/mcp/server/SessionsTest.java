package dev.postern.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.mcp.fixture.EventReader;
import dev.postern.mcp.fixture.Gateway;
import dev.postern.mcp.fixture.LegacyAgent;
import dev.postern.mcp.fixture.ScriptedServer;
import dev.postern.mcp.relay.RelaySettings;
import dev.postern.testkit.Await;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions of legacy clients: how they begin, whose they are, and how they and their requests end. */
class SessionsTest {
    private static final String TOOLS = "{\"tools\":{}}";
    private static final String CALL =
            "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"arguments\":{}}}";
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"ping\"}";

    private final ScriptedServer server = ScriptedServer.legacy(TOOLS).on("tools/call", "\"result\":{\"content\":[]}");

    @Test
    void aSessionIsItsAgentsOnItsEndpointUntilItIsDeleted() throws Exception {
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s");
                LegacyAgent elsewhere = new LegacyAgent(gateway.uri("/mcp"), Gateway.KEY);
                LegacyAgent other = new LegacyAgent(gateway.uri("/mcp/s"), gateway.addAgent("other"))) {
            assertThat(agent.post(PING).body()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":6,\"result\":{}}");
            elsewhere.session(agent.session());
            other.session(agent.session());
            assertThat(elsewhere.post(PING).statusCode()).isEqualTo(404);
            assertThat(other.post(PING).statusCode()).isEqualTo(404);
            assertThat(other.send(other.request().DELETE()).statusCode()).isEqualTo(404);
            assertThat(agent.send(agent.request().DELETE()).statusCode()).isEqualTo(200);
            assertThat(server.lastConnection().isOpen())
                    .as("its server is stopped")
                    .isFalse();
            HttpResponse<String> gone = agent.post(PING);
            assertThat(gone.statusCode()).isEqualTo(404);
            assertThat(gone.body()).contains("initialize");
        }
    }

    @Test
    void everySessionHasServersOfItsOwn() throws Exception {
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent one = LegacyAgent.initialized(gateway, "/mcp/s");
                LegacyAgent two = LegacyAgent.initialized(gateway, "/mcp/s")) {
            assertThat(server.connections()).hasSize(2);
            assertThat(gateway.handler().openSessions()).isEqualTo(2);
            assertThat(one.session()).isNotEqualTo(two.session());
        }
    }

    /** The last answer can reach the agent a moment before its request has left the session: hence the repeated look. */
    @Test
    @Timeout(300)
    void anIdleSessionEnds() throws Exception {
        RelaySettings quick = new RelaySettings(
                Duration.ofSeconds(45), Duration.ofSeconds(300), Duration.ZERO, Duration.ZERO, Duration.ofMinutes(1));
        try (Gateway gateway = Gateway.over(Map.of("s", server), quick);
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            Await.until("the session has ended", () -> {
                gateway.handler().tidy();
                return gateway.handler().openSessions() == 0;
            });
            assertThat(agent.post(PING).statusCode()).isEqualTo(404);
            assertThat(server.lastConnection().isOpen()).isFalse();
        }
    }

    @Test
    void whatARequestLacksIsSaid() throws Exception {
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            HttpResponse<String> version = agent.send(
                    agent.request().header("MCP-Protocol-Version", "1999-01-01").POST(BodyPublishers.ofString(PING)));
            assertThat(version.statusCode()).isEqualTo(400);
            assertThat(agent.send(agent.request()
                                    .setHeader("Content-Type", "text/plain")
                                    .POST(BodyPublishers.ofString(PING)))
                            .statusCode())
                    .isEqualTo(415);
            assertThat(agent.send(agent.request()
                                    .setHeader("Accept", "text/html")
                                    .POST(BodyPublishers.ofString(PING)))
                            .statusCode())
                    .isEqualTo(406);
            assertThat(agent.send(agent.request()
                                    .setHeader("Accept", "application/json")
                                    .GET())
                            .statusCode())
                    .isEqualTo(406);
            assertThat(agent.send(agent.request().PUT(BodyPublishers.ofString(PING)))
                            .statusCode())
                    .isEqualTo(405);
            assertThat(agent.post("{\"jsonrpc\":\"2.0\",\"id\":1,").body()).contains("-32700");
            assertThat(agent.post("[" + PING + "]").body()).contains("-32600", "batches");
            assertThat(agent.post(PING.replace("\"2.0\"", "\"1.0\"")).body()).contains("-32600");
            agent.session(null);
            HttpResponse<String> without = agent.post(PING);
            assertThat(without.statusCode()).isEqualTo(400);
            assertThat(without.body()).contains("Mcp-Session-Id");
        }
    }

    @Test
    void batchesAreServedInTheRevisionThatHasThem() throws Exception {
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = new LegacyAgent(gateway.uri("/mcp/s"), Gateway.KEY)) {
            agent.initialize("2025-03-26");
            assertThat(agent.post("[" + PING + "," + CALL + ",{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}]")
                            .body())
                    .isEqualTo("[{\"jsonrpc\":\"2.0\",\"id\":6,\"result\":{}},"
                            + "{\"jsonrpc\":\"2.0\", \"id\":5,\"result\":{\"content\":[]}}]");
            assertThat(server.told()).anyMatch(told -> told.startsWith("notifications/x"));
        }
    }

    @Test
    void anUnknownRevisionIsAnsweredWithOurNewest() throws Exception {
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = new LegacyAgent(gateway.uri("/mcp"), Gateway.KEY)) {
            assertThat(agent.initialize("2019-01-01").body()).contains("\"protocolVersion\":\"2025-11-25\"");
        }
    }

    @Test
    void aCancelledRequestIsToldToTheServerAndNotAnswered() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        server.on("tools/call", asked -> {
            asked.notify("notifications/progress", "{\"progressToken\":1,\"progress\":1}");
            started.countDown();
            asked.untilCancelled();
            return "\"result\":{\"content\":[]}";
        });
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            EventReader events = new EventReader(agent.stream(agent.request().POST(BodyPublishers.ofString(CALL))));
            assertThat(events.next()).contains("notifications/progress");
            assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(agent.post(
                                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":5}}")
                            .statusCode())
                    .isEqualTo(202);
            assertThat(events.hasNext()).as("a message after the cancellation").isFalse();
        }
    }

    @Test
    void aDroppedConnectionIsNoCancellation() throws Exception {
        CountDownLatch dropped = new CountDownLatch(1);
        CountDownLatch finished = new CountDownLatch(1);
        server.on("tools/call", asked -> {
            asked.notify("notifications/progress", "{\"progressToken\":1,\"progress\":1}");
            try {
                dropped.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            // The second write to a connection that is gone fails.
            asked.notify("notifications/progress", "{\"progressToken\":1,\"progress\":2}");
            asked.notify("notifications/progress", "{\"progressToken\":1,\"progress\":3}");
            finished.countDown();
            return "\"result\":{\"content\":[]}";
        });
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s");
                LegacyAgent again = new LegacyAgent(gateway.uri("/mcp/s"), Gateway.KEY)) {
            new EventReader(agent.stream(agent.request().POST(BodyPublishers.ofString(CALL)))).next();
            again.session(agent.session());
            agent.close();
            dropped.countDown();
            assertThat(finished.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(server.asked("tools/call").getFirst().cancellation().isFired())
                    .isFalse();
            assertThat(again.post(PING).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aServerThatDiedIsStartedAgainByTheNextCall() throws Exception {
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            server.lastConnection().crash();
            assertThat(agent.post(CALL).body()).contains("\"content\":[]");
            assertThat(server.connections()).hasSize(2);
            server.lastConnection().crash();
            server.breakDown("the command was not found");
            assertThat(agent.post(CALL).body())
                    .contains("\"isError\":true", "FAILED: the command was not found", "\"retryable\":true");
            assertThat(agent.post("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}")
                            .body())
                    .contains("\"code\":-32603", "FAILED: the command was not found");
        }
    }

    @Test
    void aServerThatDoesNotStartRefusesTheSession() throws Exception {
        server.breakDown("the command was not found");
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = new LegacyAgent(gateway.uri("/mcp/s"), Gateway.KEY)) {
            assertThat(agent.initialize("2025-11-25").body()).contains("FAILED: the command was not found");
            assertThat(gateway.handler().openSessions()).isZero();
        }
    }

    @Test
    void theConfigurationChangesUnderAnOpenSession() throws Exception {
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp")) {
            agent.post("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
            EventReader events = new EventReader(agent.stream(agent.request().GET()));
            gateway.configure(
                    "n", ScriptedServer.legacy(TOOLS).on("tools/list", "\"result\":{\"tools\":[{\"name\":\"new\"}]}"));
            assertThat(events.next()).contains("notifications/tools/list_changed");
            assertThat(agent.post("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}")
                            .body())
                    .contains("\"n__new\"");
        }
    }

    @Test
    void aMessageThatIsTooLargeIsRefusedWithTheLimit() throws Exception {
        McpSettings small = new McpSettings(1_000, Duration.ofSeconds(5), 10);
        try (Gateway gateway = Gateway.over(Map.of("s", server), RelaySettings.DEFAULTS, small);
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            HttpRequest.Builder request = agent.request().POST(BodyPublishers.ofString(PING + " ".repeat(1_000)));
            HttpResponse<String> answer = agent.send(request);
            assertThat(answer.statusCode()).isEqualTo(413);
            assertThat(answer.body()).contains("1000 bytes");
        }
    }

    @Test
    void anAgentCannotOpenMoreThanItsShare() throws Exception {
        McpSettings few = new McpSettings(10_000, Duration.ofSeconds(5), 1);
        try (Gateway gateway = Gateway.over(Map.of("s", server), RelaySettings.DEFAULTS, few);
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s");
                LegacyAgent other = new LegacyAgent(gateway.uri("/mcp/s"), gateway.addAgent("other"))) {
            assertThat(agent.stream(agent.request().GET()).statusCode()).isEqualTo(200);
            assertThat(agent.post(PING).statusCode()).isEqualTo(429);
            assertThat(other.initialize("2025-11-25").statusCode()).isEqualTo(200);
        }
    }
}
