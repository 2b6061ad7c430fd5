package dev.postern.gate.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Outcome;
import dev.postern.gate.call.Refusal;
import dev.postern.gate.ledger.LedgerEntry;
import dev.postern.gate.scrub.Cap;
import dev.postern.gate.testing.MemoryPolicy;
import dev.postern.gate.testing.Outcomes;
import dev.postern.gate.testing.TestGate;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.gate.upstream.UpstreamException.Kind;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps 12 to 14: what comes back, and what does not. */
class AnswerTest {
    private static final String VALUE = "pa$$word & \"quotes\" 100%";

    private final TestGate gate = new TestGate();

    @BeforeEach
    void addSecret() {
        gate.vault.put("db", VALUE);
    }

    @Test
    @DisplayName("A tool that echoes its input hands the reference back, not the value, in whatever form")
    void anEchoHandsTheReferenceBack() {
        String base64 = Base64.getEncoder().encodeToString(("user:" + VALUE).getBytes(StandardCharsets.UTF_8));
        gate.upstream.answer(arguments -> "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"echo\":" + arguments
                + ",\"base64\":\"" + base64 + "\",\"percent\":\"" + percent(VALUE) + "\"}}");

        String answer = Outcomes.answer(gate.runApproved(
                gate.call("{\"a\":\"{{vault:db}}\",\"b\":\"x {{vault:db|base64}} {{vault:db|basic}}\"}")));

        assertThat(answer).contains("\"a\":\"{{vault:db}}\"").contains("x {{vault:db}} {{vault:db}}");
        assertThat(answer)
                .doesNotContain("quotes")
                .doesNotContain(base64.substring(8))
                .doesNotContain("%22quotes");
        assertThat(gate.ledger.entry().scrubHits()).isEqualTo(5);
    }

    @Test
    @DisplayName("The boundary, demonstrated: a hash of the value comes back, the value does not")
    void aHashComesBack() throws NoSuchAlgorithmException {
        String hash = HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(VALUE.getBytes(StandardCharsets.UTF_8)));
        gate.upstream.answerResult("{\"sha256\":\"" + hash + "\"}");

