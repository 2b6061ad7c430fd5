package dev.postern.app.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.json.JsonValue;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import dev.postern.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line's way to the gateway. */
class ControlSocketTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void answersWithWhatTheOperationGives() throws IOException {
        JsonValue odd = JsonValue.parse("{\"a\" :\n1e400}".getBytes(UTF_8));
        try (ControlServer server = server(Map.of("odd", (request, peer) -> odd))) {
            assertThat(ask("odd").spelling()).isEqualTo("{\"a\" : 1e400}");
        }
    }

    @Test
    void aValueTravelsAsBytesAndIsWipedAfterwards() throws Exception {
        byte[] bytes = new byte[20_000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        List<SecretValue> seen = new ArrayList<>();
        List<byte[]> revealed = new ArrayList<>();
        Operation keep = (request, peer) -> {
            seen.add(request.requiredValue());
            revealed.add(request.requiredValue().reveal(Reveal.TO_SEAL));
            return request.text("name");
        };
        try (ControlServer server = server(Map.of("keep", keep));
                SecretValue value = new SecretValue(bytes)) {
            JsonValue answer = new ControlClient(directory).ask("keep", Map.of("name", "n"), value, event -> {});
            assertThat(answer.string()).isEqualTo("n");
        }
        assertThat(revealed.getFirst()).isEqualTo(bytes);
        Await.until("the value is wiped", () -> isWiped(seen.getFirst()));
    }

    @Test
    void failuresCarryExitCodeCodeAndSentence() throws IOException {
        Operation refuse = (request, peer) -> {
            throw new ControlException(ExitCode.DENIED, "DENIED", "no.");
        };
        Operation wrong = (request, peer) -> {
            throw new IllegalArgumentException("the name is taken");
        };
        Operation broken = (request, peer) -> {
            throw new IllegalStateException("hunter2");
        };
        try (ControlServer server = server(Map.of("refuse", refuse, "wrong", wrong, "broken", broken))) {
            assertThatThrownBy(() -> ask("refuse")).isInstanceOfSatisfying(ControlException.class, e -> {
                assertThat(e.exitCode()).isEqualTo(ExitCode.DENIED);
                assertThat(e.code()).isEqualTo("DENIED");
                assertThat(e).hasMessage("no.");
            });
            assertThatThrownBy(() -> ask("wrong")).hasMessage("the name is taken.");
            assertThatThrownBy(() -> ask("broken")).hasMessageNotContaining("hunter2");
            assertThatThrownBy(() -> ask("unknown")).hasMessageContaining("restart");
        }
    }

    @Test
    void eventsArriveBeforeTheResultAndHangingUpIsNoticed() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        Operation watch = (request, peer) -> {
            peer.onHangUp(gone::countDown);
            peer.send(Map.of("n", 1));
            gone.await();
            return null;
        };
        try (ControlServer server = server(Map.of("watch", watch))) {
            assertThatThrownBy(() -> new ControlClient(directory).ask("watch", Map.of(), null, event -> {
                        throw new StopWatching();
                    }))
                    .isInstanceOf(StopWatching.class);
            assertThat(gone.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aConnectionMayBecomeAStreamOfLines() throws IOException {
        Operation shout = (request, peer) -> {
            peer.send("open");
            for (byte[] line = peer.next(); line != null; line = peer.next()) {
                peer.sendLine((new String(line, UTF_8).toUpperCase(java.util.Locale.ROOT) + "\n").getBytes(UTF_8));
            }
            peer.sendLine((peer.listensOn() ? "listens on\n" : "gone\n").getBytes(UTF_8));
            return null;
        };
        try (ControlServer server = server(Map.of("shout", shout));
                ControlClient.Stream stream = new ControlClient(directory).open("shout", Map.of(), null)) {
            stream.out().write("one\ntwo".getBytes(UTF_8));
            stream.endInput();
            assertThat(new String(stream.in().readAllBytes(), UTF_8)).startsWith("ONE\nTWO\nlistens on\n");
        }
    }

    @Test
    void withoutAGatewayTheCommandSaysSo() {
        assertThatThrownBy(() -> ask("anything"))
                .isInstanceOfSatisfying(
                        ControlException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.NOT_RUNNING));
    }

    @Test
    void aDeadSocketIsReplacedAndALiveOneRemovedAtTheEnd() throws IOException {
        Files.writeString(directory.resolve("postern.sock"), "left over");
        try (ControlServer server = server(Map.of("ping", (request, peer) -> "pong"))) {
            assertThat(ask("ping").string()).isEqualTo("pong");
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aPathTooLongForASocketGetsAShortOne() throws IOException {
        Path deep = Files.createDirectories(directory.resolve("d".repeat(120)));
        try (ControlServer server = new ControlServer(deep, Map.of("ping", (request, peer) -> "pong"), request -> {})) {
            assertThat(new ControlClient(deep).ask("ping", Map.of()).string()).isEqualTo("pong");
            Path socket =
                    Path.of(Files.readString(deep.resolve("postern.sock.path")).strip());
            assertThat(Files.getPosixFilePermissions(socket.getParent())).hasSize(3);
        }
        assertThat(deep).isEmptyDirectory();
    }

    private static boolean isWiped(SecretValue value) {
        try {
            value.reveal(Reveal.TO_SEAL);
            return false;
        } catch (IllegalStateException wiped) {
            return true;
        }
    }

    private ControlServer server(Map<String, Operation> operations) throws IOException {
        return new ControlServer(directory, operations, request -> {});
    }

    private JsonValue ask(String operation) {
        return new ControlClient(directory).ask(operation, Map.of());
    }

    private static final class StopWatching extends RuntimeException {}
}
