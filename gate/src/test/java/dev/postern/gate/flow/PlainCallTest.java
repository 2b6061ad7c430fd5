package dev.postern.gate.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Outcome;
import dev.postern.gate.testing.Outcomes;
import dev.postern.gate.testing.TestGate;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls without references take the same path, and nothing on it touches them. */
class PlainCallTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{ \"a\" : 1e400 , \"a\":-0.0,\"b\" :[ 1.0, 1E2 ] }",
                "{\"\\u0061\":\"\\u00e9\\/\\n\",\"\u00e9\":\"{{ name }} {{vaults:x}} {vault:x}\"}",
                "[1, 2]",
                "\"text\"",
                "null"
            })
    @DisplayName("R8: a call without a reference is forwarded byte for byte, and reads no vault")
    void aCallWithoutAReferenceIsForwardedByteForByte(String arguments) {
        TestGate gate = new TestGate();

        Outcome outcome = gate.run(gate.call(arguments));

        assertThat(Outcomes.disposition(outcome)).isEqualTo(Disposition.EXECUTED);
        assertThat(gate.upstream.received()).containsExactly(arguments);
        assertThat(gate.vault.reads()).isZero();
        assertThat(gate.approvalStore.uses()).isZero();
    }

    @Test
    @DisplayName("S11: with no live value the answer passes byte for byte, even one that is no JSON")
    void anAnswerPassesUnreadWhereNothingIsLive() {
        TestGate gate = new TestGate();
        gate.upstream.answer(arguments -> "{ \"result\":{\"n\":1E400,\"n\": 2}} x");

        assertThat(Outcomes.answer(gate.run(gate.call("{}")))).isEqualTo("{ \"result\":{\"n\":1E400,\"n\": 2}} x");
    }

    @Test
    @DisplayName(
            "P10: a tool whose rule is ASK waits for a person without a secret too, and no durable intent is written")
    void aToolsRuleMayAskWithoutASecret() {
        TestGate gate = TestGate.withPolicy("{\"tools\":{\"files__write\":\"ASK\"}}");

        CompletableFuture<Outcome> running = gate.start(gate.call("{\"url\":\"https://example.com/x\"}"));
        assertThat(gate.approvalStore.awaitRequest()).satisfies(request -> {
            assertThat(request.secrets()).isEmpty();
            assertThat(request.destination()).isEqualTo("files → example.com");
            assertThat(gate.approvals.approve(request.id(), "operator", null)).isTrue();
        });

        assertThat(Outcomes.disposition(Outcomes.of(running))).isEqualTo(Disposition.EXECUTED);
        assertThat(gate.ledger.intents()).isEmpty();
        assertThat(gate.ledger.entry().approver()).isEqualTo("operator");
    }

    @Test
    @DisplayName("A tool nobody looked up before an ASK is not refused for being defined now")
    void anAskedCallWithoutSecretsNeedsNoDefinition() {
        TestGate gate = TestGate.withPolicy("{\"tools\":{\"files__write\":\"ASK\"}}");

        Outcome outcome = gate.runApproved(gate.call("{}")
                .definitions(() -> dev.postern.gate.testing.TestCall.definition("{\"name\":\"write\"}")));

        assertThat(Outcomes.disposition(outcome)).isEqualTo(Disposition.EXECUTED);
    }
}
