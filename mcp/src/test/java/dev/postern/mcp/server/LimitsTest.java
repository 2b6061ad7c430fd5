package dev.postern.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.mcp.fixture.Gateway;
import dev.postern.mcp.fixture.LegacyAgent;
import dev.postern.mcp.fixture.ModernClient;
import dev.postern.mcp.fixture.ScriptedServer;
import dev.postern.mcp.relay.RelaySettings;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What one agent, or one server, can take of the gateway: each limit says what it is and harms nobody else. */
@Timeout(120)
class LimitsTest {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    private static final String NOTIFICATION = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}";
    private static final McpSettings USUAL = McpSettings.DEFAULTS;

    private final ScriptedServer server =
            ScriptedServer.legacy("{\"tools\":{}}").on("tools/call", "\"result\":{\"content\":[]}");

    private Gateway gateway(McpSettings limits) throws Exception {
        return Gateway.over(Map.of("s", server), RelaySettings.DEFAULTS, limits);
    }

    private static String call(int id, String arguments) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id
                + ",\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"arguments\":" + arguments + "}}";
    }

    @Test
    @DisplayName("R7: a message that nests too deep is refused, whoever sends it")
    void aMessageThatNestsTooDeepIsRefused() throws Exception {
        String deep = "[".repeat(100_000) + "]".repeat(100_000);
        try (Gateway gateway = gateway(USUAL);
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            HttpResponse<String> refused = agent.post(call(1, "{\"a\":" + deep + "}"));
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.body()).contains("nests deeper than").doesNotContain("[[[");
            server.on("tools/call", "\"result\":{\"content\":[],\"deep\":" + deep + "}");
            assertThat(agent.post(call(2, "{}")).body())
                    .contains("VAULT_SCRUB_FAILED")
                    .doesNotContain("[[[");
            server.on("tools/call", "\"result\":{\"content\":[]}");
            assertThat(agent.post(call(3, "{}")).body()).contains("\"content\":[]");
        }
    }

    @Test
    void anAgentThatSendsTooFastIsToldToSlowDown() throws Exception {
        McpSettings slow = new McpSettings(USUAL.maxBodyBytes(), USUAL.heartbeat(), 100, 100, 5);
        try (Gateway gateway = gateway(slow);
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s");
                LegacyAgent other = new LegacyAgent(gateway.uri("/mcp/s"), gateway.addAgent("other"))) {
            HttpResponse<String> last = agent.post(PING);
            for (int i = 0; i < 20 && last.statusCode() == 200; i++) {
                last = agent.post(PING);
            }
            assertThat(last.statusCode()).isEqualTo(429);
            assertThat(last.headers().firstValue("Retry-After")).hasValue("1");
            assertThat(last.body()).contains("more than 5 requests a second");
            assertThat(other.initialize("2025-11-25").statusCode()).isEqualTo(200);
            while (agent.post(PING).statusCode() != 200) {
                Thread.sleep(20); // a second fills the bucket again
            }
        }
    }

    @Test
    void anAgentCannotHaveMoreSessionsThanItsShare() throws Exception {
        McpSettings few = new McpSettings(USUAL.maxBodyBytes(), USUAL.heartbeat(), 100, 1, 1_000);
        try (Gateway gateway = gateway(few);
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s");
                LegacyAgent second = new LegacyAgent(gateway.uri("/mcp/s"), Gateway.KEY);
                LegacyAgent other = new LegacyAgent(gateway.uri("/mcp/s"), gateway.addAgent("other"))) {
            HttpResponse<String> refused = second.initialize("2025-11-25");
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.body()).contains("1 sessions open", "DELETE");
            assertThat(other.initialize("2025-11-25").statusCode()).isEqualTo(200);
            agent.send(agent.request().DELETE());
            assertThat(second.initialize("2025-11-25").statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-06-18", "2025-11-25"})
    void aRequestKeepsItsPlaceUntilItEndsEvenIfItsConnectionBroke(String version) throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        server.on("tools/call", asked -> {
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return "\"result\":{\"content\":[]}";
        });
        McpSettings one = new McpSettings(USUAL.maxBodyBytes(), Duration.ofMillis(20), 1, 10, 1_000_000);
        try (Gateway gateway = gateway(one);
                LegacyAgent agent = new LegacyAgent(gateway.uri("/mcp/s"), Gateway.KEY);
                LegacyAgent other = new LegacyAgent(gateway.uri("/mcp/s"), gateway.addAgent("other"))) {
            agent.initialize(version);
            try (HttpClient http = HttpClient.newHttpClient()) {
                http.send(
                        agent.request()
                                .POST(BodyPublishers.ofString(call(1, "{}")))
                                .build(),
                        BodyHandlers.ofInputStream());
                http.shutdownNow();
            }
            while (agent.post(NOTIFICATION).statusCode() == 429) {
                Thread.onSpinWait(); // until the gateway has noticed that the connection broke
            }
            HttpResponse<String> refused = agent.post(PING);
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).hasValue("5");
            assertThat(refused.body()).contains("1 requests under way");
            assertThat(other.initialize("2025-11-25").statusCode()).isEqualTo(200);
            assertThat(other.post(PING).statusCode()).isEqualTo(200);
            goOn.countDown();
            while (agent.post(PING).statusCode() != 200) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void headersThatAreTooLargeAreRefused() throws Exception {
        try (Gateway gateway = gateway(USUAL);
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            HttpResponse<String> refused = agent.send(
                    agent.request().header("X-Large", "y".repeat(64 << 10)).GET());
            assertThat(refused.statusCode()).isEqualTo(431);
            assertThat(refused.body()).doesNotContain("yyy");
            assertThat(agent.post(PING).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aMessageThatDripsInIsCutOff() throws Exception {
        try (Gateway gateway = gateway(USUAL);
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), gateway.uri("/").getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write(("POST /mcp/s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + Gateway.KEY
                            + "\r\nContent-Type: application/json\r\nAccept: application/json\r\nContent-Length: 4000000\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.flush();
            Thread dripping = Thread.ofVirtual().start(() -> {
                try {
                    while (true) {
                        out.write(' ');
                        out.flush();
                        Thread.sleep(50);
                    }
                } catch (Exception cutOff) {
                    // As it should be.
                }
            });
            String answer = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
            assertThat(answer).isEqualTo("HTTP/1.1 408 Request Timeout");
            dripping.interrupt();
        }
    }

    /** Back-pressure: what an agent does not read stays with its server, and nobody else notices. */
    @ParameterizedTest
    @CsvSource({
        "2025-06-18,20000,1000",
        "2025-11-25,20000,1000",
        "2026-07-28,20000,1000",
        "2025-06-18,500,100000",
        "2025-11-25,500,100000",
        "2026-07-28,500,100000"
    })
    void whatASlowReaderDoesNotReadStaysAtItsServer(String version, int messages, int length) throws Exception {
        String text = "z".repeat(length);
        AtomicInteger said = new AtomicInteger();
        CountDownLatch begun = new CountDownLatch(1);
        server.on("tools/call", asked -> {
            begun.countDown();
            for (int i = 0; i < messages; i++) {
                asked.notify(
                        "notifications/message",
                        "{\"level\":\"info\",\"logger\":\"n" + i + "\",\"data\":\"" + text + "\"}");
                said.incrementAndGet();
            }
            return "\"result\":{\"content\":[]}";
        });
        try (Gateway gateway = gateway(USUAL);
                LegacyAgent other = new LegacyAgent(gateway.uri("/mcp/s"), gateway.addAgent("other"));
                LegacyAgent legacy = new LegacyAgent(gateway.uri("/mcp/s"), Gateway.KEY);
                ModernClient modern = new ModernClient(gateway, "/mcp/s")) {
            InputStream slow;
            if (version.equals("2026-07-28")) {
                String log = ",\"io.modelcontextprotocol/logLevel\":\"info\"";
                String params = "{" + modern.meta(log) + ",\"name\":\"t\",\"arguments\":{}}";
                slow = modern.bytes(modern.request(modern.message("tools/call", params)));
            } else {
                legacy.initialize(version);
                slow = legacy.bytes(legacy.request().POST(BodyPublishers.ofString(call(1, "{}"))));
            }
            begun.await();
            int before = -1;
            while (said.get() != before) {
                before = said.get();
                Thread.sleep(300);
            }
            assertThat(before).as("what was taken from the server").isLessThan(messages / 2);
            other.initialize(version.equals("2026-07-28") ? "2025-11-25" : version);
            assertThat(other.post(PING).body()).contains("\"result\"");
            int seen = 0;
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(slow, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.contains("\"logger\":\"")) {
                        assertThat(line).contains("\"logger\":\"n" + seen++ + "\"");
                    }
                }
            }
            assertThat(seen).isEqualTo(messages);
        }
    }
}