        assertThat(Outcomes.answer(gate.runApproved(gate.call("{\"a\":\"{{vault:db}}\"}"))))
                .contains(hash);
    }

    @Test
    @DisplayName("R9: a value that looks like a reference is never resolved")
    void aValueIsNeverResolved() {
        gate.vault.put("trap", "{{vault:db}} and {{vault:nothing}}");

        gate.runApproved(gate.call("{\"a\":\"{{vault:trap}}\"}"));

        assertThat(gate.upstream.received()).containsExactly("{\"a\":\"{{vault:db}} and {{vault:nothing}}\"}");
    }

    @Test
    @DisplayName("R11: a value stands as the scalar the tool's schema asks for, and its number is scrubbed")
    void aValueStandsAsAScalar() {
        gate.vault.put("port", "15432");

        String answer = Outcomes.answer(gate.runApproved(gate.call("{\"port\":\"{{vault:port}}\"}")
                .schema("{\"properties\":{\"port\":{\"type\":\"integer\"}}}")));

        assertThat(gate.upstream.received()).containsExactly("{\"port\":15432}");
        assertThat(answer).contains("\"port\":\"{{vault:port}}\"");
    }

    @Test
    @DisplayName("S9: a later answer, of another tool and server, is scrubbed of what was delivered before")
    void aLaterAnswerIsScrubbed() {
        gate.runApproved(gate.call("{\"a\":\"{{vault:db}}\"}"));
        gate.upstream.answerResult("{\"file\":\"...pa$$word & \\\"quotes\\\" 100%...\"}");

        String later = Outcomes.answer(gate.run(gate.call("{}").tool("other", "read")));
        gate.clock.advance(Duration.ofMinutes(10));
        String muchLater = Outcomes.answer(gate.run(gate.call("{}").tool("other", "read")));

        assertThat(later).contains("...{{vault:db}}...");
        assertThat(gate.ledger.entries().get(1).scrubHits()).isEqualTo(1);
        assertThat(muchLater).contains("quotes");
    }

    @Test
    @DisplayName("S9: the window starts when the call ends, however long the call took")
    void theWindowStartsWhenTheCallEnds() {
        gate.upstream.answer(arguments -> {
            gate.clock.advance(Duration.ofMinutes(30));
            return "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + arguments + "}";
        });
        String slow = Outcomes.answer(gate.runApproved(gate.call("{\"a\":\"{{vault:db}}\"}")));
        gate.clock.advance(Duration.ofMinutes(10).minusMillis(1));
        gate.upstream.answerResult("{\"b\":\"pa$$word & \\\"quotes\\\" 100%\"}");

        assertThat(slow).doesNotContain("quotes");
        assertThat(Outcomes.answer(gate.run(gate.call("{}")))).doesNotContain("quotes");
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    @DisplayName("A server that fails, hangs or is cancelled: its own code, an entry, and the values wiped")
    void aServerThatFails(Kind kind) {
        gate.upstream.answer(arguments -> {
            throw new UpstreamException(kind, "the server did not answer");
        });

        Refusal refusal = Outcomes.refusal(gate.runApproved(gate.call("{\"a\":\"{{vault:db}}\"}")));

        assertThat(refusal.disposition().name()).isEqualTo(kind.name());
        LedgerEntry entry = gate.ledger.entry();
        assertThat(entry.disposition()).isEqualTo(refusal.disposition());
        assertThat(entry.intended()).isTrue();
        assertThat(gate.vault.isAllWiped()).isTrue();
        assertThat(gate.upstream.receivedArrays().getFirst()).containsOnly(0);
    }

    @Test
    @DisplayName("S9: a call that failed delivered its value all the same: later answers are scrubbed")
    void aFailedCallDeliveredItsValue() {
        gate.upstream.answer(arguments -> {
            throw new UpstreamException(Kind.TIMED_OUT, "the server did not answer");
        });
        gate.runApproved(gate.call("{\"a\":\"{{vault:db}}\"}"));
        gate.upstream.answerResult("{\"b\":\"pa$$word & \\\"quotes\\\" 100%\"}");

        assertThat(Outcomes.answer(gate.run(gate.call("{}")))).contains("{{vault:db}}");
    }

    @Test
    @DisplayName("A fault of our own is FAILED, with an entry; its message, which may quote data, goes nowhere")
    void aFaultOfOurOwn() {
        gate.upstream.answer(arguments -> {
            throw new IllegalArgumentException("cannot parse " + arguments);
        });

        Refusal refusal = Outcomes.refusal(gate.runApproved(gate.call("{\"a\":\"{{vault:db}}\"}")));

        assertThat(refusal.disposition()).isEqualTo(Disposition.FAILED);
        assertThat(refusal.text()).doesNotContain("parse").doesNotContain("quotes");
        assertThat(gate.ledger.entry().error()).isEqualTo(refusal.what());
        assertThat(gate.vault.isAllWiped()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "not JSON", "{\"result\":", "{\"result\":{}} {}", "{\"result\":\"\\ud8\"}"})
    @DisplayName("S10: an answer that cannot be scrubbed is not delivered")
    void anAnswerThatCannotBeScrubbed(String answer) {
        gate.upstream.answer(arguments -> answer);

        Outcome outcome = gate.runApproved(gate.call("{\"a\":\"{{vault:db}}\"}"));

        Refusal refusal = Outcomes.refusal(outcome);
        assertThat(refusal.code()).isEqualTo("VAULT_SCRUB_FAILED");
        assertThat(refusal.disposition()).isEqualTo(Disposition.SCRUB_FAILED);
        assertThat(gate.ledger.entry().disposition()).isEqualTo(Disposition.SCRUB_FAILED);
    }

    @Test
    @DisplayName("S10: so is one that nests too deep")
    void anAnswerThatNestsTooDeep() {
        gate.upstream.answer(arguments -> "{\"result\":" + "[".repeat(600) + "]".repeat(600) + "}");

        assertThat(Outcomes.disposition(gate.runApproved(gate.call("{\"a\":\"{{vault:db}}\"}"))))
                .isEqualTo(Disposition.SCRUB_FAILED);
    }

    @Test
    @DisplayName("S14: with scrubbing switched off the answer passes, and ledger and approval still hold no value")
    void withScrubbingSwitchedOff() {
        gate.applyPolicy("{\"resultScrubbingEnabled\":false}");
        gate.vault.put("db", "plain-old-password");

        String answer = Outcomes.answer(gate.runApproved(gate.call("{\"a\":\"{{vault:db}}\"}")));
        gate.run(gate.call("{\"a\":\"plain-old-password\",\"b\":\"{{vault:db}}\"}"));

        assertThat(answer).contains("plain-old-password");
        assertThat(gate.ledger.entries())
                .allSatisfy(entry -> assertThat(new String(entry.arguments(), StandardCharsets.UTF_8))
                        .doesNotContain("plain-old-password"));
        gate.approvalStore
                .all()
                .forEach(request -> assertThat(new String(request.arguments(), StandardCharsets.UTF_8))
                        .doesNotContain("plain-old-password"));
    }

    @Test
    @DisplayName("S13: scrubbing comes before the cap, which says how much it cut")
    void scrubbingComesBeforeTheCap() {
        TestGate small = new TestGate(new MemoryPolicy(), 10, 20);
        small.vault.put("db", "database-password");
        small.upstream.answerResult(
                "{\"content\":[{\"type\":\"text\",\"text\":\"0123456789 database-password and more\"}]}");

        String answer = Outcomes.answer(small.runApproved(small.call("{\"a\":\"{{vault:db}}\"}")));

        assertThat(answer).contains("\"0123456789 \\n[cut: 21 more characters]\"");
        assertThat(Cap.DEFAULT_MAX_CHARACTERS).isEqualTo(150_000);
    }

    private static String percent(String value) {
        StringBuilder percent = new StringBuilder();
        for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
            percent.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
        }
        return percent.toString();
    }
}
