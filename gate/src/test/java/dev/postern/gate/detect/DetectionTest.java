package dev.postern.gate.detect;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.postern.detect.DetectionRules;
import dev.postern.gate.agent.Caller;
import dev.postern.gate.approval.Approval;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Outcome;
import dev.postern.gate.detect.Detected.Direction;
import dev.postern.gate.ledger.LedgerEntry;
import dev.postern.gate.testing.Outcomes;
import dev.postern.gate.testing.TestGate;
import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.testkit.cases.MaskCase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** D6: off, report, mask or capture, for each server and direction. */
class DetectionTest {
    private static final String KEY = "AKIAQ3EGUHPZLMKWXRT7";
    private static final String REFERENCE = "{{vault:captured.1}}";

    private final Modes modes = new Modes();
    private final TestGate gate = new TestGate(modes);

    @Test
    @DisplayName("capture: the agent sees a reference, passes it on under approval, and the next tool gets the key")
    void capturedAndPassedOn() {
        answerText("Your key is " + KEY + ". Keep it safe.");
        assertThat(run("keys", "{}")).contains("\"Your key is " + REFERENCE + ". Keep it safe.\"");

        answerText("stored " + KEY);
        CompletableFuture<Outcome> storing = gate.start(gate.call("{\"text\":\"" + REFERENCE + "\"}"));
        Approval asked = gate.approvalStore.awaitRequest();
        gate.approvals.approve(asked.id(), "operator", null);

        assertThat(Outcomes.answer(Outcomes.of(storing)))
                .contains("stored " + REFERENCE)
                .doesNotContain(KEY);
        assertThat(gate.upstream.received().getLast()).isEqualTo("{\"text\":\"" + KEY + "\"}");
        assertThat(asked.secrets()).singleElement().satisfies(secret -> {
            assertThat(secret.name()).isEqualTo("captured.1");
            assertThat(secret.website()).isEqualTo("captured from keys__write, api_key (aws_access_key_id)");
        });
        assertThat(text(asked.arguments())).doesNotContain(KEY);
        LedgerEntry creating = gate.ledger.entries().getFirst();
        assertThat(creating.detected()).singleElement().satisfies(found -> {
            assertThat(found.direction()).isEqualTo(Direction.RESULT);
            assertThat(found.rule()).isEqualTo("aws_access_key_id");
            assertThat(found.category()).isEqualTo("api_key");
            assertThat(found.action()).isEqualTo(DetectionMode.CAPTURE);
            assertThat(found.reference()).isEqualTo(REFERENCE);
            assertThat(found.end() - found.start()).isEqualTo(KEY.length());
        });
        LedgerEntry passing = gate.ledger.entries().getLast();
        assertThat(text(passing.arguments())).isEqualTo("{\"text\":\"" + REFERENCE + "\"}");
        assertThat(passing.secretRefs()).hasSize(1);
        assertThat(passing.approver()).isEqualTo("operator");
        assertThat(passing.scrubHits()).isEqualTo(1);
    }

    @Test
    @DisplayName("capture: denied, and the tool gets nothing")
    void denied() {
        answerText(KEY);
        run("keys", "{}");
        CompletableFuture<Outcome> storing = gate.start(gate.call("{\"text\":\"" + REFERENCE + "\"}"));
        gate.approvals.deny(gate.approvalStore.awaitRequest().id(), "operator", null);

        assertThat(Outcomes.disposition(Outcomes.of(storing))).isEqualTo(Disposition.DENIED);
        assertThat(gate.upstream.calls()).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "capture: the same value keeps its name, another gets the next; servers without detection are scrubbed too")
    void names() {
        modes.put("quiet", DetectionMode.OFF, DetectionMode.OFF);
        answerText(KEY + " AKIAZ7MPLQWXTRYUH3GE");
        assertThat(run("keys", "{}")).contains("{{vault:captured.1}} {{vault:captured.2}}");
        answerText("again " + KEY);
        assertThat(run("keys", "{}")).contains("again {{vault:captured.1}}");
        assertThat(run("quiet", "{}")).contains("again {{vault:captured.1}}");
    }

    @Test
    @DisplayName(
            "capture: only the agent whose answer it was can refer to it; no two agents see one name for two values")
    void onlyItsAgent() {
        Caller other = gate.agents.put("other");
        answerText(KEY);
        run("keys", "{}");

        Outcome refused = gate.run(gate.call("{\"text\":\"" + REFERENCE + "\"}").by(other));
        assertThat(Outcomes.disposition(refused)).isEqualTo(Disposition.SECRET_UNRESOLVED);

        answerText("AKIAZ7MPLQWXTRYUH3GE");
        assertThat(Outcomes.answer(gate.run(gate.call("{}").by(other)))).contains("{{vault:captured.2}}");
    }

