package dev.postern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Json;
import dev.postern.json.JsonValue;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** P7: what happens when nobody decides, or decides late. */
class ApprovalTimeTest {
    private static final String CALL = "{\"text\":\"{{vault:db}}\"}";

    @TempDir
    private Path data = Path.of("");

    @Test
    void nobodyDecidingIsADenialTheAgentCanSee() throws Exception {
        try (RunningGateway gateway = RunningGateway.start(data, "--approval-timeout", "1", "--approval-hold", "60");
                Agent agent = Agent.Era.LEGACY.connect(gateway)) {
            gateway.addSecret("db", "a value that is long enough");
            assertThat(Agent.code(agent.call("playground__sha256", CALL))).isEqualTo("APPROVAL_EXPIRED");
            assertThat(gateway.ask("approvals.list", Map.of()).elements()).isEmpty();
        }
    }

    @Test
    void aCallNotHeldIsPendingAndRunsWhenItIsSentAgainAfterTheApproval() throws Exception {
        try (RunningGateway gateway = RunningGateway.start(data, "--approval-hold", "0");
                Agent agent = Agent.Era.LEGACY.connect(gateway)) {
            gateway.addSecret("db", "a value that is long enough");
            JsonValue pending = agent.call("playground__sha256", CALL);
            assertThat(Agent.code(pending)).isEqualTo("APPROVAL_PENDING");
            assertThat(Agent.text(pending)).contains(gateway.url());
            assertThat(Agent.code(agent.call("playground__sha256", CALL))).isEqualTo("APPROVAL_PENDING");
            List<JsonValue> waiting = gateway.ask("approvals.list", Map.of()).elements();
            assertThat(waiting).hasSize(1);
            gateway.ask(
                    "approve",
                    Map.of("ids", List.of(Json.at(waiting.getFirst(), "id").string())));
            assertThat(Agent.text(agent.call("playground__sha256", CALL)))
                    .isEqualTo(ApprovalTest.sha256("a value that is long enough"));
        }
    }
}
