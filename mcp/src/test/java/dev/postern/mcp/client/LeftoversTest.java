package dev.postern.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.call.Cancellation;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.testkit.Await;
import dev.postern.testkit.server.HttpFixture;
import dev.postern.testkit.server.HttpFixture.Speech;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Conversations opened and dropped in every way leave no process, no thread and no descriptor. */
@Timeout(600)
@EnabledOnOs(OS.LINUX)
final class LeftoversTest {
    private static final Leftovers LEFTOVERS = Leftovers.fromNowOn();
    /** Less than one a round: a class that is first needed in a later one may open its archive. */
    private static final int BY_CHANCE = 2;

    private static final ConnectionLimits LIMITS = ConnectionLimits.standard().withExit(Duration.ofMillis(500));

    @Test
    void childrenLeaveNothing() throws Exception {
        try (Dialer dialer = new Dialer(LIMITS)) {
            drop(dialer, Servers::scripted);
            int before = descriptors();
            for (int i = 0; i < 3; i++) {
                drop(dialer, Servers::scripted);
            }
            comesBackTo(before);
        }
        LEFTOVERS.areGone();
    }

    @Test
    void addressesLeaveNothing() throws Exception {
        for (Speech speech : Speech.values()) {
            int before = 0;
            for (int round = 0; round < 4; round++) {
                try (HttpFixture fixture = new HttpFixture(speech);
                        Dialer dialer = new Dialer(LIMITS)) {
                    for (int i = 0; i < 5; i++) {
                        drop(
                                dialer,
                                () -> new ServerSpec(
                                        "fixture",
                                        new ServerSpec.Http(fixture.endpoint(), Map.of()),
                                        Servers.PATIENCE));
                    }
                    Await.until("every stream has ended", () -> fixture.openStreams() == 0);
                    Await.until(
                            "every session has ended", () -> fixture.sessions().isEmpty());
                }
                before = round == 0 ? descriptors() : before;
            }
            comesBackTo(before);
        }
        LEFTOVERS.areGone();
    }

    /** Closed idle, closed twice, closed with calls open, given up, ended by the server: four conversations at once. */
    private static void drop(Dialer dialer, java.util.function.Supplier<ServerSpec> specs) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> drops = new ArrayList<>();
            drops.add(threads.submit(() -> {
                ServerConnection idle = dialer.connect(specs.get(), Servers.FACE, new Recorder());
                idle.close();
                idle.close();
            }));
            drops.add(threads.submit(() -> {
                ServerConnection busy = dialer.connect(specs.get(), Servers.FACE, new Recorder());
                Future<?> call = threads.submit(() -> hang(busy, new Cancellation()));
                awaitOpen(busy);
                busy.close();
                assertThat(call.get()).isEqualTo(UpstreamException.Kind.FAILED);
                return null;
            }));
            drops.add(threads.submit(() -> {
                Cancellation stop = new Cancellation();
                try (ServerConnection impatient = dialer.connect(specs.get(), Servers.FACE, new Recorder())) {
                    Future<?> call = threads.submit(() -> hang(impatient, stop));
                    awaitOpen(impatient);
                    stop.fire();
                    assertThat(call.get()).isEqualTo(UpstreamException.Kind.CANCELLED);
                }
                return null;
            }));
            drops.add(threads.submit(() -> {
                Recorder recorder = new Recorder();
                ServerConnection ended = dialer.connect(specs.get(), Servers.FACE, recorder);
                try {
                    Servers.call(ended, "exit", "{}");
                } catch (UpstreamException expected) {
                    assertThat(expected.kind()).isEqualTo(UpstreamException.Kind.FAILED);
                }
                ended.close();
            }));
            for (Future<?> drop : drops) {
                drop.get();
            }
        }
    }

    private static UpstreamException.Kind hang(ServerConnection connection, Cancellation stop) {
        try {
            connection.request("tools/call", "{\"name\":\"hang\"}".getBytes(StandardCharsets.US_ASCII), "tag", stop);
            throw new AssertionError("a hanging call was answered");
        } catch (UpstreamException e) {
            return e.kind();
        }
    }

    private static void awaitOpen(ServerConnection connection) throws Exception {
        Await.until(
                "the request is open",
                () -> !((Conversation) connection).openRequests().isEmpty());
    }

    /** The system takes its time to close the other ends; what leaks stays for ever. */
    private static void comesBackTo(int before) throws Exception {
        Await.until("no more descriptors are open than before", () -> descriptors() <= before + BY_CHANCE);
    }

    private static int descriptors() throws IOException {
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            return (int) open.count();
        }
    }
}
