package dev.postern.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.gate.call.Cancellation;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.gate.upstream.UpstreamException.Kind;
import dev.postern.json.JsonStrings;
import dev.postern.mcp.wire.Era;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import dev.postern.testkit.Await;
import dev.postern.testkit.server.HttpFixture;
import dev.postern.testkit.server.HttpFixture.Received;
import dev.postern.testkit.server.HttpFixture.Speech;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streamable HTTP in both eras, and the older HTTP+SSE. */
@Timeout(600)
final class HttpConversationTest {
    private static final Leftovers LEFTOVERS = Leftovers.fromNowOn();
    private static final Dialer DIALER = new Dialer(ConnectionLimits.standard().withMaxMessageBytes(1 << 20));

    private final Recorder recorder = new Recorder();

    @AfterAll
    static void closeDialer() {
        DIALER.close();
        LEFTOVERS.areGone();
    }

    private ServerConnection connect(HttpFixture fixture) {
        return connect(fixture.endpoint(), Servers.PATIENCE);
    }

    private ServerConnection connect(HttpFixture fixture, ServerConnection.ClientFace face) {
        return DIALER.connect(
                new ServerSpec("fixture", new ServerSpec.Http(fixture.endpoint(), Map.of()), Servers.PATIENCE),
                face,
                recorder);
    }

    private ServerConnection connect(URI endpoint, Duration timeout) {
        Map<String, SecretValue> headers =
                Map.of("Authorization", Servers.secret("Bearer s3cret"), "X-Team", Servers.secret("a b"));
        return DIALER.connect(
                new ServerSpec("fixture", new ServerSpec.Http(endpoint, headers), timeout), Servers.FACE, recorder);
    }

    @Test
    void aLegacyServerIsGreetedWithASessionThatEndsWithADelete() throws Exception {
        try (HttpFixture fixture = new HttpFixture(Speech.LEGACY)) {
            ServerConnection connection = connect(fixture);
            assertThat(connection.era()).isEqualTo(Era.LEGACY);
            assertThat(connection.protocolVersion()).isEqualTo("2025-06-18");
            assertThat(Servers.call(connection, "mirror", "{}")).contains("seen");
            String session = fixture.sessions().iterator().next();
            Received call = last(fixture, "\"mirror\"");
            assertThat(call.headers())
                    .containsEntry("mcp-session-id", session)
                    .containsEntry("mcp-protocol-version", "2025-06-18")
                    .containsEntry("authorization", "Bearer s3cret")
                    .containsEntry("x-team", "a b")
                    .containsEntry("accept", "application/json, text/event-stream")
                    .doesNotContainKeys("mcp-method", "mcp-name");
            assertThat(last(fixture, "\"initialize\"").headers())
                    .doesNotContainKeys("mcp-session-id", "mcp-protocol-version", "mcp-method");
            assertThat(last(fixture, "notifications/initialized").headers()).containsEntry("mcp-session-id", session);
            connection.close();
            Await.until("the session has ended", () -> fixture.sessions().isEmpty());
        }
    }

    @Test
    void aLegacyClientsRevisionIsAskedForBeforeAnythingElse() throws IOException {
        try (HttpFixture fixture = new HttpFixture(Speech.LEGACY)) {
            try (ServerConnection connection = connect(fixture, Servers.face("2025-03-26"))) {
                assertThat(connection.era()).isEqualTo(Era.LEGACY);
            }
            assertThat(fixture.received().getFirst().body()).contains("\"protocolVersion\":\"2025-03-26\"");
        }
    }

    @Test
    void aModernServerIsSpokenToForALegacyClient() throws IOException {
        try (HttpFixture fixture = new HttpFixture(Speech.MODERN);
                ServerConnection connection = connect(fixture, Servers.LEGACY_FACE)) {
            assertThat(connection.era()).isEqualTo(Era.MODERN);
            assertThat(Servers.call(connection, "mirror", "{}")).contains("seen");
        }
    }

    @Test
    void anOlderServerIsSpokenToForALegacyClient() throws IOException {
        try (HttpFixture fixture = new HttpFixture(Speech.OLDER);
                ServerConnection connection = connect(fixture, Servers.LEGACY_FACE)) {
            assertThat(connection.protocolVersion()).isEqualTo("2024-11-05");
            assertThat(Servers.call(connection, "mirror", "{}")).contains("seen");
        }
    }

