package dev.postern.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import dev.postern.mcp.client.ConnectionLimits;
import dev.postern.mcp.client.Dialer;
import dev.postern.mcp.client.ServerSpec;
import dev.postern.mcp.fixture.Gateway;
import dev.postern.mcp.fixture.LegacyAgent;
import dev.postern.mcp.fixture.ModernClient;
import dev.postern.mcp.relay.RelaySettings;
import dev.postern.secret.SecretValue;
import dev.postern.testkit.Await;
import dev.postern.testkit.server.HttpFixture;
import dev.postern.testkit.server.HttpFixture.Speech;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A thousand sessions, opened and dropped in every way a client can, leave no thread, process, descriptor or memory. */
@Timeout(900)
@EnabledOnOs(OS.LINUX)
class ThousandSessionsTest {
    private static final int ROUNDS = 10;
    private static final int SESSIONS_A_ROUND = 100;
    private static final int MOST_LEFT_BYTES = 24 << 20;

    /** Answers the handshake, dies of a call, and answers nothing else. */
    private static final String CHILD = """
            while IFS= read -r line; do
              id=${line#*'"id":'}
              case "$line" in
                *'"initialize"'*) echo '{"jsonrpc":"2.0","id":'${id%%,*}',"result":{"protocolVersion":"2025-11-25",\
            "capabilities":{"tools":{}},"serverInfo":{"name":"child","version":"1"}}}' ;;
                *'"tools/call"'*) exit 3 ;;
                *'"server/discover"'*) echo '{"jsonrpc":"2.0","id":'${id%%,*}',"error":{"code":-32601,"message":"no"}}' ;;
              esac
            done""";

    private static final String HANG = "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":"
            + "{\"name\":\"hang-events\",\"arguments\":{}}}";
    private static final String DIE = "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":"
            + "{\"name\":\"exit\",\"arguments\":{}}}";
    private static final String INITIALIZE = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
            + "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"raw\",\"version\":\"1\"}}}";
    private static final String CANCEL =
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":5}}";

    @TempDir
    private Path folder;

    /** Sessions whose client was so slow that the gateway ended its idle connection under it. */
    private final AtomicInteger cut = new AtomicInteger();

    @Test
    void aThousandSessionsLeaveNothing() throws Exception {
        RelaySettings quick = new RelaySettings(
                Duration.ofSeconds(45), Duration.ofSeconds(300), Duration.ZERO, Duration.ZERO, Duration.ofMinutes(1));
        // Writes show that a client is gone.
        McpSettings noticing = new McpSettings(1 << 20, Duration.ofMillis(100), 1_000);
        try (HttpFixture address = new HttpFixture(Speech.LEGACY);
                Dialer dialer = new Dialer(ConnectionLimits.standard().withExit(Duration.ofMillis(500)))) {
            Map<String, Supplier<ServerSpec.Transport>> servers = Map.of(
                    "address",
                    () -> new ServerSpec.Http(address.endpoint(), Map.of()),
                    "child",
                    () -> new ServerSpec.Stdio(
                            secret("/bin/sh"), List.of(secret("-c"), secret(CHILD)), Map.of(), null));
            try (Gateway gateway =
                    Gateway.over(dialer, servers, 0, inner -> inner, quick, noticing, Duration.ofSeconds(1))) {
                round(gateway);
                awaitNothing(gateway, address);
                int descriptors = descriptors();
                long bytes = usedBytes();
                for (int i = 0; i < ROUNDS; i++) {
                    round(gateway);
                    awaitNothing(gateway, address);
                }
                Await.until(
                        "the system has closed the other ends",
                        () -> descriptors() <= descriptors + SESSIONS_A_ROUND / 10);
                // One collection does not do: a client of the test's gives its buffers back only after it has been
                // collected.
                Await.until("no memory is left", () -> usedBytes() < bytes + MOST_LEFT_BYTES);
                assertThat(cut).hasValueLessThan(ROUNDS * SESSIONS_A_ROUND / 2);
            }
        }
    }

