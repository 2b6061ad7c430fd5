package dev.postern.gate.scrub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.RefusedException;
import dev.postern.gate.call.ToolName;
import dev.postern.gate.detect.CapturedValues;
import dev.postern.gate.detect.DetectionModes;
import dev.postern.gate.detect.DetectionSettings;
import dev.postern.gate.detect.Screening;
import dev.postern.gate.testing.TestClock;
import dev.postern.json.JsonValue;
import dev.postern.scrub.LiveSecret;
import dev.postern.scrub.RecentValues;
import dev.postern.scrub.ScrubFailedException;
import dev.postern.secret.SecretValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** S1: the one place everything from a server passes, and whose values it looks for there. */
class ChokePointTest {
    private static final String VALUE = "database-password";

    private static final Caller USER = new Caller("agent", "agent", "user", Set.of());
    private static final ToolName FILES = new ToolName("files", "write");

    private final TestClock clock = new TestClock();
    private final RecentValues recent = new RecentValues(clock);
    private boolean enabled = true;
    private final ChokePoint chokePoint = new ChokePoint(
            recent, new Screening(DetectionSettings.of(DetectionModes.OFF), new CapturedValues(clock)), () -> enabled);

    @ParameterizedTest
    @ValueSource(
            strings = {
                " {\"jsonrpc\" : \"2.0\",\"id\":7,\"result\":{\"n\":1E400,\"n\":2,\"s\":\"\\u0061\"}}",
                "{\"method\":\"notifications/message\",\"params\":{}}",
                "not JSON"
            })
    @DisplayName("S11: with nothing alive the very bytes pass")
    void nothingAlive(String message) {
        byte[] bytes = bytes(message);

        assertThat(chokePoint.clean(Raw.received(bytes), "user", "files").bytes())
                .isSameAs(bytes);
    }

    @Test
    @DisplayName("S11: with a live value and no hit the very bytes pass")
    void noHit() {
        deliver("user", "files", VALUE);
        byte[] bytes = bytes(" {\"jsonrpc\" : \"2.0\",\"id\":7,\"result\":{\"n\":1E400,\"n\":2,\"s\":\"\\u0061\"}}");

        Scrubbed scrubbed = chokePoint.clean(Raw.received(bytes), "user", "files");

        assertThat(scrubbed.bytes()).isSameAs(bytes);
        assertThat(scrubbed.hits()).isZero();
    }