    @Test
    @DisplayName("capture: kept for ten minutes after it was last seen or named, and no longer")
    void theWindow() {
        answerText(KEY);
        run("keys", "{}");
        gate.clock.advance(Duration.ofMinutes(9));
        answerText("ok");
        gate.runApproved(gate.call("{\"text\":\"" + REFERENCE + "\"}"));
        gate.clock.advance(Duration.ofMinutes(9));
        gate.runApproved(gate.call("{\"text\":\"" + REFERENCE + "\"}"));
        gate.clock.advance(CapturedValues.WINDOW);

        Outcome late = gate.run(gate.call("{\"text\":\"" + REFERENCE + "\"}"));
        assertThat(Outcomes.disposition(late)).isEqualTo(Disposition.SECRET_UNRESOLVED);
        assertThat(gate.captured.valuesOf("user")).isEmpty();
    }

    @Test
    @DisplayName("capture: the ring holds 32 values, the oldest gives way, and a revoked agent has none")
    void theRing() {
        for (int i = 0; i < CapturedValues.MAX_VALUES + 1; i++) {
            answerText(key(i));
            run("keys", "{}");
        }
        assertThat(gate.captured.list(gate.agent)).hasSize(CapturedValues.MAX_VALUES);
        assertThat(Outcomes.disposition(gate.run(gate.call("{\"text\":\"{{vault:captured.1}}\"}"))))
                .isEqualTo(Disposition.SECRET_UNRESOLVED);
        assertThat(Outcomes.disposition(gate.run(gate.call("{\"text\":\"{{vault:captured.2}}\"}"))))
                .isEqualTo(Disposition.APPROVAL_PENDING);

        gate.captured.forget(gate.agent.agent());
        assertThat(gate.captured.list(gate.agent)).isEmpty();
        assertThat(gate.captured.valuesOf("user")).isEmpty();
    }

    @Test
    @DisplayName("capture: one message cannot flood the ring; what is beyond 16 is masked")
    void aFlood() {
        StringBuilder keys = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            keys.append(key(i)).append(' ');
        }
        answerText(keys.toString());

        String answer = run("keys", "{}");

