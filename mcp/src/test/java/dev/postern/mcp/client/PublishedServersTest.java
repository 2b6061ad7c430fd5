package dev.postern.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.mcp.wire.Era;
import dev.postern.testkit.server.NodeServers;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The published servers, as users run them. */
final class PublishedServersTest {
    private static final Leftovers LEFTOVERS = Leftovers.fromNowOn();
    private static final String SAMPLED =
            "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"role\":\"assistant\",\"model\":\"m\","
                    + "\"content\":{\"type\":\"text\",\"text\":\"sampled by the test\"}}}";
    private static final Dialer DIALER = new Dialer(ConnectionLimits.standard());

    private final Recorder recorder = new Recorder();

    @AfterAll
    static void closeDialer() {
        DIALER.close();
        LEFTOVERS.areGone();
    }

    private ServerConnection connect(String name, String... arguments) {
        Optional<List<String>> command = NodeServers.command(name, arguments);
        Assumptions.assumeTrue(command.isPresent(), "needs Node and npm install --prefix testkit/npm --no-save");
        return DIALER.connect(Servers.stdio(command.orElseThrow(), Servers.PATIENCE), Servers.FACE, recorder);
    }

    @Test
    void everythingOverStandardStreams() throws Exception {
        try (ServerConnection connection = connect("server-everything", "stdio")) {
            assertThat(connection.era()).isEqualTo(Era.LEGACY);
            assertThat(Servers.request(connection, "tools/list", "{}", "tag")).contains("\"echo\"");
            assertThat(Servers.call(connection, "echo", "{\"message\":\"\\u0068i\"}"))
                    .contains("Echo: hi");
            assertThat(Servers.request(connection, "prompts/list", null, "tag")).contains("\"prompts\"");
            assertThat(Servers.request(connection, "resources/list", null, "tag"))
                    .contains("\"resources\"");
            Servers.request(
                    connection,
                    "tools/call",
                    "{\"name\":\"trigger-long-running-operation\",\"arguments\":{\"duration\":0.2,\"steps\":2},"
                            + "\"_meta\":{\"progressToken\":\"p\"}}",
                    "long");
            while (true) {
                Recorder.Heard heard = Recorder.next(recorder.notifications);
                if (heard.method().equals("notifications/progress")) {
                    assertThat(heard.related()).isEqualTo("long");
                    break;
                }
            }
        }
    }

    @Test
    void everythingAsksForSampling() {
        recorder.answering = (heard, reply) -> reply.send(SAMPLED.getBytes(StandardCharsets.US_ASCII));
        try (ServerConnection connection = connect("server-everything", "stdio")) {
            assertThat(Servers.call(connection, "trigger-sampling-request", "{\"prompt\":\"p\",\"maxTokens\":5}"))
                    .contains("sampled by the test");
            assertThat(recorder.requests).anyMatch(heard -> heard.method().equals("sampling/createMessage"));
        }
    }

    @Test
    void filesystemAndMemory(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("note.txt"), "written on disk");
        try (ServerConnection files = connect("server-filesystem", folder.toString());
                ServerConnection memory = connect("server-memory")) {
            assertThat(Servers.call(files, "read_text_file", "{\"path\":\"" + folder.resolve("note.txt") + "\"}"))
                    .contains("written on disk");
            assertThat(Servers.call(memory, "read_graph", "{}")).contains("entities");
        }
    }

    @ParameterizedTest
    @CsvSource({"streamableHttp,/mcp", "sse,/sse"})
    void everythingOverHttp(String transport, String path) throws Exception {
        Optional<List<String>> command = NodeServers.command("server-everything", transport);
        Assumptions.assumeTrue(command.isPresent(), "needs Node and npm install --prefix testkit/npm --no-save");
        Listening server = listening(command.orElseThrow());
        try {
            ServerSpec spec = new ServerSpec(
                    "everything",
                    new ServerSpec.Http(URI.create("http://localhost:" + server.port + path), Map.of()),
                    Servers.PATIENCE);
            recorder.answering = (heard, reply) -> reply.send(SAMPLED.getBytes(StandardCharsets.US_ASCII));
            try (ServerConnection connection = DIALER.connect(spec, Servers.FACE, recorder)) {
                assertThat(connection.era()).isEqualTo(Era.LEGACY);
                assertThat(Servers.request(connection, "tools/list", "{}", "tag"))
                        .contains("\"echo\"");
                assertThat(Servers.call(connection, "echo", "{\"message\":\"\\u0068i\"}"))
                        .contains("Echo: hi");
                assertThat(Servers.call(connection, "trigger-sampling-request", "{\"prompt\":\"p\",\"maxTokens\":5}"))
                        .contains("sampled by the test");
            }
        } finally {
            server.process.destroyForcibly().waitFor();
        }
    }

    private record Listening(Process process, int port) {}

    /** It takes no port that it chooses itself, and one that was free may be taken before it starts: then it exits. */
    private static Listening listening(List<String> command) throws IOException, InterruptedException {
        for (int attempt = 0; attempt < 5; attempt++) {
            int port = freePort();
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD);
            builder.environment().put("PORT", Integer.toString(port));
            Process server = builder.start();
            while (server.isAlive()) {
                try (var _ = new Socket("localhost", port)) {
                    return new Listening(server, port);
                } catch (IOException notYet) {
                    server.waitFor(Duration.ofMillis(50));
                }
            }
        }
        throw new AssertionError("the server exited");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