    @Test
    @DisplayName(
            "S1: every member a server may send is scrubbed, known to the protocol or not; what is untouched stays")
    void everyMemberIsScrubbed() {
        deliver("user", "files", VALUE);

        assertThat(clean("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"_meta\":{\"" + VALUE + "\":1E2}}," + " \"x-"
                        + VALUE + "\" : [\"" + VALUE + "\", 1.0]}"))
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"_meta\":{\"{{vault:db}}\":1E2}},"
                        + " \"x-{{vault:db}}\" : [\"{{vault:db}}\", 1.0]}");
        assertThat(clean("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-1,\"message\":\"no " + VALUE
                        + "\",\"data\":\"" + VALUE + "\"}}"))
                .contains("no {{vault:db}}")
                .doesNotContain(VALUE);
        assertThat(clean("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":\"" + VALUE
                        + "\"}}"))
                .contains("{{vault:db}}");
    }

    @ParameterizedTest
    @DisplayName(
            "S8: a call that became a task is not over: its values are looked for as in the same call until the task is")
    @ValueSource(
            strings = {
                "{\"task\":{\"taskId\":\"7\",\"status\":\"working\",\"ttl\":7200000}}",
                "{\"task\":{\"task\\u0049d\":\"7\",\"ttl\":7.2e6}}",
                "{\"resultType\":\"task\",\"taskId\":\"7\",\"status\":\"working\",\"ttlMs\":7200000}",
                "{\"task\":{\"taskId\":\"7\",\"ttl\":null}}",
                "{\"taskId\":\"7\"}"
            })
    void aTaskKeepsValuesLive(String task) {
        String answer = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + task + "}";
        String later =
                "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"the pin 48151 and "
                        + VALUE + "\"}]}}";
        try (SecretValue pin = new SecretValue(bytes("48151"));
                SecretValue value = new SecretValue(bytes(VALUE));
                ChokePoint.Delivery delivery = chokePoint.deliver(
                        USER,
                        FILES,
                        List.of(new LiveSecret("{{vault:pin}}", pin), new LiveSecret("{{vault:db}}", value)),
                        "")) {
            delivery.clean(Raw.received(bytes(answer)));
        }
        clock.advance(Duration.ofMinutes(119));
        chokePoint.wipeLapsed();
        assertThat(clean(later)).contains("the pin {{vault:pin}} and {{vault:db}}");

        clock.advance(Duration.ofHours(12));
        chokePoint.wipeLapsed();
        assertThat(clean(later)).as("delivered lately").contains("the pin 48151 and {{vault:db}}");
        clock.advance(RecentValues.WINDOW);
        chokePoint.wipeLapsed();
        assertThat(clean(later)).isEqualTo(later);
    }

    @Test
    @DisplayName("S8: tasks of a server hold so many values and no more; then no call is given another")
    void tasksHoldSoManyValues() {
        byte[] answer = bytes("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"taskId\":\"7\"}}");
        for (int i = 0; i < 512; i++) {
            try (SecretValue value = new SecretValue(bytes("value-number-" + i));
                    ChokePoint.Delivery delivery = chokePoint.deliver(
                            USER, FILES, List.of(new LiveSecret("{{vault:x" + i + "}}", value)), "")) {
                delivery.clean(Raw.received(answer));
            }
        }
        try (SecretValue value = new SecretValue(bytes(VALUE))) {
            List<LiveSecret> one = List.of(new LiveSecret("{{vault:db}}", value));
            assertThatThrownBy(() -> chokePoint.deliver(USER, FILES, one, ""))
                    .isInstanceOfSatisfying(
                            RefusedException.class,
                            refused ->
                                    assertThat(refused.refusal().disposition()).isEqualTo(Disposition.QUEUE_FULL));
            chokePoint.deliver(USER, new ToolName("other", "write"), one, "").close();
            chokePoint.deliver(USER, FILES, List.of(), "").close();
            clock.advance(TaskLifetime.LONGEST);
            chokePoint.wipeLapsed();
            chokePoint.deliver(USER, FILES, one, "").close();
        }
    }

    @Test
    @DisplayName("S4: a value cut across successive notifications of a call is found, however it is cut")
    void cutAcrossNotifications() {
        deliver("user", "files", VALUE);
        for (int cut = 9; cut < VALUE.length(); cut++) {
            String token = "\"cut-" + cut + "\"";
            assertThat(clean(progress(token, "read " + VALUE.substring(0, cut))))
                    .doesNotContain(VALUE.substring(0, cut));
            chokePoint.wipeLapsed();
            assertThat(clean(progress(token, VALUE.substring(cut) + " done"))).contains("\"message\":\" done\"");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"%s", "{\"level\":2,\"msg\":%s}", "{\"message\":%s,\"text\":7}", "{\"chunk\":%s}"})
    @DisplayName("S4: log records, too, whose text is a member of an object")
    void cutAcrossLogRecords(String record) {
        deliver("user", "files", VALUE);
        for (int cut = 9; cut < VALUE.length(); cut++) {
            String logger = "\"cut-" + cut + "\"";
            assertThat(clean(log(logger, record.formatted("\"read " + VALUE.substring(0, cut) + "\""))))
                    .doesNotContain(VALUE.substring(0, cut));
            assertThat(clean(log(logger, record.formatted("\"" + VALUE.substring(cut) + " done\""))))
                    .isEqualTo(log(logger, record.formatted("\" done\"")));
        }
    }

    private static String log(String logger, String data) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"logger\":"
                + logger + ",\"data\":" + data + "}}";
    }

    @Test
    @DisplayName("S4, S15: a value told in small pieces shows no more than its first part of less than half")
    void toldInSmallPieces() {
        deliver("user", "files", VALUE);
        StringBuilder shown = new StringBuilder();
        for (int at = 0; at < VALUE.length(); at += 2) {
            String piece = VALUE.substring(at, Math.min(VALUE.length(), at + 2));
            JsonValue told = JsonValue.parse(bytes(clean(progress("7", piece)))).path("params", "message");
            shown.append(told == null ? "" : told.string());
        }
        assertThat(shown.toString()).isEqualTo(VALUE.substring(0, 8));
    }

    @Test
    @DisplayName("S4: pieces of different calls are not taken for one text, and an ordinary one keeps its bytes")
    void streamsAreApart() {
        deliver("user", "files", VALUE);
        String first = VALUE.substring(0, 5);
        assertThat(clean(progress("1", first))).isEqualTo(progress("1", first));
        String other = progress("2", VALUE.substring(5, 9));
        byte[] bytes = bytes(other);
        assertThat(chokePoint.clean(Raw.received(bytes), "user", "files").bytes())
                .isSameAs(bytes);
    }

    private static String progress(String token, String message) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":" + token
                + ",\"progress\" : 1.0,\"message\":\"" + message + "\",\"x\":1E2}}";
    }

    @Test
    @DisplayName("The envelope is kept even where a secret equals a word or number of it")
    void theEnvelopeIsKept() {
        deliver("user", "files", "2.0", "ping", "12345", "notifications/progress");
        String message = "{\"jsonrpc\":\"2.0\",\"id\":12345,\"method\":\"ping\"}";
        String progress = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}";

        assertThat(clean(message)).isEqualTo(message);
        assertThat(clean(progress)).isEqualTo(progress);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"jsonrpc\":\"2.0\",\"id\":\"database-password\",\"result\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":\"ZGF0YWJhc2UtcGFzc3dvcmQ=\",\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":{\"a\":\"database-password\"},\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":[\"database-password\"],\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/database-password\"}",
                "{\"jsonrpc\":\"database-password\",\"id\":1,\"result\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":\"database-password\",\"result\":{}}",
                "{\"jsonrpc\":\"2.0\",\"i\\u0064\":\"database-password\",\"result\":{}}"
            })
    @DisplayName("A value in method or id, in whatever form, gets the message withheld")
    void aValueInTheEnvelopeIsWithheld(String message) {
        deliver("user", "files", VALUE);

        assertThatThrownBy(() -> clean(message))
                .isInstanceOf(ScrubFailedException.class)
                .hasMessageNotContaining(VALUE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"database-password\"}]",
                "\"database-password\"",
                "[[[\"x database-password\"]]]"
            })
    @DisplayName("S1: a message that is no object, a batch say, is scrubbed as well")
    void whatIsNoObjectIsScrubbed(String message) {
        deliver("user", "files", VALUE);

        assertThat(clean(message)).doesNotContain(VALUE).contains("{{vault:db}}");
    }

    @Test
    @DisplayName("S9: what a user was delivered is scrubbed from every server's messages to that user, and to no other")
    void valuesBelongToTheUser() {
        ChokePoint.Delivery delivery = deliver("user", "files", VALUE);
        String message = "{\"result\":\"" + VALUE + "\"}";

        assertThat(clean(message, "user", "other")).contains("{{vault:db}}");
        assertThat(clean(message, "second", "files")).contains(VALUE);
        delivery.close();
        assertThat(clean(message, "user", "other")).contains("{{vault:db}}");
        clock.advance(Duration.ofMinutes(10));
        assertThat(clean(message, "user", "files")).contains(VALUE);
    }

    @Test
    @DisplayName(
            "S8: while a call is in flight its server's short values are looked for within strings, later only whole")
    void shortValues() {
        ChokePoint.Delivery delivery = deliver("user", "files", "hunt2");
        String within = "{\"result\":\"xhunt2x\"}";

        assertThat(clean(within, "user", "files")).doesNotContain("hunt2");
        assertThat(clean(within, "user", "other")).contains("hunt2");
        delivery.close();
        assertThat(clean(within, "user", "files")).contains("hunt2");
        assertThat(clean("{\"result\":\"hunt2\"}", "user", "files")).doesNotContain("hunt2");
    }

    @Test
    @DisplayName("Of two calls with the same value in flight, the end of one does not end the other's scrubbing")
    void oneOfTwoCallsEnds() {
        ChokePoint.Delivery one = deliver("user", "files", "hunt2");
        ChokePoint.Delivery other = deliver("user", "files", "hunt2");
        String within = "{\"result\":\"xhunt2x\"}";

        one.close();
        assertThat(clean(within, "user", "files")).doesNotContain("hunt2");
        other.close();
        assertThat(clean(within, "user", "files")).contains("hunt2");
    }

    @Test
    @DisplayName(
            "R10: a server's configured values are scrubbed from all it says, for every user, until it is configured anew")
    void configuredValuesStay() {
        SecretValue configured = value("configured-token");
        chokePoint.configure("files", List.of(new LiveSecret("{{vault:token}}", configured)));
        configured.close();
        clock.advance(Duration.ofDays(365));
        String message = "{\"result\":\"configured-token\"}";

        assertThat(clean(message, "user", "files")).contains("{{vault:token}}");
        assertThat(clean(message, "second", "files")).contains("{{vault:token}}");
        assertThat(clean(message, "user", "other")).contains("configured-token");
        chokePoint.configure("files", List.of());
        assertThat(clean(message, "user", "files")).contains("configured-token");
    }

    @Test
    @DisplayName("S1: a line of stderr is scrubbed on its way to our log, switched off or not (S14)")
    void aLineOfStderr() {
        deliver("user", "files", VALUE);
        enabled = false;

        byte[] line = chokePoint.cleanLine(Raw.received(bytes("token=" + VALUE + " end")), "user", "files");

        assertThat(new String(line, StandardCharsets.UTF_8)).isEqualTo("token={{vault:db}} end");
    }

    @Test
    @DisplayName("S14: switched off, messages pass; what we keep and show is scrubbed still")
    void switchedOff() {
        deliver("user", "files", VALUE);
        enabled = false;
        String json = "{\"id\":\"" + VALUE + "\"}";

        assertThat(clean(json)).isEqualTo(json);
        assertThat(new String(chokePoint.cleanOwn(bytes(json), "user", List.of()), StandardCharsets.UTF_8))
                .isEqualTo("{\"id\":\"{{vault:db}}\"}");
        assertThat(chokePoint.cleanOwnText("a " + VALUE, "user")).isEqualTo("a {{vault:db}}");
    }

    @Test
    @DisplayName("L1: what an agent may not write down: its user's values, and those of every server's configuration")
    void whatAnAgentMayNotWriteDown() {
        chokePoint.configure("other", List.of(new LiveSecret("{{vault:token}}", value("configured-token"))));
        deliver("user", "files", VALUE);
        byte[] json = bytes("[\"" + VALUE + "\",\"configured-token\"]");

        assertThat(new String(chokePoint.cleanOwn(json, "user", List.of()), StandardCharsets.UTF_8))
                .isEqualTo("[\"{{vault:db}}\",\"{{vault:token}}\"]");
        assertThat(new String(chokePoint.cleanOwn(json, "second", List.of()), StandardCharsets.UTF_8))
                .isEqualTo("[\"" + VALUE + "\",\"{{vault:token}}\"]");
    }

    @Test
    @DisplayName("A call that ends wipes its values while others read theirs: none of them trips")
    void endsAndReadsAtOnce() {
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            int number = thread;
            running.add(CompletableFuture.runAsync(() -> {
                for (int i = 0; i < 200; i++) {
                    SecretValue value = value("value-of-thread-" + number);
                    try (value;
                            var delivery = chokePoint.deliver(
                                    USER, FILES, List.of(new LiveSecret("{{vault:n" + number + "}}", value)), "")) {
                        Raw raw = Raw.received(bytes("{\"result\":\"value-of-thread-" + number + "\"}"));
                        assertThat(new String(delivery.clean(raw).bytes(), StandardCharsets.UTF_8))
                                .isEqualTo("{\"result\":\"{{vault:n" + number + "}}\"}");
                    }
                }
            }));
        }
        running.forEach(each -> each.orTimeout(60, TimeUnit.SECONDS).join());
    }

    @Test
    void nothingHereShowsWhatItHolds() {
        assertThat(Raw.received(bytes(VALUE)).toString()).isEqualTo("Raw[17 bytes]");
    }

    private ChokePoint.Delivery deliver(String user, String server, String... values) {
        List<LiveSecret> secrets = new ArrayList<>();
        for (String value : values) {
            secrets.add(new LiveSecret("{{vault:db}}", value(value)));
        }
        return chokePoint.deliver(
                new Caller("agent", "agent", user, Set.of()), new ToolName(server, "write"), secrets, "");
    }

    private String clean(String message) {
        return clean(message, "user", "files");
    }

    private String clean(String message, String user, String server) {
        return new String(
                chokePoint.clean(Raw.received(bytes(message)), user, server).bytes(), StandardCharsets.UTF_8);
    }

    private static SecretValue value(String text) {
        return new SecretValue(bytes(text));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
