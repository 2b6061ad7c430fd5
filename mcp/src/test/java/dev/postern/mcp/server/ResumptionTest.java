package dev.postern.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.mcp.fixture.Gateway;
import dev.postern.mcp.fixture.LegacyAgent;
import dev.postern.mcp.fixture.ScriptedServer;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** 2025-11-25, transports, "Resumability and Redelivery". */
@Timeout(60)
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