    private void round(Gateway gateway) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> sessions = new ArrayList<>();
            for (int i = 0; i < SESSIONS_A_ROUND; i++) {
                int way = i;
                sessions.add(threads.submit(() -> {
                    try {
                        session(gateway, way % 5 == 4 || way % 12 == 10 ? "/mcp/child" : "/mcp/address", way % 12);
                    } catch (IOException tooSlow) {
                        cut.incrementAndGet(); // one more way to be dropped
                    }
                    return null;
                }));
            }
            for (Future<?> session : sessions) {
                session.get();
            }
        }
    }

    private static void session(Gateway gateway, String path, int way) throws Exception {
        if (way == 8) {
            // Greeted, and never told that the client has read it.
            try (LegacyAgent agent = new LegacyAgent(gateway.uri(path), Gateway.KEY)) {
                agent.post(INITIALIZE);
            }
            return;
        }
        if (way == 9) {
            halfOpen(gateway, path);
            return;
        }
        if (way == 7) {
            try (ModernClient client = new ModernClient(gateway, path)) {
                String params = client.params(",\"name\":\"hang-events\",\"arguments\":{}");
                begun(client.stream(client.request(client.message("tools/call", params))));
            }
            return;
        }
        try (LegacyAgent agent = LegacyAgent.initialized(gateway, path)) {
            switch (way) {
                case 0 -> agent.send(agent.request().DELETE());
                case 1 -> {} // never heard of again
                case 2 -> {
                    agent.send(agent.request().DELETE());
                    agent.send(agent.request().DELETE());
                }
                case 3 -> begun(hang(agent));
                case 4 -> {
                    begun(hang(agent));
                    agent.send(agent.request().DELETE());
                }
                case 5 -> {
                    begun(hang(agent));
                    agent.post(CANCEL);
                }
                case 6 -> onItsWay(agent);
                case 10 -> agent.post(DIE);
                case 11 -> midway(agent);
                default -> agent.stream(agent.request().GET()).body().close();
            }
        }
    }

    /** Half a request, then silence; then the connection is reset. */
    private static void halfOpen(Gateway gateway, String path) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), gateway.uri("/").getPort())) {
            socket.setSoLinger(true, 0);
            socket.getOutputStream()
                    .write(("POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + Gateway.KEY
                                    + "\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"jsonrpc\":")
                            .getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
        }
    }

    /** A stream that is dropped in the midst of an event of it. */
    private static void midway(LegacyAgent agent) throws Exception {
        try (InputStream stream = agent.bytes(agent.request().GET())) {
            assertThat(stream.read()).isPositive();
        }
    }

    private static HttpResponse<Stream<String>> hang(LegacyAgent agent) throws Exception {
        return agent.stream(agent.request().POST(BodyPublishers.ofString(HANG)));
    }

    /** A call that runs: its response has begun, and is left as it is. Or its session had ended, as idle ones do here at once. */
    private static void begun(HttpResponse<Stream<String>> response) {
        assertThat(response.statusCode()).isIn(200, 404);
    }

    /** A call that may not have arrived yet when its connection is closed. */
    private static void onItsWay(LegacyAgent agent) throws Exception {
        CountDownLatch going = new CountDownLatch(1);
        Thread thread = Thread.ofVirtual().start(() -> {
            going.countDown();
            try {
                agent.post(HANG);
            } catch (Exception broken) {
                // Its connection was closed under it.
            }
        });
        going.await();
        agent.close();
        thread.join();
    }

    private void awaitNothing(Gateway gateway, HttpFixture address) throws Exception {
        awaited(
                gateway,
                "no session is open on either side",
                () -> gateway.handler().openSessions() == 0
                        && address.sessions().isEmpty()
                        && address.openStreams() == 0);
        awaited(
                gateway,
                "no child is left",
                () -> ProcessHandle.current().descendants().noneMatch(ProcessHandle::isAlive));
        awaited(
                gateway,
                "no thread is left",
                () -> threads().stream()
                        .noneMatch(name -> name.startsWith("mcp-") || name.startsWith("postern-server-")));
    }

    private static void awaited(Gateway gateway, String what, Await.Condition condition) throws Exception {
        Await.until(what, () -> {
            gateway.handler().tidy();
            return condition.holds();
        });
    }

    /** The names of all threads at work for a session, virtual ones included. */
    private List<String> threads() throws IOException {
        Path dump = folder.resolve("threads.json");
        Files.deleteIfExists(dump);
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpThreads(dump.toString(), ThreadDumpFormat.JSON);
        return Files.readString(dump)
                .lines()
                .filter(line -> line.contains("\"name\":") && !line.contains("mcp-tidy"))
                .filter(line -> !line.contains("postern-server-write"))
                .map(line ->
                        line.substring(line.indexOf(':') + 1).replace("\"", "").strip())
                .toList();
    }

    private static int descriptors() throws IOException {
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            return (int) open.count();
        }
    }

    private static long usedBytes() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static SecretValue secret(String text) {
        return new SecretValue(text.getBytes(StandardCharsets.UTF_8));
    }
}
