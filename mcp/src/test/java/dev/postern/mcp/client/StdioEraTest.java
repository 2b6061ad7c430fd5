package dev.postern.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.gate.call.Cancellation;
import dev.postern.gate.scrub.Opened;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.mcp.wire.Era;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** 2026-07-28, stdio, "Backward Compatibility": which era a child speaks, and the modern way of speaking. */
final class StdioEraTest {
    private static final Leftovers LEFTOVERS = Leftovers.fromNowOn();
    /** However long a child takes to start. */
    private static final ConnectionLimits PATIENT = ConnectionLimits.standard()
            .withExit(Duration.ofMillis(500))
            .withHandshake(Duration.ofMinutes(1), Duration.ofMinutes(2));

    private static final Dialer DIALER = new Dialer(PATIENT);
    private static final String META = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"test\",\"version\":\"1\"},"
            + "\"io.modelcontextprotocol/clientCapabilities\":{\"sampling\":{}}}";

    private final Recorder recorder = new Recorder();

    @AfterAll
    static void closeDialer() {
        DIALER.close();
        LEFTOVERS.areGone();
    }

    private ServerConnection connect(String... options) {
        return DIALER.connect(Servers.scripted(options), Servers.FACE, recorder);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--era=modern", "--era=dual"})
    void aServerThatCanSpeakModernIsModern(String era) {
        try (ServerConnection connection = connect(era)) {
            assertThat(connection.era()).isEqualTo(Era.MODERN);
            assertThat(connection.protocolVersion()).isEqualTo("2026-07-28");
            assertThat(Opened.text(connection.greeting())).contains("\"supportedVersions\"");
        }
    }

    @Test
    void aServerOfBothErasIsSpokenToInTheClients() {
        try (Dialer fresh = new Dialer(PATIENT);
                ServerConnection legacy = fresh.connect(Servers.scripted("--era=dual"), Servers.LEGACY_FACE, recorder);
                ServerConnection modern = fresh.connect(Servers.scripted("--era=dual"), Servers.FACE, recorder);
                ServerConnection again = fresh.connect(Servers.scripted("--era=dual"), Servers.LEGACY_FACE, recorder)) {
            assertThat(legacy.era()).isEqualTo(Era.LEGACY);
            assertThat(Opened.text(legacy.greeting())).contains("\"protocolVersion\"");
            assertThat(modern.era()).isEqualTo(Era.MODERN);
            assertThat(again.era()).isEqualTo(Era.LEGACY);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--initialize=answer", "--initialize=exit", "--initialize=never"})
    void aModernServerIsModernHoweverItTakesALegacyClientsGreeting(String initialize) {
        // Only silence makes it wait: for half of that time.
        Duration handshake = initialize.endsWith("never") ? Duration.ofSeconds(14) : Duration.ofMinutes(2);
        try (Dialer dialer = new Dialer(PATIENT.withHandshake(handshake, handshake));
                ServerConnection connection =
                        dialer.connect(Servers.scripted("--era=modern", initialize), Servers.LEGACY_FACE, recorder)) {
            assertThat(connection.era()).isEqualTo(Era.MODERN);
            assertThat(Servers.call(connection, "mirror", "{}")).contains("seen");
            assertThat(recorder.closings).isZero();
        }
    }

    @Test
    void aLegacyClientsServerIsAskedNothingBeforeItsGreeting() {
        try (Dialer fresh = new Dialer(PATIENT);
                ServerConnection connection =
                        fresh.connect(Servers.scripted("--probe=break"), Servers.LEGACY_FACE, recorder)) {
            assertThat(Servers.call(connection, "mirror", "{}")).contains("\"id\":2,");
        }
    }

    @Test
    void aModernServerGetsTheMetaItNeedsAndEveryOtherByteAsItWas() {
        try (ServerConnection connection = connect("--era=modern")) {
            assertThat(Servers.request(connection, "mirror", null, "tag")).contains("{\"seen\":{" + META + "}}");
            assertThat(Servers.request(connection, "mirror", " { } ", "tag")).contains("{\"seen\":{" + META + " }}");
            assertThat(Servers.request(
                            connection, "mirror", "{ \"x\" : 1e400, \"_meta\" : { \"traceparent\":\"0\" } }", "tag"))
                    .contains("{ \"x\" : 1e400, \"_meta\" : {" + META.substring(9, META.length() - 1)
                            + ", \"traceparent\":\"0\" } }");
            String complete = "{\"_meta\":{\"io.modelcontextprotocol/clientCapabilities\":{}, "
                    + "\"io.modelcontextprotocol/clientInfo\":null,\"io.modelcontextprotocol/protocolVersion\":\"x\"}}";
            assertThat(Servers.request(connection, "mirror", complete, "tag")).contains(complete);
        }
    }

    @Test
    void aModernServersRequestsAreDropped() {
        try (ServerConnection connection = connect("--era=modern")) {
            String said = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"
                    + "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"roots/list\"}\n{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{}}";
            Servers.call(connection, "say", "{\"text\":" + dev.postern.json.JsonStrings.quote(said) + "}");
            assertThat(recorder.requests).isEmpty();
        }
    }

    @Test
    void aSubscriptionStaysOpenUntilItIsGivenUpAndItsNotificationsBelongToIt() throws Exception {
        ServerSpec hasty = Servers.hasty(Servers.scripted("--era=modern"), Duration.ofMillis(200));
        Cancellation stop = new Cancellation();
        try (ServerConnection connection = DIALER.connect(hasty, Servers.FACE, recorder);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> listening = threads.submit(() -> connection.request(
                    "subscriptions/listen", "{}".getBytes(StandardCharsets.US_ASCII), "the subscription", stop));
            assertThat(Recorder.next(recorder.notifications).related()).isEqualTo("the subscription");
            assertThat(Recorder.next(recorder.notifications).related()).isEqualTo("the subscription");
            assertThatThrownBy(() -> Servers.call(connection, "hang", "{}"))
                    .hasMessage("the server did not answer in time");
            assertThat(listening.isDone()).isFalse();
            stop.fire();
            assertThatThrownBy(listening::get).hasCauseInstanceOf(UpstreamException.class);
        }
    }

    @Test
    void aModernServerWithoutACommonVersionIsRefused() {
        assertThatThrownBy(() -> connect("--era=modern", "--version=none"))
                .hasMessage("the server speaks no protocol version that Postern speaks");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--probe=refuse", "--probe=ignore", "--probe=exit", "--probe=break"})
    void aLegacyServerIsLegacyHoweverItTakesTheProbe(String probe) {
        // One that breaks is waited for during half of that time, and then started afresh.
        Duration handshake = probe.endsWith("break") ? Duration.ofSeconds(20) : Duration.ofMinutes(2);
        try (Dialer hasty = new Dialer(PATIENT.withHandshake(Duration.ofSeconds(2), handshake));
                ServerConnection connection = hasty.connect(Servers.scripted(probe), Servers.FACE, recorder)) {
            assertThat(connection.era()).isEqualTo(Era.LEGACY);
            assertThat(Servers.call(connection, "mirror", "{}")).contains("seen");
            assertThat(recorder.closings).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"})
    void olderRevisionsAreSpoken(String version) {
        try (ServerConnection connection = connect("--version=" + version)) {
            assertThat(connection.protocolVersion()).isEqualTo(version);
        }
    }

    @Test
    void aRevisionNobodyKnowsIsRefused() {
        assertThatThrownBy(() -> connect("--version=1999-12-31"))
                .hasMessage("the server speaks no protocol version that Postern speaks");
    }

    @Test
    void aSpecsValuesAreWipedOnceTheChildHasThem() {
        ServerSpec spec = Servers.scripted();
        SecretValue argument = ((ServerSpec.Stdio) spec.transport()).arguments().getFirst();
        try (ServerConnection connection = DIALER.connect(spec, Servers.FACE, recorder)) {
            assertThat(connection.isOpen()).isTrue();
            assertThatThrownBy(() -> argument.reveal(Reveal.TO_DELIVER)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void theEraIsAskedForOnceAConfiguredServer() {
        try (Dialer fresh = new Dialer(PATIENT);
                ServerConnection first = fresh.connect(Servers.scripted(), Servers.FACE, recorder);
                ServerConnection second = fresh.connect(Servers.scripted(), Servers.FACE, recorder)) {
            assertThat(Servers.call(first, "mirror", "{}")).contains("\"id\":3,");
            assertThat(Servers.call(second, "mirror", "{}")).contains("\"id\":2,");
        }
    }
}
