package dev.postern.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.mcp.fixture.Gateway;
import dev.postern.mcp.fixture.LegacyAgent;
import dev.postern.mcp.fixture.ModernClient;
import dev.postern.mcp.fixture.ScriptedServer;
import dev.postern.testkit.Await;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client can take of the gateway that sends slowly, or does not read what it asked for. */
@Timeout(600)
class SlowClientsTest {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    private static final String CALL =
            "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"arguments\":{}}}";

    /** Short, and far longer than the clients here need between two steps of theirs. */
    private static final Duration IDLE = Duration.ofSeconds(2);

    private final ScriptedServer server =
            ScriptedServer.legacy("{\"tools\":{}}").on("tools/call", "\"result\":{\"content\":[]}");

    private static Socket connect(Gateway gateway) throws Exception {
        return new Socket(InetAddress.getLoopbackAddress(), gateway.uri("/").getPort());
    }

    private static void send(Socket socket, String text) throws Exception {
        OutputStream out = socket.getOutputStream();
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private static String post(String path, int length) {
        return "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + Gateway.KEY
                + "\r\nContent-Type: application/json\r\nAccept: application/json\r\nContent-Length: " + length
                + "\r\n\r\n";
    }

    /** By a clock of the test's: it goes on once the gateway has begun to read, and the next byte comes late. */
    @ParameterizedTest
    @CsvSource({"4,400", "6,408"})
    void aMessageThatDripsInIsCutOff(int seconds, int status) throws Exception {
        AtomicLong nanos = new AtomicLong();
        CompletableFuture<Thread> reading = new CompletableFuture<>();
        LongSupplier clock = () -> {
            long now = nanos.get(); // before the test, told of it, moves the clock on
            if (isIn(Thread.currentThread(), "body")) {
                reading.complete(Thread.currentThread());
            }
            return now;
        };
        try (Gateway gateway = Gateway.over(Map.of("s", server), McpSettings.DEFAULTS, clock, McpServer.IDLE);
                Socket socket = connect(gateway)) {
            send(socket, post("/mcp/s", PING.length()));
            reading.get(60, TimeUnit.SECONDS);
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
            send(socket, PING.substring(0, 1));
            if (status == 400) {
                send(socket, PING.substring(1)); // read, and found to belong to no session
            }
            assertThat(new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                            .readLine())
                    .contains(" " + status + " ");
        }
    }

    private static boolean isIn(Thread thread, String method) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals(method));
    }

    /** The end of the stream is awaited; how long it takes is the gateway's affair. */
    @ParameterizedTest
    @ValueSource(strings = {"POST /mcp/s HTTP/1.1\r\nHost: 127.0", "BODY"})
    void aConnectionOnWhichAMessageStopsComingEnds(String begun) throws Exception {
        try (Gateway gateway = Gateway.over(Map.of("s", server), McpSettings.DEFAULTS, System::nanoTime, IDLE);
                Socket socket = connect(gateway)) {
            send(socket, begun.equals("BODY") ? post("/mcp/s", 1_000) + "{" : begun);
            String rest = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(rest).doesNotContain("200", "500");
            if (begun.equals("BODY")) {
                assertThat(rest).startsWith("HTTP/1.1 408 ").contains("stopped coming");
            }
            try (LegacyAgent other = LegacyAgent.initialized(gateway, "/mcp/s")) {
                assertThat(other.post(PING).statusCode()).isEqualTo(200);
            }
        }
    }

    /** The server says more and more until its call is given up: nobody takes any of it. */
    @Test
    void aWriteThatMakesNoWayEndsTheConnection() throws Exception {
        String text = "z".repeat(100_000);
        CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
        server.on("tools/call", asked -> {
            while (!asked.cancellation().isFired()) {
                asked.notify("notifications/message", "{\"level\":\"info\",\"data\":\"" + text + "\"}");
            }
            cancelled.complete(true);
            return "\"result\":{\"content\":[]}";
        });
        try (Gateway gateway = Gateway.over(Map.of("s", server), McpSettings.DEFAULTS, System::nanoTime, IDLE);
                ModernClient client = new ModernClient(gateway, "/mcp/s")) {
            String log = ",\"io.modelcontextprotocol/logLevel\":\"info\"";
            String params = "{" + client.meta(log) + ",\"name\":\"t\",\"arguments\":{}}";
            try (InputStream unread = client.bytes(client.request(client.message("tools/call", params)))) {
                assertThat(cancelled.get(100, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    /** Back-pressure: what an agent does not read stays with its server, nobody else notices, and nothing of it is lost. */
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
        CompletableFuture<Thread> speaking = new CompletableFuture<>();
        server.on("tools/call", asked -> {
            speaking.complete(Thread.currentThread());
            for (int i = 0; i < messages; i++) {
                asked.notify(
                        "notifications/message",
                        "{\"level\":\"info\",\"logger\":\"n" + i + "\",\"data\":\"" + text + "\"}");
            }
            return "\"result\":{\"content\":[]}";
        });
        try (Gateway gateway = Gateway.over(Map.of("s", server));
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
                slow = legacy.bytes(legacy.request().POST(BodyPublishers.ofString(CALL)));
            }
            Thread server = speaking.get(60, TimeUnit.SECONDS);
            Await.until("its server is kept waiting", () -> isKeptWaiting(server));
            other.initialize(version.equals("2026-07-28") ? "2025-11-25" : version);
            assertThat(other.post(PING).body()).contains("\"result\"");
            assertThat(server.isAlive()).as("it waits still").isTrue();
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

    /** Whether a thread waits inside what is kept for a client: {@link Backlog}, or {@link ResumableStream}. */
    private static boolean isKeptWaiting(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> (frame.getClassName().equals(Backlog.class.getName())
                                || frame.getClassName().equals(ResumableStream.class.getName()))
                        && (thread.getState() == Thread.State.WAITING
                                || thread.getState() == Thread.State.TIMED_WAITING));
    }
}
