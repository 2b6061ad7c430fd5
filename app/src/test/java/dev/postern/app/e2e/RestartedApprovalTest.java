package dev.postern.app.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Json;
import dev.postern.json.JsonValue;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** P7: what a {@code kill -9} leaves of calls that wait for a person, and how an agent's user is sent to the portal meanwhile. */
class RestartedApprovalTest {
    private static final String TOOL = "playground__sha256";
    private static final String CALL = "{\"text\":\"{{vault:db}}\"}";
    private static final String VALUE = "a value that is long enough";
    private static final String OPENS_ADDRESSES = "{\"elicitation\":{\"url\":{}}}";

    @TempDir
    private Path data = Path.of("");

    @Test
    @DisplayName(
            "P7: input_required with the portal's address and a sealed state, which holds over a restart and works once")
    void anAgentComesBackWithItsStateAfterARestart() throws Exception {
        String key;
        String state;
        String approval;
        try (RunningGateway gateway = RunningGateway.start(data);
                ManyCalls agent = new ManyCalls(gateway)) {
            key = gateway.key();
            gateway.addSecret("db", VALUE);
            JsonValue asked = requireNonNull(agent.call(key, TOOL, CALL, OPENS_ADDRESSES, ""));
            assertThat(asked.string("resultType")).isEqualTo("input_required");
            JsonValue question = Json.at(asked, "inputRequests", "postern-approval");
            assertThat(question.string("method")).isEqualTo("elicitation/create");
            assertThat(Json.at(question, "params", "mode").string()).isEqualTo("url");
            assertThat(Json.at(question, "params", "url").string())
                    .isEqualTo(gateway.url() + "/approvals")
                    .doesNotContain(key);
            state = Json.at(asked, "requestState").string();
            approval = only(gateway);
            assertThat(state).startsWith("postern.").doesNotContain(approval);
            gateway.kill();
        }
        try (RunningGateway gateway = RunningGateway.start(data);
                ManyCalls agent = new ManyCalls(gateway)) {
            assertThat(only(gateway)).isEqualTo(approval);
            gateway.ask("approve", Map.of("ids", List.of(approval)));
            String back = ",\"requestState\":\"" + state
                    + "\",\"inputResponses\":{\"postern-approval\":{\"action\":\"accept\"}}";
            assertThat(Agent.text(requireNonNull(agent.call(key, TOOL, CALL, OPENS_ADDRESSES, back))))
                    .isEqualTo(ApprovalTest.sha256(VALUE));
            // Once more with the same state: it was one approval, so this one is held for an approval of its own.
            var again = ManyCalls.later(() -> agent.call(key, TOOL, CALL, OPENS_ADDRESSES, back));
            assertThat(gateway.awaitApproval().string("id")).isNotEqualTo(approval);
            gateway.ask("deny", Map.of("ids", List.of(only(gateway))));
            assertThat(Agent.code(requireNonNull(again.join()))).isEqualTo("DENIED");
        }
    }

    @Test
    @DisplayName("P7: who declines to open the address takes the request back")
    void decliningTakesTheRequestBack() throws Exception {
        try (RunningGateway gateway = RunningGateway.start(data);
                ManyCalls agent = new ManyCalls(gateway)) {
            gateway.addSecret("db", VALUE);
            JsonValue asked = requireNonNull(agent.call(gateway.key(), TOOL, CALL, OPENS_ADDRESSES, ""));
            String back =
                    ",\"requestState\":\"" + Json.at(asked, "requestState").string()
                            + "\",\"inputResponses\":{\"postern-approval\":{\"action\":\"decline\"}}";
            assertThat(Agent.code(requireNonNull(agent.call(gateway.key(), TOOL, CALL, OPENS_ADDRESSES, back))))
                    .isEqualTo("CANCELLED");
            assertThat(gateway.ask("approvals.list", Map.of()).elements()).isEmpty();
        }
    }

    @Test
    @DisplayName("P7: an agent that was told APPROVAL_PENDING joins its request after a restart")
    void whoWasToldJoinsAfterARestart() throws Exception {
        String key;
        String approval;
        try (RunningGateway gateway = RunningGateway.start(data, "--approval-hold", "0");
                Agent agent = Agent.Era.LEGACY.connect(gateway)) {
            key = gateway.key();
            gateway.addSecret("db", VALUE);
            assertThat(Agent.code(agent.call(TOOL, CALL))).isEqualTo("APPROVAL_PENDING");
            approval = only(gateway);
            gateway.kill();
        }
        try (RunningGateway gateway = RunningGateway.start(data, "--approval-hold", "0");
                Agent agent = Agent.Era.LEGACY.connect(gateway, key, "/mcp")) {
            assertThat(Agent.code(agent.call(TOOL, CALL))).isEqualTo("APPROVAL_PENDING");
            assertThat(only(gateway)).isEqualTo(approval);
            gateway.ask("approve", Map.of("ids", List.of(approval)));
            assertThat(Agent.text(agent.call(TOOL, CALL))).isEqualTo(ApprovalTest.sha256(VALUE));
        }
    }

    @Test
    @DisplayName("P7: a call that was held on a connection is gone with it, and so is its request")
    void whoWasHeldIsGone() throws Exception {
        try (RunningGateway gateway = RunningGateway.start(data);
                Agent agent = Agent.Era.MODERN.connect(gateway)) {
            gateway.addSecret("db", VALUE);
            var _ = agent.callLater(TOOL, CALL);
            gateway.awaitApproval();
            gateway.kill();
        }
        try (RunningGateway gateway = RunningGateway.start(data)) {
            assertThat(gateway.ask("approvals.list", Map.of()).elements()).isEmpty();
        }
    }

    private static String only(RunningGateway gateway) {
        List<JsonValue> waiting = gateway.ask("approvals.list", Map.of()).elements();
        assertThat(waiting).hasSize(1);
        return Json.at(waiting.getFirst(), "id").string();
    }
}
