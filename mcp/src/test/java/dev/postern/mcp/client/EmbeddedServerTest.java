package dev.postern.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.gate.upstream.UpstreamException;
import dev.postern.mcp.wire.Era;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.Message;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class EmbeddedServerTest {
    private final CopyOnWriteArrayList<String> handled = new CopyOnWriteArrayList<>();
    private final CountDownLatch never = new CountDownLatch(1);

    private ServerConnection connect(Duration timeout) {
        try (Dialer dialer = new Dialer(ConnectionLimits.standard())) {
            return dialer.connect(
                    new ServerSpec("inside", new ServerSpec.InProcess(this::handle), timeout),
                    Servers.FACE,
                    new Recorder());
        }
    }

    private void handle(byte[] bytes, Consumer<byte[]> answers) {
        Message message = Message.parse(bytes);
        handled.add(message.method());
        if (message.type() != Message.Type.REQUEST) {
            return;
        }
        byte[] id = Objects.requireNonNull(message.id()).bytes();
        switch (message.method()) {
            case "server/discover" ->
                answers.accept(JsonRpc.result(
                        id, "{\"supportedVersions\":[\"2026-07-28\"]}".getBytes(StandardCharsets.US_ASCII)));
            case "fail" -> throw new IllegalStateException("secret text");
            case "wait" -> {
                try {
                    never.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            default ->
                answers.accept(JsonRpc.result(
                        id, Objects.requireNonNull(message.body()).bytes()));
        }
    }

    @Test
    void aServerInsideIsSpokenToLikeAnyOther() {
        try (ServerConnection connection = connect(Servers.PATIENCE)) {
            assertThat(connection.era()).isEqualTo(Era.MODERN);
            assertThat(Servers.request(connection, "mirror", "{\"n\" : 1.0}", "tag"))
                    .contains("\"n\" : 1.0");
        }
    }

    @Test
    void aFailureInsideFailsTheCallInWordsOfOurs() {
        try (ServerConnection connection = connect(Servers.PATIENCE)) {
            assertThatThrownBy(() -> Servers.request(connection, "fail", "{}", "tag"))
                    .isInstanceOf(UpstreamException.class)
                    .hasMessage("the server failed before it answered");
        }
    }

    @Test
    void aServerInsideThatIsSlowIsGivenUpAndTold() {
        try (ServerConnection connection = connect(Duration.ofMillis(50))) {
            assertThatThrownBy(() -> Servers.request(connection, "wait", "{}", "tag"))
                    .hasMessage("the server did not answer in time");
            assertThat(handled).contains("notifications/cancelled");
        }
        never.countDown();
    }
}
