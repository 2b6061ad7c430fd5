package dev.postern.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.mcp.fixture.Gateway;
import dev.postern.mcp.fixture.LegacyAgent;
import dev.postern.mcp.fixture.ScriptedServer;
import dev.postern.mcp.relay.RelaySettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** 2025-11-25, transports, "Resumability and Redelivery". */
@Timeout(300)
class ResumptionTest {
    private static final String CALL =
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"arguments\":{}}}";

    private final CountDownLatch goOn = new CountDownLatch(1);
    private final CountDownLatch said = new CountDownLatch(1);
    private final ScriptedServer server = ScriptedServer.legacy("{\"tools\":{}}")
            .on("tools/call", asked -> {
                asked.notify("notifications/message", "{\"level\":\"info\",\"data\":\"one\"}");
                await(goOn);
                asked.notify("notifications/message", "{\"level\":\"info\",\"data\":\"two\"}");
                said.countDown();
                return "\"result\":{\"content\":[]}";
            });

    @Test
    void whatWasSaidWhileTheConnectionWasBrokenIsSaidToWhoeverComesBack() throws Exception {
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            String last;
            try (HttpClient http = HttpClient.newHttpClient()) {
                HttpResponse<InputStream> response = http.send(
                        agent.request().POST(BodyPublishers.ofString(CALL)).build(), BodyHandlers.ofInputStream());
                last = idOfEventWith("\"one\"", response.body());
                http.shutdownNow();
            }
            goOn.countDown();
            said.await();
            String rest = agent.send(resume(agent, last)).body();
            assertThat(data(rest)).hasSize(2);
            assertThat(data(rest).getFirst()).contains("\"two\"");
            assertThat(data(rest).getLast()).contains("\"id\":7,\"result\":{\"content\":[]}");
            // It may have been lost once more.
            assertThat(data(agent.send(resume(agent, last)).body())).isEqualTo(data(rest));
        }
    }

    @Test
    void aStreamBeginsWithAnEventToGoOnFromAndANumberForEachMessage() throws Exception {
        goOn.countDown();
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            String body = agent.post(CALL).body();
            assertThat(body).startsWith("id: ");
            List<String> ids =
                    body.lines().filter(line -> line.startsWith("id: ")).toList();
            assertThat(ids).hasSize(4).doesNotHaveDuplicates();
            assertThat(body.lines().filter(line -> line.startsWith("retry: "))).hasSize(1);
            assertThat(data(agent.send(resume(agent, ids.getFirst().substring(4)))
                            .body()))
                    .isEqualTo(data(body));
        }
    }

    @Test
    void aStreamBelongsToItsSession() throws Exception {
        goOn.countDown();
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s");
                LegacyAgent other = LegacyAgent.initialized(gateway, "/mcp/s")) {
            String first = agent.post(CALL).body().lines().findFirst().orElseThrow();
            other.post(CALL);
            other.send(other.request().DELETE());
            assertThat(other.send(resume(other, first.substring(4))).statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void clientsOfOlderRevisionsGetNoEventWithoutAMessage() throws Exception {
        goOn.countDown();
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = new LegacyAgent(gateway.uri("/mcp/s"), Gateway.KEY)) {
            agent.initialize("2025-06-18");
            String body = agent.post(CALL).body();
            assertThat(body).doesNotContain("retry:").doesNotContain("data: \n");
            assertThat(data(body)).hasSize(3);
        }
    }

    @Test
    void whatWasSaidOutsideOfRequestsIsSaidAgainToWhoeverComesBack() throws Exception {
        goOn.countDown();
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            agent.post(CALL);
            ScriptedServer.Connection connection = server.lastConnection();
            connection.say("notifications/resources/updated", "{\"uri\":\"a:1\"}", null);
            connection.say("notifications/resources/updated", "{\"uri\":\"a:2\"}", null);
            String first;
            try (Listener listener = new Listener(agent, null)) {
                assertThat(listener.next())
                        .as("an id to go on from")
                        .startsWith("id: ")
                        .contains("retry: ");
                first = idOf(listener.next("a:1"));
                listener.next("a:2");
            }
            // The connection broke before the client had read the second; a third comes meanwhile.
            connection.say("notifications/resources/updated", "{\"uri\":\"a:3\"}", null);
            try (Listener listener = new Listener(agent, first)) {
                assertThat(listener.next()).contains("a:2");
                assertThat(listener.next()).contains("a:3");
                connection.say("notifications/resources/updated", "{\"uri\":\"a:4\"}", null);
                assertThat(listener.next()).contains("a:4");
            }
        }
    }

    @Test
    void aConnectionThatTakesAStreamUpEndsTheOneBefore() throws Exception {
        goOn.countDown();
        McpSettings often = new McpSettings(
                McpSettings.DEFAULTS.maxBodyBytes(), Duration.ofMillis(50), McpSettings.DEFAULTS.maxOpenPerAgent());
        try (Gateway gateway = Gateway.over(Map.of("s", server), RelaySettings.DEFAULTS, often);
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            agent.post(CALL);
            try (Listener broken = new Listener(agent, null)) {
                String id = idOf(broken.next());
                try (Listener listener = new Listener(agent, id)) {
                    server.lastConnection().say("notifications/resources/updated", "{\"uri\":\"a:1\"}", null);
                    assertThat(listener.next()).contains("a:1");
                    assertThat(broken.rest()).doesNotContain("a:1");
                }
            }
        }
    }

    @Test
    void ofSeveralConnectionsTheNewestHearsWhatBelongsToNoRequest() throws Exception {
        goOn.countDown();
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            agent.post(CALL);
            try (Listener older = new Listener(agent, null)) {
                older.next();
                try (Listener newer = new Listener(agent, null)) {
                    newer.next();
                    for (int i = 0; i < 50; i++) {
                        server.lastConnection()
                                .say("notifications/resources/updated", "{\"uri\":\"a:" + i + "\"}", null);
                        assertThat(newer.next()).contains("a:" + i + "\"");
                    }
                }
            }
        }
    }

    @Test
    @DisplayName("S1, S9: what is said again is what was scrubbed")
    void whatIsSaidAgainIsScrubbed() throws Exception {
        ScriptedServer echo = ScriptedServer.legacy("{\"tools\":{}}")
                .on("tools/list", "\"result\":{\"tools\":[{\"name\":\"t\"}]}")
                .on("tools/call", asked -> {
                    asked.notify("notifications/message", "{\"level\":\"info\",\"data\":\"got correct-horse\"}");
                    asked.connection().say("notifications/resources/updated", "{\"uri\":\"a:correct-horse\"}", null);
                    return "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"correct-horse\"}]}";
                });
        try (Gateway gateway = Gateway.over(Map.of("s", echo));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            gateway.addSecret("db", "correct-horse");
            String called =
                    agent.post(CALL.replace("{}", "{\"a\":\"{{vault:db}}\"}")).body();
            assertThat(called).contains("{{vault:db}}").doesNotContain("correct-horse");
            String start = called.lines().findFirst().orElseThrow().substring(4);
            String again = agent.send(resume(agent, start)).body();
            assertThat(data(again)).hasSize(2).isEqualTo(data(called));
            String id;
            try (Listener listener = new Listener(agent, null)) {
                id = idOf(listener.next());
                assertThat(listener.next()).contains("a:{{vault:db}}");
            }
            try (Listener listener = new Listener(agent, id)) {
                assertThat(listener.next()).contains("a:{{vault:db}}");
            }
        }
    }

    /** A GET whose events are read one by one. */
    private static final class Listener implements AutoCloseable {
        private final HttpClient http = HttpClient.newHttpClient();
        private final BufferedReader events;

        Listener(LegacyAgent agent, @Nullable String lastEventId) throws Exception {
            HttpRequest.Builder request = lastEventId == null ? agent.request() : resume(agent, lastEventId);
            events = new BufferedReader(new InputStreamReader(
                    http.send(request.GET().build(), BodyHandlers.ofInputStream())
                            .body(),
                    StandardCharsets.UTF_8));
        }

        /** The next event that is no comment. */
        String next() throws IOException {
            StringBuilder event = new StringBuilder();
            for (String line = events.readLine(); line != null; line = events.readLine()) {
                if (!line.isEmpty() && !line.startsWith(":")) {
                    event.append(line).append('\n');
                } else if (!event.isEmpty()) {
                    return event.toString();
                }
            }
            throw new AssertionError("the stream has ended");
        }

        String next(String text) throws IOException {
            String event = next();
            while (!event.contains(text)) {
                event = next();
            }
            return event;
        }

        /** All up to the end. */
        String rest() throws IOException {
            StringBuilder rest = new StringBuilder();
            for (int read = events.read(); read >= 0; read = events.read()) {
                rest.append((char) read);
            }
            return rest.toString();
        }

        @Override
        public void close() {
            http.shutdownNow();
        }
    }

    private static String idOf(String event) {
        return event.lines()
                .filter(line -> line.startsWith("id: "))
                .findFirst()
                .orElseThrow()
                .substring(4);
    }

    private static HttpRequest.Builder resume(LegacyAgent agent, String last) {
        return agent.request().header("Last-Event-ID", last).GET();
    }

    private static List<String> data(String events) {
        return events.lines()
                .filter(line -> line.startsWith("data: ") && line.length() > 6)
                .toList();
    }

    /** Reads up to an event's end. */
    private static String idOfEventWith(String text, InputStream stream) throws Exception {
        List<String> event = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (int b; (b = stream.read()) >= 0; ) {
            if (b != '\n') {
                line.append((char) b);
                continue;
            }
            if (line.isEmpty() && String.join("\n", event).contains(text)) {
                return event.stream()
                        .filter(field -> field.startsWith("id: "))
                        .findFirst()
                        .orElseThrow()
                        .substring(4);
            }
            if (line.isEmpty()) {
                event.clear();
            } else {
                event.add(line.toString());
            }
            line.setLength(0);
        }
        throw new AssertionError("the stream has ended: " + new String(stream.readAllBytes(), StandardCharsets.UTF_8));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