    @Test
    void aModernServerGetsItsHeaders() throws IOException {
        try (HttpFixture fixture = new HttpFixture(Speech.MODERN);
                ServerConnection connection = connect(fixture)) {
            assertThat(connection.era()).isEqualTo(Era.MODERN);
            assertThat(Servers.call(connection, "mirror", "{}")).contains("seen");
            assertThat(last(fixture, "\"mirror\"").headers())
                    .containsEntry("mcp-protocol-version", "2026-07-28")
                    .containsEntry("mcp-method", "tools/call")
                    .containsEntry("mcp-name", "mirror")
                    .doesNotContainKey("mcp-session-id");
            Servers.request(connection, "resources/read", "{\"uri\":\"file:///\\u4e16\"}", "tag");
            assertThat(last(fixture, "resources/read").headers())
                    .containsEntry("mcp-name", "=?base64?ZmlsZTovLy/kuJY=?=");
            Servers.request(connection, "tools/list", null, "tag");
            assertThat(last(fixture, "tools/list").headers()).doesNotContainKey("mcp-name");
        }
    }

    @Test
    void parametersThatAToolMarksAreRepeatedInHeaders() throws IOException {
        String schema = "{\"properties\":{\"region\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"}}}";
        byte[] params =
                "{\"name\":\"mirror\",\"arguments\":{\"region\":\"\\u4e16\"}}".getBytes(StandardCharsets.US_ASCII);
        try (HttpFixture modern = new HttpFixture(Speech.MODERN);
                HttpFixture legacy = new HttpFixture(Speech.LEGACY)) {
            for (HttpFixture fixture : List.of(modern, legacy)) {
                try (ServerConnection connection = connect(fixture)) {
                    connection.request("tools/call", params, Servers.json(schema), "tag", new Cancellation());
                }
            }
            assertThat(last(modern, "\"mirror\"").headers()).containsEntry("mcp-param-region", "=?base64?5LiW?=");
            assertThat(last(legacy, "\"mirror\"").headers()).doesNotContainKey("mcp-param-region");
        }
    }

    @ParameterizedTest
    @EnumSource(Speech.class)
    void everyByteArrivesBothWays(Speech speech) throws IOException {
        try (HttpFixture fixture = new HttpFixture(speech);
                ServerConnection connection = connect(fixture)) {
            assertThat(connection.era()).isEqualTo(speech == Speech.MODERN ? Era.MODERN : Era.LEGACY);
            String arguments = "{ \"a\" : 1e400 ,\r\n\t\"a\":[ -0.0 ],\"\\u0061\":\"\\/\\ud83d\\ude00\" }";
            if (speech == Speech.OLDER) {
                // The fixture would put it on one line of an event.
                arguments = arguments.replace("\r\n", "");
            }
            Servers.call(connection, "mirror", arguments);
            assertThat(last(fixture, "\"mirror\"").body()).contains("\"arguments\":" + arguments);
            String answer =
                    " {\"result\" : { \"n\":1.50, \"n\" : 1E+2,\"s\":\"\\u00e9\u00e9\" } ,\n\"jsonrpc\":\"2.0\",\"id\": $ID } ";
            if (speech == Speech.OLDER) {
                answer = answer.replace("\n", "").strip();
            }
            String got = say(connection, "say", answer);
            assertThat(got).isEqualTo(utf8(answer).replace("$ID", id(got)));
        }
    }

    @ParameterizedTest
    @CsvSource({"1,LF", "2,CRLF", "3,CR", "7,CRLF", "1000,LF"})
    void eventsArriveWhereverTheyAreCut(int bytes, String lineEnd) throws Exception {
        try (HttpFixture fixture = new HttpFixture(Speech.LEGACY)
                        .cutting(bytes, lineEnd.replace("LF", "\n").replace("CR", "\r"));
                ServerConnection connection = connect(fixture)) {
            assertThat(Servers.call(connection, "mirror-events", "{\"x\" : 1.0}"))
                    .contains("{\"x\" : 1.0}");
            Recorder.Heard heard = Recorder.next(recorder.notifications);
            assertThat(heard.text())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"n\":1.0}}");
            assertThat(heard.related()).isEqualTo("mirror-events");
        }
    }

    @Test
    void anEventsDataLinesAreOneMessage() throws IOException {
        try (HttpFixture fixture = new HttpFixture(Speech.LEGACY);
                ServerConnection connection = connect(fixture)) {
            String events = """
                    : comment

                    event: other
                    data: {"not":"ours"}

                    event: message
                    data: {"jsonrpc":"2.0",
                    data:  "id":$ID,
                    data: "result":{ }}

                    """;
            String got = say(connection, "say-events", events);
            assertThat(got).isEqualTo("{\"jsonrpc\":\"2.0\",\n \"id\":" + id(got) + ",\n\"result\":{ }}");
        }
    }

    @Test
    void aStreamThatIsCutOffIsTakenUpAgainWhereItEnded() throws IOException {
        try (HttpFixture fixture = new HttpFixture(Speech.LEGACY);
                ServerConnection connection = connect(fixture)) {
            assertThat(Servers.call(connection, "resume", "{}")).contains("\"resumed\":true");
            assertThat(fixture.received())
                    .anyMatch(got -> got.method().equals("GET")
                            && "e-1".equals(got.headers().get("last-event-id")));
        }
    }

    @Test
    void aLegacyServerSpeaksByItselfOnAStreamOfItsOwn() throws Exception {
        try (HttpFixture fixture = new HttpFixture(Speech.LEGACY);
                ServerConnection connection = connect(fixture)) {
            fixture.say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
            Recorder.Heard heard = Recorder.next(recorder.notifications);
            assertThat(heard.method()).isEqualTo("notifications/tools/list_changed");
            assertThat(heard.related()).isNull();
            assertThat(connection.isOpen()).isTrue();
        }
    }

    @Test
    void aRequestOfTheServersIsAnsweredByAPost() throws IOException {
        recorder.answering = (heard, reply) ->
                reply.send("{\"jsonrpc\":\"2.0\",\"id\":5, \"result\":{\"action\":\"accept\",\"n\":1.0}}"
                        .getBytes(StandardCharsets.US_ASCII));
        try (HttpFixture fixture = new HttpFixture(Speech.LEGACY);
                ServerConnection connection = connect(fixture)) {
            assertThat(Servers.call(connection, "ask", "{}"))
                    .contains("{\"jsonrpc\":\"2.0\",\"id\":\"ask-1\", \"result\":{\"action\":\"accept\",\"n\":1.0}}");
            assertThat(recorder.requests).singleElement().satisfies(heard -> {
                assertThat(heard.related()).isEqualTo("ask");
                assertThat(heard.text()).contains("1e400");
            });
        }
    }

    @Test
    void aForgottenSessionEndsTheConnectionAndTheCallMayBeSentAnew() throws Exception {
        try (HttpFixture fixture = new HttpFixture(Speech.LEGACY);
                ServerConnection connection = connect(fixture)) {
            Servers.call(connection, "forget", "{}");
            assertThatThrownBy(() -> Servers.call(connection, "mirror", "{}"))
                    .isInstanceOfSatisfying(UpstreamException.class, e -> {
                        assertThat(e.neverArrived()).isTrue();
                        assertThat(e.what()).isEqualTo("the server ended the session");
                    });
            recorder.closed.await();
            assertThat(connection.isOpen()).isFalse();
        }
    }

    @Test
    void givingUpClosesAModernStream() throws Exception {
        Cancellation stop = new Cancellation();
        try (HttpFixture fixture = new HttpFixture(Speech.MODERN);
                ServerConnection connection = connect(fixture);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> call = threads.submit(() -> connection.request(
                    "tools/call", "{\"name\":\"hang-events\"}".getBytes(StandardCharsets.US_ASCII), "tag", stop));
            awaitReceived(fixture, "hang-events");
            stop.fire();
            assertThatThrownBy(call::get).cause().extracting("kind").isEqualTo(Kind.CANCELLED);
            assertThat(fixture.awaitDrop()).isTrue();
            assertThat(fixture.received()).noneMatch(got -> got.body().contains("notifications/cancelled"));
        }
    }

    @Test
    void givingUpTellsALegacyServer() throws Exception {
        try (HttpFixture fixture = new HttpFixture(Speech.LEGACY);
                ServerConnection connection = connect(fixture.endpoint(), Duration.ofSeconds(1))) {
            assertThatThrownBy(() -> Servers.call(connection, "hang", "{}"))
                    .hasMessage("the server did not answer in time");
            awaitReceived(fixture, "notifications/cancelled");
            String id = id(last(fixture, "\"hang\"").body());
            assertThat(last(fixture, "notifications/cancelled").body()).contains("{\"requestId\":" + id + "}");
            assertThat(Servers.eventually(() -> Servers.call(connection, "mirror", "{}")))
                    .contains("seen");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "status|{\"code\":503}|the server answered with HTTP status 503",
                "status|{\"code\":401}|the server does not accept the credentials (HTTP 401)",
                "accept|{}|the server took the request and did not answer it",
                "cut-off|{}|the server ended the stream before it answered",
                "large|{\"bytes\":2000000}|the server's answer is larger than the limit",
                "large-event|{\"bytes\":2000000}|the server's answer is larger than the limit",
                "say|{\"text\":\"{ nonsense\"}|the server's answer is not a valid message",
                "say-events|{\"text\":\"data: {\\\"id\\\":$ID,}\\n\\n\"}|the server's answer is not a valid message"
            })
    void aBrokenAnswerFailsItsOwnCall(String tool, String arguments, String what) throws IOException {
        try (HttpFixture fixture = new HttpFixture(Speech.MODERN);
                ServerConnection connection = connect(fixture)) {
            assertThatThrownBy(() -> Servers.call(connection, tool, arguments))
                    .isInstanceOf(UpstreamException.class)
                    .hasMessage(what);
            assertThat(Servers.call(connection, "mirror", "{}")).contains("seen");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 500})
    void anErrorResponseIsAnAnswerWhateverItsStatus(int status) throws IOException {
        try (HttpFixture fixture = new HttpFixture(Speech.MODERN);
                ServerConnection connection = connect(fixture)) {
            assertThat(Servers.call(connection, "error", "{\"code\":" + status + "}"))
                    .contains("\"code\":-32601");
        }
    }

    @Test
    void nothingIsSentToAnotherOrigin() throws IOException {
        try (HttpFixture trap = new HttpFixture(Speech.LEGACY);
                HttpFixture fixture = new HttpFixture(Speech.LEGACY).redirecting(307, trap.endpoint())) {
            assertThatThrownBy(() -> connect(fixture))
                    .hasMessage(
                            "the server redirects to another origin, which is not followed; configure its new address");
            assertThat(trap.received()).isEmpty();
        }
    }

    @Test
    void aRedirectWithinTheOriginIsFollowed() throws IOException {
        try (HttpFixture fixture = new HttpFixture(Speech.LEGACY)) {
            fixture.redirecting(308, URI.create("/moved"));
            try (ServerConnection connection = connect(fixture)) {
                assertThat(Servers.call(connection, "mirror", "{}")).contains("seen");
                assertThat(last(fixture, "\"mirror\"").path()).isEqualTo("/moved");
            }
        }
    }

    @Test
    void aServerThatIsNotThereIsAnErrorThatQuotesNothing() {
        assertThatThrownBy(() -> connect(URI.create("http://127.0.0.1:1/?token=s3cret"), Servers.PATIENCE))
                .isInstanceOf(UpstreamException.class)
                .hasMessage("the server cannot be reached")
                .hasNoCause();
        assertThatThrownBy(() -> connect(URI.create("file:///etc/passwd"), Servers.PATIENCE))
                .isInstanceOf(UpstreamException.class)
                .hasMessageNotContaining("passwd");
        ServerSpec spec = new ServerSpec(
                "bad",
                new ServerSpec.Http(
                        URI.create("http://127.0.0.1:1/"), Map.of("Authorization", Servers.secret("line\nbreak"))),
                Servers.PATIENCE);
        assertThatThrownBy(() -> DIALER.connect(spec, Servers.FACE, recorder))
                .hasMessage("the server's address or a header of it is not allowed in HTTP")
                .hasNoCause();
    }

    @Test
    void aSpecsValuesAreWipedWhenTheConnectionCloses() throws IOException {
        SecretValue key = Servers.secret("Bearer s3cret");
        try (HttpFixture fixture = new HttpFixture(Speech.LEGACY)) {
            ServerSpec spec = new ServerSpec(
                    "fixture", new ServerSpec.Http(fixture.endpoint(), Map.of("Authorization", key)), Servers.PATIENCE);
            ServerConnection connection = DIALER.connect(spec, Servers.FACE, recorder);
            Servers.call(connection, "mirror", "{}");
            connection.close();
            assertThatThrownBy(() -> key.reveal(Reveal.TO_DELIVER)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void closingEndsOpenCallsAndLeavesNoThread() throws Exception {
        try (HttpFixture fixture = new HttpFixture(Speech.LEGACY);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            ServerConnection connection = connect(fixture);
            List<Future<String>> calls = List.of(
                    threads.submit(() -> Servers.call(connection, "hang", "{}")),
                    threads.submit(() -> Servers.call(connection, "hang-events", "{}")));
            awaitReceived(fixture, "\"hang\"");
            awaitReceived(fixture, "hang-events");
            connection.close();
            for (Future<String> call : calls) {
                assertThatThrownBy(call::get).cause().hasMessage("the connection to the server was closed");
            }
            assertThat(recorder.closings).isEqualTo(1);
            assertThat(fixture.awaitDrop()).isTrue();
        }
    }

    private static String say(ServerConnection connection, String tool, String text) {
        return Servers.call(connection, tool, "{\"text\":" + JsonStrings.quote(utf8(text)) + "}");
    }

    /** UTF-8 seen as one character a byte. */
    private static String utf8(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    private static String id(String answer) {
        return answer.replaceAll("(?s).*?\"id\"\\s*:\\s*(\\d+).*", "$1");
    }

    private static Received last(HttpFixture fixture, String text) {
        return fixture.received().stream()
                .filter(got -> got.body().contains(text))
                .reduce((a, b) -> b)
                .orElseThrow();
    }

    private static void awaitReceived(HttpFixture fixture, String text) throws Exception {
        Await.until(
                "the server received " + text,
                () -> fixture.received().stream().anyMatch(got -> got.body().contains(text)));
    }
}
