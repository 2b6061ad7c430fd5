package dev.postern.mcp.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.mcp.fixture.EventReader;
import dev.postern.mcp.fixture.Gateway;
import dev.postern.mcp.fixture.LegacyAgent;
import dev.postern.mcp.fixture.ModernClient;
import dev.postern.mcp.fixture.ScriptedServer;
import dev.postern.mcp.fixture.ScriptedServer.Asked;
import dev.postern.testkit.Await;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** How agents hear that something changed: {@code subscriptions/listen}, and the older GET stream and subscriptions. */
class SubscriptionsTest {
    private static final String ALL =
            "{\"tools\":{\"listChanged\":true},\"resources\":{\"subscribe\":true,\"listChanged\":true}}";
    private static final String LISTEN = ",\"notifications\":{\"toolsListChanged\":true,\"promptsListChanged\":true,"
            + "\"resourceSubscriptions\":[\"x://a\"]}";
    private static final String ID = "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1";

    /** Every {@code subscriptions/listen} that a modern server was sent. */
    private final LinkedBlockingQueue<Asked> listening = new LinkedBlockingQueue<>();

    private final ScriptedServer modern = ScriptedServer.modern(ALL).on("subscriptions/listen", asked -> {
        asked.notify(
                "notifications/subscriptions/acknowledged",
                "{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":77}," + "\"notifications\":{ \"x\":1.0}}");
        listening.add(asked);
        asked.untilCancelled();
        return "\"result\":{}";
    });
    private final ScriptedServer legacy = ScriptedServer.legacy(ALL)
            .on("resources/subscribe", "\"result\":{}")
            .on("resources/unsubscribe", "\"result\":{}");

    private static EventReader listen(ModernClient client) throws Exception {
        return new EventReader(
                client.stream(client.request(client.message("subscriptions/listen", client.params(LISTEN)))));
    }

    @Test
    void aModernServersStreamPassesUnderTheClientsOwnId() throws Exception {
        try (Gateway gateway = Gateway.over(Map.of("m", modern));
                ModernClient client = new ModernClient(gateway, "/mcp/m")) {
            EventReader events = listen(client);
            assertThat(events.next())
                    .isEqualTo(
                            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{"
                                    + ID + "},\"notifications\":{ \"x\":1.0}}}");
            Asked asked = listening.take();
            assertThat(asked.params()).endsWith(LISTEN + "}");
            asked.notify(
                    "notifications/resources/updated",
                    "{\"uri\":\"x://a\",\"_meta\":{\"y\":1e400,\"io.modelcontextprotocol/subscriptionId\":77}}");
            assertThat(events.next())
                    .contains(
                            "{\"uri\":\"x://a\",\"_meta\":{\"y\":1e400,\"io.modelcontextprotocol/subscriptionId\":1}}");
        }
    }

    @Test
    void aLegacyServersChangesComeOnTheStreamThatWasAskedFor() throws Exception {
        try (Gateway gateway = Gateway.over(Map.of("l", legacy));
                ModernClient client = new ModernClient(gateway, "/mcp/l")) {
            EventReader events = listen(client);
            assertThat(events.next())
                    .contains("acknowledged", ID, "\"toolsListChanged\":true,\"resourceSubscriptions\":[\"x://a\"]")
                    .doesNotContain("prompts");
            Await.until(
                    "the resource is subscribed to",
                    () -> !legacy.asked("resources/subscribe").isEmpty());
            legacy.lastConnection().say("notifications/resources/list_changed", "{}", null);
            legacy.lastConnection().say("notifications/tools/list_changed", "{ }", null);
            legacy.lastConnection().say("notifications/resources/updated", "{\"uri\":\"x://a\"}", null);
            assertThat(events.next()).contains("notifications/tools/list_changed", ID);
            assertThat(events.next()).contains("notifications/resources/updated", ID, "\"uri\":\"x://a\"");
        }
    }

    @Test
    void oneStreamHearsOfAllServersAndOfTheConfiguration() throws Exception {
        Map<String, ScriptedServer> servers = new LinkedHashMap<>();
        servers.put("m", modern);
        servers.put("l", legacy);
        try (Gateway gateway = Gateway.over(servers);
                ModernClient client = new ModernClient(gateway, "/mcp")) {
            EventReader events = listen(client);
            assertThat(events.next()).contains("acknowledged", "\"promptsListChanged\":true", ID);
            listening.take().notify("notifications/tools/list_changed", "{\"from\":\"m\"}");
            assertThat(events.next()).contains("\"from\":\"m\"", ID);
            Await.until(
                    "the resource is subscribed to",
                    () -> !legacy.asked("resources/subscribe").isEmpty());
            legacy.lastConnection().say("notifications/tools/list_changed", "{\"from\":\"l\"}", null);
            assertThat(events.next()).contains("\"from\":\"l\"", ID);
            gateway.configure("new", ScriptedServer.legacy(ALL));
            assertThat(events.next()).contains("notifications/tools/list_changed", ID);
        }
    }

    @Test
    void aLegacyClientHearsOfAModernServersChanges() throws Exception {
        modern.on("tools/list", "\"result\":{\"tools\":[]}");
        try (Gateway gateway = Gateway.over(Map.of("m", modern));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/m")) {
            EventReader events = new EventReader(agent.stream(agent.request().GET()));
            Asked first = listening.take();
            assertThat(first.params()).contains("\"toolsListChanged\":true").doesNotContain("prompts", "x://a");
            first.notify("notifications/tools/list_changed", "{\"n\":1}");
            assertThat(events.next()).contains("notifications/tools/list_changed", "\"n\":1");
            assertThat(agent.post(
                                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"x://a\"}}")
                            .body())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
            Asked second = listening.take();
            assertThat(second.params()).contains("\"resourceSubscriptions\":[\"x://a\"]");
            second.notify("notifications/resources/updated", "{\"uri\":\"x://a\"}");
            assertThat(events.next()).contains("notifications/resources/updated");
        }
    }

    @Test
    void aLegacyClientsLogLevelGoesWithEachRequestToAModernServer() throws Exception {
        modern.on("tools/call", "\"result\":{\"content\":[]}");
        try (Gateway gateway = Gateway.over(Map.of("m", modern));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/m")) {
            assertThat(agent.post(
                                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"logging/setLevel\",\"params\":{\"level\":\"info\"}}")
                            .body())
                    .contains("\"result\":{}");
            agent.post(
                    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"_meta\":{\"a\":1}}}");
            assertThat(modern.asked("tools/call").getFirst().params())
                    .isEqualTo("{\"name\":\"t\",\"_meta\":{\"io.modelcontextprotocol/logLevel\":\"info\",\"a\":1}}");
        }
    }
}
