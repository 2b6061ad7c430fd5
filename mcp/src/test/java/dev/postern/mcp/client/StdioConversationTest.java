package dev.postern.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.call.Cancellation;
import dev.postern.gate.scrub.Opened;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.mcp.wire.Era;
import dev.postern.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A legacy server as a child process: every byte both ways, ids, tokens, requests of its own, the end of it. */
final class StdioConversationTest {
    private static final Dialer DIALER = new Dialer(ConnectionLimits.standard());

    private final Recorder recorder = new Recorder();
    private ServerConnection connection = DIALER.connect(Servers.scripted(), Servers.FACE, recorder);

    @AfterEach
    void close() {
        connection.close();
    }

    @AfterAll
    static void closeDialer() {
        DIALER.close();
    }

    @Test
    void aServerThatRefusesDiscoveryIsGreetedAsLegacy() {
        assertThat(connection.era()).isEqualTo(Era.LEGACY);
        assertThat(connection.protocolVersion()).isEqualTo("2025-11-25");
        assertThat(Opened.text(connection.greeting())).contains("\"serverInfo\"");
    }

    /** R8: what an agent wrote reaches the server as it was, line ends apart, which the transport gives a meaning. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"name\":\"mirror\",\"arguments\":{\"a\":1e400,\"b\":-0.0,\"c\":1.000,\"d\":12345678901234567890}}",
                "{ \"name\" : \"mirror\" ,\t\"arguments\" : { \"x\" : [ ] } }",
                "{\"arguments\":{\"a\":1,\"a\":2},\"name\":\"\\u006dirror\",\"x\":\"\\u00e9\\/\\ud83d\\ude00\"}",
                "{\"name\":\"mirror\",\"arguments\":{\"\":null},\"unknown\":{\"deep\":[[[true]]]}}"
            })
    void paramsReachTheServerByteForByte(String params) {
        String answer = Servers.request(connection, "tools/call", params, "tag");
        assertThat(answer)
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":" + id(answer) + ",\"result\":{\"seen\":" + params + "}}");
    }

    @Test
    void lineEndsBetweenTokensBecomeBlanksAndNothingElseChanges() {
        String params = "{\r\n  \"name\": \"mirror\",\n  \"arguments\": {\"text\": \"a\\nb\"}\n}";
        assertThat(Servers.request(connection, "tools/call", params, "tag"))
                .contains("\"seen\":" + params.replace('\n', ' ').replace('\r', ' '));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " { \"id\" : $ID , \"result\" : { \"n\" : 1E+02 , \"n\" : 0.10 } , \"jsonrpc\":\"2.0\", \"x\":[ ] } ",
                "{\"result\":{\"t\":\"\\u0041\\/\\u00e9 \u00e9\"},\"jsonrpc\":\"2.0\",\"id\":$ID}",
                "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":-32000.0,\"message\":\"m\",\"data\":1e999}}",
                "{\"jsonrpc\":\"2.0\",\"id\":\"$ID\",\"result\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":$ID.0,\"result\":{}}"
            })
    void answersComeBackByteForByte(String answer) {
        String utf8 = new String(answer.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        String got = say(utf8);
        assertThat(got).isEqualTo(utf8.replace("$ID", id(got)));
    }

    @Test
    void anErrorThatNamesNoRequestAnswersTheOnlyOneThatIsOpen() {
        String got = say("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"what?\"}}");
        assertThat(got).matches("\\{\"jsonrpc\":\"2.0\",\"id\":\\d+,\"error\":.*");
    }

    @Test
    void notificationsComeBeforeTheAnswerTheyCameBefore() throws Exception {
        say("""
                {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1.50}}
                {"jsonrpc":"2.0","method":"notifications/new/one"}
                {"jsonrpc":"2.0","id":$ID,"result":{}}""");
        assertThat(recorder.notifications)
                .extracting(Recorder.Heard::text)
                .containsExactly(
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":1.50}}",
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/new/one\"}");
    }

    @Test
    void answersInABatchAreTakenApart() {
        assertThat(
                        say(
                                "[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}, {\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{ }}]"))
                .contains("\"result\":{ }");
        assertThat(recorder.notifications).hasSize(1);
    }

    @Test
    void requestsRunSideBySideAndEachGetsItsOwnAnswer() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> answers = java.util.stream.IntStream.range(0, 200)
                    .mapToObj(i -> threads.submit(() -> Servers.call(connection, "mirror", "{\"i\":" + i + "}")))
                    .toList();
            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i).get()).contains("{\"i\":" + i + "}");
            }
        }
    }

    @Test
    void progressIsRelatedToItsRequestByItsToken() throws Exception {
        Servers.request(
                connection, "tools/call", "{\"name\":\"progress\",\"_meta\":{\"progressToken\":7.0}}", "the caller");
        for (int i = 1; i <= 3; i++) {
            Recorder.Heard heard = Recorder.next(recorder.notifications);
            assertThat(heard.related()).isEqualTo("the caller");
            assertThat(heard.text()).endsWith("{\"progressToken\":7.0, \"progress\":" + i + ".0}}");
        }
    }

    @Test
    void aTokenInUseIsReplacedOnTheWayOutAndGivenBackOnTheWayIn() throws Exception {
        Cancellation stop = new Cancellation();
        String params = "{\"name\":\"%s\",\"_meta\":{ \"progressToken\" : \"same\" , \"x\":1.0 }}";
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> first = threads.submit(() -> connection.request(
                    "tools/call", params.formatted("hang").getBytes(StandardCharsets.US_ASCII), "first", stop));
            // The first is on its way once a later request is answered.
            Await.until(
                    "the request is open",
                    () -> !((Conversation) connection).openRequests().isEmpty());
            String seen = Servers.request(connection, "tools/call", params.formatted("mirror"), "mirrored");
            assertThat(seen).doesNotContain("\"same\"").contains(" , \"x\":1.0 }");
            Servers.request(connection, "tools/call", params.formatted("progress"), "second");
            Recorder.Heard heard = Recorder.next(recorder.notifications);
            assertThat(heard.related()).isEqualTo("second");
            assertThat(heard.text()).contains("{\"progressToken\":\"same\", ");
            stop.fire();
            Assertions.assertThatThrownBy(first::get).hasCauseInstanceOf(UpstreamException.class);
        }
    }

    @Test
    void progressKeepsARequestAlivePastItsTimeout() {
        connection.close();
        connection = DIALER.connect(Servers.hasty(Servers.scripted(), Duration.ofSeconds(5)), Servers.FACE, recorder);
        String params = "{\"name\":\"progress\",\"arguments\":{\"pause\":2000},\"_meta\":{\"progressToken\":\"t\"}}";
        assertThat(Servers.request(connection, "tools/call", params, "tag")).contains("\"content\":[]");
    }

    @Test
    void givingUpTellsTheServerUnderItsOwnId() throws Exception {
        Cancellation stop = new Cancellation();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> hanging = threads.submit(() -> connection.request(
                    "tools/call", "{\"name\":\"hang\"}".getBytes(StandardCharsets.US_ASCII), "tag", stop));
            Await.until(
                    "the request is open",
                    () -> !((Conversation) connection).openRequests().isEmpty());
            long id = ((Conversation) connection)
                    .openRequests()
                    .keySet()
                    .iterator()
                    .next();
            stop.fire();
            Assertions.assertThatThrownBy(hanging::get)
                    .cause()
                    .extracting("kind")
                    .isEqualTo(UpstreamException.Kind.CANCELLED);
            assertThat(Servers.call(connection, "cancelled", "{}")).contains("\"ids\":[" + id + "]");
        }
    }

    @Test
    void aRequestOfTheServersIsAnsweredUnderItsOwnIdOnce() {
        recorder.answering = (heard, reply) -> {
            reply.send("{\"jsonrpc\":\"2.0\",\"id\":\"other\", \"result\":{\"odd\":1.50}}"
                    .getBytes(StandardCharsets.US_ASCII));
            reply.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}".getBytes(StandardCharsets.US_ASCII));
        };
        assertThat(Servers.call(connection, "ask", "{\"id\":\"srv \\u0041\"}"))
                .contains("\"answer\":{\"jsonrpc\":\"2.0\",\"id\":\"srv \\u0041\", \"result\":{\"odd\":1.50}}");
        assertThat(recorder.requests).singleElement().satisfies(heard -> {
            assertThat(heard.text()).contains("\"params\":{\"odd\":1e400}");
            assertThat(heard.related()).isEqualTo("ask");
        });
        assertThat(Servers.call(connection, "mirror", "{}")).contains("seen");
    }

    @Test
    void pingsAreAnsweredWithoutAskingTheClient() {
        assertThat(Servers.call(connection, "ask", "{\"id\":1.0,\"method\":\"ping\"}"))
                .contains("\"answer\":{\"jsonrpc\":\"2.0\",\"id\":1.0,\"result\":{}}");
        assertThat(recorder.requests).isEmpty();
    }

    @Test
    void theChildInheritsLittleAndNothingOfOurs() {
        Matcher names = Pattern.compile("\"names\":\\[(.*)]").matcher(Servers.call(connection, "environment", "{}"));
        assertThat(names.find()).isTrue();
        assertThat(Set.of(names.group(1).replace("\"", "").split(",")))
                .contains("PATH")
                .allMatch(name -> Set.of(
                                "PATH",
                                "HOME",
                                "USER",
                                "LOGNAME",
                                "SHELL",
                                "LANG",
                                "LC_ALL",
                                "LC_CTYPE",
                                "TERM",
                                "TMPDIR",
                                "TZ",
                                "SSL_CERT_FILE",
                                "SSL_CERT_DIR",
                                "NODE_EXTRA_CA_CERTS")
                        .contains(name));
    }

    private String say(String text) {
        return Servers.call(connection, "say", "{\"text\":" + dev.postern.json.JsonStrings.quote(text) + "}");
    }

    private static String id(String answer) {
        Matcher id = Pattern.compile("\"id\"\\s*:\\s*\"?(\\d+)").matcher(answer);
        assertThat(id.find()).isTrue();
        return id.group(1);
    }
}