        assertThat(answer).contains("{{vault:captured.16}} [REDACTED:api_key]").doesNotContain("captured.17", "AKIA");
        assertThat(gate.ledger.entry().detected()).hasSize(20);
    }

    @Test
    @DisplayName("capture: a password that could be any word is captured where it stands, and stays a word elsewhere")
    void anOrdinaryWord() {
        answerText("POSTGRES_PASSWORD=sunflower");
        assertThat(run("keys", "{}")).contains("POSTGRES_PASSWORD=" + REFERENCE);
        answerText("the sunflower is a flower");
        assertThat(run("keys", "{}")).contains("the sunflower is a flower");
        answerText("DB_PASSWORD=sunflower");
        assertThat(run("keys", "{}")).contains("DB_PASSWORD=" + REFERENCE);
    }

    @Test
    @DisplayName("capture: errors, too; what is routed by is not touched")
    void errors() {
        gate.upstream.answer(ignored -> "{\"jsonrpc\":\"2.0\",\"id\":\"" + KEY
                + "\",\"error\":{\"code\":-32000,\"message\":\"bad key " + KEY + "\"}}");
        assertThat(run("keys", "{}"))
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"" + KEY
                        + "\",\"error\":{\"code\":-32000,\"message\":\"bad key " + REFERENCE + "\"}}");
    }

    @Test
    @DisplayName("S14: with scrubbing switched off for a test the answer is the server's")
    void scrubbingOff() {
        gate.applyPolicy("{\"resultScrubbingEnabled\":false}");
        answerText(KEY);
        assertThat(run("keys", "{}")).contains(KEY);
    }

    @Test
    @DisplayName("report: the very bytes pass, and the ledger says what was in them")
    void report() {
        modes.put("keys", DetectionMode.REPORT, DetectionMode.REPORT);
        String result = " {\"content\" :[{\"type\":\"text\",\"text\":\"\\u0041\\n" + KEY + "\"}],\"n\":1E400}";
        gate.upstream.answerResult(result);

        assertThat(run("keys", "{\"token\":\"" + key(5) + "\"}")).endsWith(result + "}");

        assertThat(gate.upstream.received()).containsExactly("{\"token\":\"" + key(5) + "\"}");
        assertThat(gate.ledger.entry().detected())
                .extracting(Detected::direction, Detected::action, Detected::reference)
                .containsExactly(
                        tuple(Direction.ARGUMENTS, DetectionMode.REPORT, null),
                        tuple(Direction.RESULT, DetectionMode.REPORT, null));
        assertThat(text(gate.ledger.entry().arguments())).isEqualTo("{\"token\":\"[REDACTED:api_key]\"}");
    }

    @Test
    @DisplayName("off: nothing is looked for, not even in what is no JSON")
    void off() {
        modes.put("keys", DetectionMode.OFF, DetectionMode.OFF);
        gate.upstream.answer(ignored -> "no JSON, " + KEY);
        assertThat(run("keys", "{\"token\":\"" + key(5) + "\"}")).isEqualTo("no JSON, " + KEY);
        assertThat(gate.ledger.entry().detected()).isEmpty();
    }

    @Test
    @DisplayName("S10: what is to be masked and cannot be walked is withheld")
    void notWalkable() {
        gate.upstream.answer(ignored -> "no JSON, " + KEY);
        Outcome outcome = gate.run(gate.call("{}"));
        assertThat(Outcomes.disposition(outcome)).isEqualTo(Disposition.SCRUB_FAILED);
    }

    @Test
    @DisplayName("mask: JSON stays JSON, and what is not a secret keeps its bytes")
    void mask() {
        modes.put("keys", DetectionMode.OFF, DetectionMode.MASK);
        gate.upstream.answerResult(
                "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"api_key\\\":\\\"" + KEY + "\\\",\\\"n\\\":1}\"}],"
                        + "\"structuredContent\" : {\"api_key\":\"" + KEY + "\",\"n\": 1.0E0, \"n\":2}}");
        assertThat(run("keys", "{}"))
                .endsWith("{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"api_key\\\":\\\"[REDACTED:api_key]\\\","
                        + "\\\"n\\\":1}\"}],\"structuredContent\" : {\"api_key\":\"[REDACTED:api_key]\",\"n\": 1.0E0,"
                        + " \"n\":2}}}");
    }

    static List<MaskCase> cases() {
        return MaskCase.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    @DisplayName("mask: the cases of D2 to D5, as a tool's text")
    void maskCases(MaskCase maskCase) {
        modes.put("keys", DetectionMode.OFF, DetectionMode.MASK);
        answerText(maskCase.input());
        JsonValue content = requireNonNull(JsonValue.parse(run("keys", "{}").getBytes(StandardCharsets.UTF_8))
                .path("result", "content"));
        String masked = requireNonNull(content.elements().getFirst().string("text"));
        assertThat(maskCase.complaints(masked)).isEmpty();
    }

    @Test
    @DisplayName("Cursors, tokens and payloads that only their maker reads come as they were sent")
    void opaqueParts() {
        String result = "{\"nextCursor\":\"" + KEY + "\",\"_meta\":{\"progressToken\":\"" + KEY + "\"},\"task\":"
                + "{\"taskId\":\"" + KEY + "\"},\"content\":[{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":\""
                + KEY + "\"},{\"type\":\"resource\",\"resource\":{\"uri\":\"a:ü\",\"blob\":\"" + KEY + "\"}}]}";
        gate.upstream.answerResult(result);
        assertThat(run("keys", "{}")).endsWith(result + "}");
        assertThat(gate.ledger.entry().detected()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{vault:db}}",
                "password={{vault:db}}",
                "[secret:d77d5e50-3ad1-339f-985a-c494268b351b.password]",
                "postgres://app:{{vault:db|uri}}@db.example.com/app",
                "token: [REDACTED:api_key]",
                "API_KEY={{vault:captured.1}}"
            })
    @DisplayName("What stands in a secret's place already is left alone")
    void placeholders(String text) {
        answerText(text);
        assertThat(run("keys", "{}")).contains(text);
        assertThat(gate.ledger.entry().detected()).isEmpty();
    }

    @Test
    @DisplayName("arguments, mask: the tool gets none of it, nor does the ledger")
    void argumentsMasked() {
        modes.put("keys", DetectionMode.MASK, DetectionMode.OFF);
        run("keys", "{\"a\" : \"use " + KEY + "\", \"n\":1.0}");
        assertThat(gate.upstream.received()).containsExactly("{\"a\" : \"use [REDACTED:api_key]\", \"n\":1.0}");
        assertThat(text(gate.ledger.entry().arguments())).isEqualTo("{\"a\" : \"use [REDACTED:api_key]\", \"n\":1.0}");
        assertThat(gate.ledger.entry().detected()).extracting(Detected::action).containsExactly(DetectionMode.MASK);
    }

    @Test
    @DisplayName(
            "arguments, capture: a pasted key becomes a secret like any other: asked for, scrubbed, never recorded")
    void argumentsCaptured() {
        modes.put("files", DetectionMode.CAPTURE, DetectionMode.OFF);
        answerText("wrote " + KEY);
        CompletableFuture<Outcome> writing = gate.start(gate.call("{\"text\":\"" + KEY + "\"}"));
        Approval asked = gate.approvalStore.awaitRequest();
        assertThat(text(asked.arguments())).isEqualTo("{\"text\":\"" + REFERENCE + "\"}");
        assertThat(asked.secrets().getFirst().website())
                .isEqualTo("captured from the agent's call of files__write, api_key (aws_access_key_id)");
        gate.approvals.approve(asked.id(), "operator", null);

        assertThat(Outcomes.answer(Outcomes.of(writing))).contains("wrote " + REFERENCE);
        assertThat(gate.upstream.received()).containsExactly("{\"text\":\"" + KEY + "\"}");
        assertThat(text(gate.ledger.entry().arguments())).isEqualTo("{\"text\":\"" + REFERENCE + "\"}");
        assertThat(text(gate.ledger.intents().getFirst().arguments())).isEqualTo("{\"text\":\"" + REFERENCE + "\"}");
    }

    @Test
    @DisplayName("arguments, capture: the same call again joins the same question")
    void argumentsCapturedTwice() {
        modes.put("files", DetectionMode.CAPTURE, DetectionMode.OFF);
        String arguments = "{\"text\":\"" + KEY + "\"}";
        assertThat(Outcomes.disposition(gate.run(gate.call(arguments)))).isEqualTo(Disposition.APPROVAL_PENDING);
        assertThat(Outcomes.disposition(gate.run(gate.call(arguments)))).isEqualTo(Disposition.APPROVAL_PENDING);
        assertThat(gate.approvals.pending()).hasSize(1);
    }

    @Test
    @DisplayName("P1: a call that is refused anyway is refused before anything is captured")
    void killed() {
        modes.put("files", DetectionMode.CAPTURE, DetectionMode.OFF);
        gate.kill();
        assertThat(Outcomes.disposition(gate.run(gate.call("{\"text\":\"" + KEY + "\"}"))))
                .isEqualTo(Disposition.KILL_SWITCH);
        assertThat(gate.captured.list(gate.agent)).isEmpty();
        assertThat(text(gate.ledger.entry().arguments())).isEqualTo("{\"text\":\"[REDACTED:api_key]\"}");
    }

    @Test
    @DisplayName("D7: a refusal that repeats what the agent wrote, and its entry, do not repeat a secret")
    void refusalTexts() {
        Outcome outcome = gate.run(gate.call("{\"" + KEY + "\":\"{{vault:nope nope}}\"}"));
        assertThat(Outcomes.refusal(outcome).text())
                .contains("[REDACTED:api_key]")
                .doesNotContain(KEY);
        assertThat(Outcomes.refusal(outcome).details().toString()).doesNotContain(KEY);
        assertThat(gate.ledger.entry().error()).contains("[REDACTED:api_key]").doesNotContain(KEY);
    }

    @Test
    @DisplayName("D6: an allow list lets values pass, by server and tool")
    void allowList() {
        modes.rules = DetectionRules.load("{\"allow\":[{\"path\":\"keys/write\",\"rule\":\"aws_access_key_id\"}]}"
                .getBytes(StandardCharsets.UTF_8));
        answerText(KEY);
        assertThat(run("keys", "{}")).contains(KEY);
        assertThat(run("others", "{}")).contains(REFERENCE);
    }

    @Test
    void namesOfCapturedValuesAreReserved() {
        assertThat(CapturedValues.isReserved("captured.1")).isTrue();
        assertThat(CapturedValues.isReserved("captured.one")).isFalse();
        assertThat(CapturedValues.isReserved("my.captured.1")).isFalse();
    }

    private void answerText(String text) {
        gate.upstream.answerResult("{\"content\":[{\"type\":\"text\",\"text\":" + JsonStrings.quote(text) + "}]}");
    }

    private String run(String server, String arguments) {
        return Outcomes.answer(gate.run(gate.call(arguments).tool(server, "write")));
    }

    private static String key(int number) {
        return "AKIAQ3EGUHPZLMKWX" + (char) ('B' + number % 20) + (char) ('C' + number / 20) + "7";
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Modes by server; the default ones for any other. */
    private static final class Modes implements DetectionSettings {
        private final Map<String, DetectionModes> byServer = new HashMap<>();
        private DetectionRules rules = DetectionRules.defaults();

        void put(String server, DetectionMode arguments, DetectionMode results) {
            byServer.put(server, new DetectionModes(arguments, results));
        }

        @Override
        public DetectionModes modes(String server) {
            return byServer.getOrDefault(server, DetectionModes.DEFAULTS);
        }

        @Override
        public DetectionRules rules() {
            return rules;
        }
    }
}
