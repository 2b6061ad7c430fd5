package dev.postern.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.gate.call.Cancellation;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.gate.upstream.UpstreamException.Kind;
import dev.postern.json.JsonStrings;
import dev.postern.mcp.wire.Era;
import dev.postern.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A broken server harms only its own call, says so in words of ours, and leaves nothing behind. */
@Timeout(600)
final class BrokenServersTest {
    private static final Leftovers LEFTOVERS = Leftovers.fromNowOn();
    private static final ConnectionLimits LIMITS = ConnectionLimits.standard().withExit(Duration.ofMillis(500));
    private static final Dialer DIALER = new Dialer(LIMITS);

    private final Recorder recorder = new Recorder();

    @AfterAll
    static void closeDialer() {
        DIALER.close();
    }

    private ServerConnection connect(String... options) {
        return DIALER.connect(Servers.scripted(options), Servers.FACE, recorder);
    }

    @Test
    void anExitFailsEveryOpenCallAndEndsTheConnection() throws Exception {
        ServerConnection connection = connect();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> hanging = List.of(
                    threads.submit(() -> Servers.call(connection, "hang", "{}")),
                    threads.submit(() -> Servers.call(connection, "hang", "{}")));
            awaitOpen(connection, 2);
            fails(() -> Servers.call(connection, "exit", "{}"), Kind.FAILED, "the server exited before it answered");
            for (Future<String> call : hanging) {
                assertThatThrownBy(call::get).cause().hasMessage("the server exited before it answered");
            }
        }
        recorder.closed.await();
        assertThat(connection.isOpen()).isFalse();
        fails(() -> Servers.call(connection, "mirror", "{}"), Kind.FAILED, "the server exited before it answered");
        connection.notify("notifications/whatever", null);
        connection.close();
        connection.close();
        assertThat(recorder.closings).isEqualTo(1);
        LEFTOVERS.areGone();
    }

    @Test
    void aHangTimesOutTellsTheServerAndLeavesTheConnectionUsable() {
        ServerSpec spec = Servers.hasty(Servers.scripted(), Duration.ofMillis(300));
        try (ServerConnection connection = DIALER.connect(spec, Servers.FACE, recorder)) {
            fails(() -> Servers.call(connection, "hang", "{}"), Kind.TIMED_OUT, "the server did not answer in time");
            String answer = Servers.eventually(() -> Servers.call(connection, "cancelled", "{}"));
            long next = Long.parseLong(answer.replaceAll(".*\"id\":(\\d+).*", "$1"));
            assertThat(answer).matches(".*\"ids\":\\[(.*,)?" + (next - 1) + "].*");
        }
        LEFTOVERS.areGone();
    }

    @Test
    void anAnswerPastTheLimitFailsItsOwnCallOnly() throws Exception {
        try (ServerConnection connection = connect();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Cancellation stop = new Cancellation();
            Future<?> other =
                    threads.submit(() -> connection.request("tools/call", bytes("{\"name\":\"hang\"}"), "x", stop));
            awaitOpen(connection, 1);
            fails(
                    () -> Servers.call(connection, "large", "{\"bytes\":50000000}"),
                    Kind.FAILED,
                    "the server's answer is larger than the limit");
            assertThat(Servers.call(connection, "large", "{\"bytes\":5000000}")).hasSizeGreaterThan(5_000_000);
            assertThat(other.isDone()).isFalse();
            stop.fire();
        }
        LEFTOVERS.areGone();
    }

    @Test
    void aFloodOfStderrIsCutAndCountedAndHarmsNoCall() {
        try (ServerConnection connection = connect()) {
            assertThat(Servers.call(connection, "flood", "{\"lines\":500000}")).contains("content");
        }
        LEFTOVERS.areGone();
        synchronized (recorder.stderr) {
            assertThat(recorder.stderr).hasSizeBetween(1000, 100_000).startsWith("noise 0", "noise 1");
            assertThat(recorder.stderr).anyMatch(line -> line.matches("\\[\\d+ lines dropped]"));
            assertThat(recorder.stderr).allMatch(line -> line.length() <= LIMITS.maxStderrLineBytes());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"a\":}}",
                "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"a\":[1,2",
                "{\"jsonrpc\":\"2.0\",\"result\":{},\"id\":$ID,\"id\":$ID}",
                "{\"id\":$ID,\"result\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{},\"error\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":\"\u00ff\"}",
                "{\"result\":"
            })
    void anAnswerThatCannotBeReadFailsItsCall(String answer) {
        try (ServerConnection connection = connect()) {
            fails(
                    () -> Servers.call(connection, "say", "{\"text\":" + quote(answer) + "}"),
                    Kind.FAILED,
                    "the server's answer is not a valid message");
            assertThat(Servers.call(connection, "mirror", "{}")).contains("seen");
        }
        LEFTOVERS.areGone();
    }

    @Test
    void anAnswerThatCannotBeReadSparesTheCallsItIsNotFor() throws Exception {
        try (ServerConnection connection = connect();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Cancellation stop = new Cancellation();
            Future<?> other =
                    threads.submit(() -> connection.request("tools/call", bytes("{\"name\":\"hang\"}"), "x", stop));
            awaitOpen(connection, 1);
            String broken = "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":}";
            fails(
                    () -> Servers.call(connection, "say", "{\"text\":" + quote(broken) + "}"),
                    Kind.FAILED,
                    "the server's answer is not a valid message");
            assertThat(other.isDone()).isFalse();
            stop.fire();
        }
        LEFTOVERS.areGone();
    }

    @Test
    void noiseAnswersToNobodyAndSecondAnswersAreDropped() {
        try (ServerConnection connection = connect("--banner")) {
            String answer = "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"n\":1}}";
            String said = "plain words\n\n{\"jsonrpc\":\"2.0\",\"id\":999999,\"result\":{}}\n"
                    + "{\"jsonrpc\":\"2.0\",\"id\":\"abc\",\"result\":{}}\n"
                    + answer + "\n" + answer.replace("\"n\":1", "\"n\":2");
            assertThat(Servers.call(connection, "say", "{\"text\":" + quote(said) + "}"))
                    .contains("\"n\":1");
            assertThat(Servers.call(connection, "mirror", "{\"last\":true}")).contains("\"last\":true");
        }
        LEFTOVERS.areGone();
    }

    @Test
    void aServerThatClosesItsOutputIsEndedEvenIfItStays() {
        ServerConnection connection = connect("--stay");
        fails(
                () -> Servers.call(connection, "close-output", "{}"),
                Kind.FAILED,
                "the server closed its output before it answered");
        connection.close();
        LEFTOVERS.areGone();
    }

    @Test
    void aServerThatIgnoresTheEndOfItsInputAndSigtermIsKilledWithItsChildren() throws Exception {
        ServerConnection connection = connect("--stay");
        long child = pid(Servers.call(connection, "spawn", "{}"));
        long orphan = pid(Servers.call(connection, "orphan", "{}"));
        assertThat(ProcessHandle.of(child)).get().matches(ProcessHandle::isAlive);
        connection.close();
        isGone(child);
        isGone(orphan);
        LEFTOVERS.areGone();
    }

    @Test
    void whatAnExitedServerLeavesBehindIsEndedToo() throws Exception {
        ServerConnection connection = connect();
        long child = pid(Servers.call(connection, "spawn", "{}"));
        fails(() -> Servers.call(connection, "exit", "{}"), Kind.FAILED, "the server exited before it answered");
        connection.close();
        isGone(child);
        LEFTOVERS.areGone();
    }

    @Test
    void aServerThatNeverShakesHandsIsAnErrorAndIsEnded() {
        try (Dialer hasty = new Dialer(LIMITS.withHandshake(Duration.ofMillis(300), Duration.ofSeconds(3)))) {
            fails(
                    () -> hasty.connect(Servers.scripted("--initialize=never"), Servers.FACE, recorder),
                    Kind.TIMED_OUT,
                    "the server did not answer in time");
        }
        assertThat(recorder.closings).isZero();
        LEFTOVERS.areGone();
    }

    /** The handshake may take an hour here; the probe is over long before. */
    @Test
    void aServerThatDoesNotAnswerTheProbeCountsAsLegacy() {
        try (Dialer dialer = new Dialer(LIMITS.withHandshake(Duration.ofMillis(200), Duration.ofHours(1)));
                ServerConnection connection =
                        dialer.connect(Servers.scripted("--probe=ignore"), Servers.FACE, recorder)) {
            assertThat(connection.era()).isEqualTo(Era.LEGACY);
        }
    }

    @Test
    void aCommandThatIsNotThereIsAnErrorThatQuotesNothing() {
        ServerSpec missing = Servers.stdio(List.of("no-such-command-here", "secret-argument"), Servers.PATIENCE);
        fails(() -> DIALER.connect(missing, Servers.FACE, recorder), Kind.FAILED, "the server's command was not found");
        ServerSpec notMcp = Servers.stdio(List.of("sh", "-c", "exit 7"), Servers.PATIENCE);
        fails(
                () -> DIALER.connect(notMcp, Servers.FACE, recorder),
                Kind.FAILED,
                "the server exited before it answered");
        LEFTOVERS.areGone();
    }

    @Test
    void aServerThatDoesNotReadBlocksNobodyAndStillEnds() throws Exception {
        Cancellation stop = new Cancellation();
        byte[] megabyte = bytes("{\"name\":\"mirror\",\"arguments\":{\"x\":\"" + "x".repeat(1 << 20) + "\"}}");
        try (ServerConnection other = connect();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            ServerConnection deaf = connect();
            var _ = threads.submit(() -> deaf.request("tools/call", bytes("{\"name\":\"deaf\"}"), "x", stop));
            awaitOpen(deaf, 1);
            for (int i = 0; i < 20; i++) {
                var _ = threads.submit(() -> deaf.request("tools/call", megabyte, "x", stop));
            }
            awaitOpen(deaf, 21);
            assertThat(threads.submit(() -> Servers.call(other, "mirror", "{}")).get())
                    .contains("seen");
            deaf.close();
        }
        LEFTOVERS.areGone();
    }

    @Test
    void whatWaitsForAServerThatDoesNotReadHasALimit() throws Exception {
        ConnectionLimits few = LIMITS.withQueues(3 << 20, 256);
        byte[] megabyte = bytes("{\"name\":\"mirror\",\"arguments\":{\"x\":\"" + "x".repeat(1 << 20) + "\"}}");
        Cancellation stop = new Cancellation();
        try (Dialer dialer = new Dialer(few);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            ServerConnection deaf = dialer.connect(Servers.scripted(), Servers.FACE, recorder);
            var _ = threads.submit(() -> deaf.request("tools/call", bytes("{\"name\":\"deaf\"}"), "x", stop));
            awaitOpen(deaf, 1);
            List<Future<?>> waiting = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                waiting.add(threads.submit(() -> deaf.request("tools/call", megabyte, "x", stop)));
                awaitOpen(deaf, 2 + i);
            }
            fails(
                    () -> deaf.request("tools/call", megabyte, "x", stop),
                    Kind.FAILED,
                    "the server does not read what it is sent");
            assertThat(waiting).as("those before wait on").noneMatch(Future::isDone);
            deaf.close();
        }
        LEFTOVERS.areGone();
    }

    /** A server that asks more and more gets errors, and is served on. */
    @Test
    void soManyRequestsOfAServerMayWaitForTheClient() throws Exception {
        int most = 3;
        try (Dialer dialer = new Dialer(LIMITS.withQueues(LIMITS.maxQueuedBytes(), most));
                ServerConnection connection = dialer.connect(Servers.scripted(), Servers.FACE, recorder);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < most; i++) {
                int id = i;
                var _ = threads.submit(() -> Servers.call(connection, "ask", "{\"id\":" + id + "}"));
                assertThat(Recorder.next(recorder.requests).text()).contains("\"id\":" + id);
            }
            assertThat(Servers.call(connection, "ask", "{\"id\":\"one more\"}"))
                    .contains("\"id\":\"one more\"", "too many requests wait for the client");
            assertThat(recorder.requests).isEmpty();
            assertThat(Servers.call(connection, "mirror", "{}")).contains("seen");
            connection.close();
        }
    }

    private static void awaitOpen(ServerConnection connection, int count) throws Exception {
        Await.until(
                count + " requests are open",
                () -> ((Conversation) connection).openRequests().size() >= count);
    }

    private static void fails(Runnable work, Kind kind, String what) {
        assertThatThrownBy(work::run)
                .isInstanceOf(UpstreamException.class)
                .hasMessage(what)
                .extracting("kind")
                .isEqualTo(kind);
    }

    private static long pid(String answer) {
        return Long.parseLong(answer.replaceAll(".*\"pid\":(\\d+).*", "$1"));
    }

    private static void isGone(long pid) throws Exception {
        var process = ProcessHandle.of(pid);
        if (process.isPresent()) {
            process.get().onExit().get(60, TimeUnit.SECONDS);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String quote(String text) {
        return JsonStrings.quote(text).replace("\u00ff", "\\u00ff");
    }
}
