package dev.postern.gate.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Refusal;
import dev.postern.gate.testing.Outcomes;
import dev.postern.gate.testing.TestCall;
import dev.postern.gate.testing.TestGate;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A1, P10: what an agent may call at all, by tool and by argument. */
class AgentRulesTest {
    private static final String POLICY = """
            {"agents": {"agent-*": {"allow": [
                "web__*",
                {"tool": "files__write", "where": {"/path": ["/srv/**", "/tmp/*"], "/items/*/mode": "r?"}}]}}}""";

    private final TestGate gate = TestGate.withPolicy(POLICY);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "web|fetch|{}|EXECUTED",
                "files|read|{}|POLICY_DENIED",
                "files|write|{\"path\":\"/srv/a/b\",\"items\":[{\"mode\":\"rw\"}]}|EXECUTED",
                "files|write|{\"path\":\"/tmp/a\",\"items\":[{\"mode\":\"rw\"},{\"mode\":\"rx\"}],\"more\":1}|EXECUTED",
                "files|write|{\"path\":\"/tmp/a/b\",\"items\":[{\"mode\":\"rw\"}]}|POLICY_DENIED",
                "files|write|{\"path\":\"/srv/../etc\",\"items\":[{\"mode\":\"rw\"}]}|POLICY_DENIED",
                "files|write|{\"path\":\"/srv/\\u002e./etc\",\"items\":[{\"mode\":\"rw\"}]}|POLICY_DENIED",
                "files|write|{\"path\":\"/srv/a\",\"path\":\"/etc\",\"items\":[{\"mode\":\"rw\"}]}|POLICY_DENIED",
                "files|write|{\"path\":\"/etc\",\"path\":\"/srv/a\",\"items\":[{\"mode\":\"rw\"}]}|POLICY_DENIED",
                "files|write|{\"path\":[\"/srv/a\"],\"items\":[{\"mode\":\"rw\"}]}|POLICY_DENIED",
                "files|write|{\"path\":null,\"items\":[{\"mode\":\"rw\"}]}|POLICY_DENIED",
                "files|write|{\"items\":[{\"mode\":\"rw\"}]}|POLICY_DENIED",
                "files|write|{\"path\":\"/srv/a\"}|POLICY_DENIED",
                "files|write|{\"path\":\"/srv/a\",\"items\":[]}|POLICY_DENIED",
                "files|write|{\"path\":\"/srv/a\",\"items\":[{\"mode\":\"rw\"},{\"mode\":\"w\"}]}|POLICY_DENIED",
                "files|write|{\"path\":\"/srv/a\",\"items\":[{\"mode\":\"rw\"},7]}|EXECUTED",
            })
    void byToolAndArgument(String server, String tool, String arguments, Disposition expected) {
        assertThat(Outcomes.disposition(gate.run(gate.call(arguments).tool(server, tool))))
                .isEqualTo(expected);
    }

    @Test
    @DisplayName("An agent that no entry names is not narrowed; one that several name must pass each")
    void entriesNarrow() {
        TestCall read = gate.call("{}").tool("web", "fetch");
        assertThat(disposition(read.tool("files", "read").by(gate.agents.put("other"))))
                .isEqualTo(Disposition.EXECUTED);
        gate.applyPolicy("{\"agents\":{\"agent-name\":{\"allow\":[]}}}");
        assertThat(disposition(read)).isEqualTo(Disposition.POLICY_DENIED);
        gate.applyPolicy("{\"agents\":{\"**\":{\"allow\":[\"web__*\"]},\"agent-name\":{\"allow\":[\"*__read\"]}}}");
        assertThat(disposition(read)).isEqualTo(Disposition.POLICY_DENIED);
        assertThat(disposition(read.tool("web", "read"))).isEqualTo(Disposition.EXECUTED);
        assertThat(disposition(read.tool("files", "read"))).isEqualTo(Disposition.POLICY_DENIED);
    }

    @Test
    @DisplayName("P1: refused before the vault is read, with the place and the revision")
    void theRefusalNamesThePlaceAndTheRevision() {
        Refusal refusal = Outcomes.refusal(gate.run(gate.call("{\"path\":\"/etc/{{vault:db}}\"}")));

        assertThat(refusal.text())
                .startsWith("POLICY_DENIED: ")
                .contains("'/path'")
                .doesNotContain("/etc");
        assertThat(refusal.details()).containsEntry("policy_revision", 1L);
        assertThat(gate.vault.reads()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"agents\":[]}|/agents is not an object",
                "{\"agents\":{\"a\":{}}}|/agents/a says nothing",
                "{\"agents\":{\"a\":{\"deny\":[]}}}|/agents/a has an unknown member",
                "{\"agents\":{\"a\":{\"allow\":[]},\"a\":{\"allow\":[]}}}|/agents/a appears twice",
                "{\"agents\":{\"a\":{\"allow\":\"x\"}}}|/agents/a/allow is not an array",
                "{\"agents\":{\"a\":{\"allow\":[7]}}}|/agents/a/allow/0 is not an object",
                "{\"agents\":{\"a\":{\"allow\":[{\"where\":{}}]}}}|/agents/a/allow/0 names no tool",
                "{\"agents\":{\"a\":{\"allow\":[{\"tool\":\"x\",\"when\":{}}]}}}|it may have tool, where",
                "{\"agents\":{\"a\":{\"allow\":[{\"tool\":\"x\",\"where\":{\"path\":\"*\"}}]}}}|/where/path is no JSON Pointer",
                "{\"agents\":{\"a\":{\"allow\":[{\"tool\":\"x\",\"where\":{\"/a~2\":\"*\"}}]}}}|is no JSON Pointer",
                "{\"agents\":{\"a\":{\"allow\":[{\"tool\":\"x\",\"where\":{\"/p\":7}}]}}}|/where/~1p is no text",
                "{\"agents\":{\"a\":{\"allow\":[{\"tool\":\"x\",\"where\":{\"/p\":[]}}]}}}|allows no value at all",
                "{\"quotas\":{}}|/quotas is not an array",
                "{\"quotas\":[{\"tools\":\"x\"}]}|/quotas/0 limits nothing",
                "{\"quotas\":[{\"callsPerMinute\":0}]}|/quotas/0/callsPerMinute is no whole number from 1",
                "{\"quotas\":[{\"callsPerMinute\":1.5}]}|/quotas/0/callsPerMinute is no whole number from 1",
                "{\"quotas\":[{\"callsPerMinute\":\"7\"}]}|/quotas/0/callsPerMinute is no whole number from 1",
                "{\"quotas\":[{\"callSeconds\":86401}]}|/quotas/0/callSeconds is no whole number from 1 to 86400",
                "{\"quotas\":[{\"callsPerSecond\":1}]}|/quotas/0 has an unknown member",
            })
    @DisplayName("P11: what is not understood is not applied, and the message names the place and the remedy")
    void anInvalidDocumentIsNotApplied(String document, String said) {
        assertThatThrownBy(() -> PolicyDocument.parse(1, document.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(PolicyException.class)
                .hasMessageContaining(said);
    }

    private Disposition disposition(TestCall call) {
        return Outcomes.disposition(gate.run(call));
    }
}
