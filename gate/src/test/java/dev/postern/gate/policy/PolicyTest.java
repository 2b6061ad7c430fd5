package dev.postern.gate.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Outcome;
import dev.postern.gate.scrub.Cap;
import dev.postern.gate.testing.MemoryPolicy;
import dev.postern.gate.testing.Outcomes;
import dev.postern.gate.testing.TestCall;
import dev.postern.gate.testing.TestGate;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** P3, P10, P11: what a policy may say, and what wins. */
class PolicyTest {
    @ParameterizedTest(name = "tool {0}, server {1}: a plain call is {2}")
    @CsvSource({
        "    ,      , EXECUTED",
        "    , ALLOW, EXECUTED",
        "    , ASK  , APPROVAL_PENDING",
        "    , DENY , POLICY_DENIED",
        "ALLOW,     , EXECUTED",
        "ALLOW,ALLOW, EXECUTED",
        "ALLOW,ASK  , EXECUTED",
        "ALLOW,DENY , POLICY_DENIED",
        "ASK  ,     , APPROVAL_PENDING",
        "ASK  ,ALLOW, APPROVAL_PENDING",
        "ASK  ,ASK  , APPROVAL_PENDING",
        "ASK  ,DENY , POLICY_DENIED",
        "DENY ,     , POLICY_DENIED",
        "DENY ,ALLOW, POLICY_DENIED",
        "DENY ,ASK  , POLICY_DENIED",
        "DENY ,DENY , POLICY_DENIED"
    })
    @DisplayName("P10: a DENY on either level, then the tool's rule, then the server's, then ALLOW")
    void rulesInTheirOrder(String tool, String server, Disposition expected) {
        String document = "{\"tools\":" + rule("files__write", tool) + ",\"servers\":" + rule("files", server) + "}";
        TestGate gate = TestGate.withPolicy(document);
        gate.vault.put("db", "database-password");
        TestCall plain = gate.call("{}");

        assertThat(Outcomes.disposition(gate.run(plain))).isEqualTo(expected);
        assertThat(Outcomes.disposition(gate.run(plain.arguments("{\"a\":\"{{vault:db}}\"}"))))
                .as("P2: a secret asks unless it is denied")
                .isEqualTo(expected == Disposition.POLICY_DENIED ? expected : Disposition.APPROVAL_PENDING);
        assertThat(Outcomes.disposition(gate.run(plain.tool("other", "write"))))
                .as("rules of one server say nothing of another")
                .isEqualTo(Disposition.EXECUTED);
    }

    private static String rule(String name, String rule) {
        return rule == null ? "{}" : "{\"" + name + "\":\"" + rule + "\"}";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{\"secretBearingCalls\":\"ALLOW\"}",
                "{\"secretBearingCalls\":\"ask\"}",
                "{\"secretBearingCalls\":true}",
                "{\"secretReferencesEnabled\":\"true\"}",
                "{\"resultScrubbingEnabled\":0}",
                "{\"servers\":[]}",
                "{\"servers\":{\"files\":\"ALOW\"}}",
                "{\"servers\":{\"files\":\"ALLOW\",\"files\":\"DENY\"}}",
                "{\"tools\":{\"files__write\":null}}",
                "{\"secretBearingCals\":\"DENY\"}",
                "{\"tools\":{},\"tools\":{}}"
            })
    @DisplayName("P3, P11: an invalid document is refused whole and changes nothing; there is no ALLOW for secrets")
    void anInvalidDocumentChangesNothing(String document) {
        TestGate gate = TestGate.withPolicy("{\"secretBearingCalls\":\"DENY\"}");
        Policy before = gate.policies.current();

        assertThatThrownBy(() -> gate.applyPolicy(document)).isInstanceOf(PolicyException.class);

        assertThat(gate.policies.current()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{\"unknown\":1}", "{\"secretBearingCalls\":\"ALLOW\"}"})
    @DisplayName("P11: a stored document that cannot be read denies everything and says so, until it is mended")
    void anUnreadablePolicyDeniesEverything(String stored) {
        TestGate gate = new TestGate(new MemoryPolicy(stored), 10, Cap.DEFAULT_MAX_CHARACTERS);
        TestCall call = gate.call("{}");

        Outcome outcome = gate.run(call);

        assertThat(Outcomes.disposition(outcome)).isEqualTo(Disposition.POLICY_DENIED);
        assertThat(Outcomes.refusal(outcome).text()).contains("cannot be read").contains("postern policy apply");
        assertThat(gate.policies.current().resultScrubbingEnabled()).isTrue();
        gate.applyPolicy("{}");
        assertThat(Outcomes.disposition(gate.run(call))).isEqualTo(Disposition.EXECUTED);
    }

    @Test
    @DisplayName("A revision counts every document applied")
    void aRevisionCountsEveryDocument() {
        TestGate gate = new TestGate();
        assertThat(gate.policies.current().revision()).isZero();

        gate.applyPolicy("{}");
        gate.applyPolicy("{}");

        assertThat(gate.policies.current().revision()).isEqualTo(2);
        assertThat(gate.policies.document()).isEqualTo("{}".getBytes(StandardCharsets.UTF_8));
    }
}
