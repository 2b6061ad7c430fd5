package dev.postern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Json;
import dev.postern.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a person decides, and what changes while they think (P2 to P7, A3), through a running gateway. */
class ApprovalTest {
    private static final String VALUE = "a value that is long enough";
    private static final String CALL = "{\"text\":\"{{vault:db}}\"}";
    private static final String DIGEST_TOOL = "playground__sha256";

    @TempDir
    private static Path data = Path.of("");

    @SuppressWarnings("NullAway.Init")
    private static RunningGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        gateway = RunningGateway.start(data);
        gateway.addSecret("db", VALUE);
    }

    @AfterAll
    static void stop() throws Exception {
        gateway.close();
    }

    @BeforeEach
    void reset() {
        gateway.applyPolicy("{}");
        gateway.ask("kill", Map.of("on", false));
        for (JsonValue grant : gateway.ask("grants.list", Map.of()).elements()) {
            gateway.ask("grants.revoke", Map.of("id", Json.at(grant, "id").string()));
        }
        gateway.rotateSecret("db", VALUE);
    }

    /** P5: an approval is good for one call. */
    @ParameterizedTest
    @EnumSource(Agent.Era.class)
    void anApprovedCallRunsOnceAndItsReplayAsksAgain(Agent.Era era) throws Exception {
        try (Agent agent = era.connect(gateway)) {
            CompletableFuture<JsonValue> first = agent.callLater(DIGEST_TOOL, CALL);
            gateway.approveNext();
            assertThat(Agent.text(first.get(60, TimeUnit.SECONDS))).isEqualTo(sha256(VALUE));
            CompletableFuture<JsonValue> replay = agent.callLater(DIGEST_TOOL, CALL);
            deny(gateway.awaitApproval(), "");
            assertThat(Agent.code(replay.get(60, TimeUnit.SECONDS))).isEqualTo("DENIED");
        }
    }

    /** A script whose variable is empty has approved nothing, and must be told. */
    @ParameterizedTest
    @ValueSource(strings = {"", "41e3bee4-4d42-45b7-a487-bc46e1e7422c"})
    void aDecisionOnNoCallIsNoSuccess(String id) throws Exception {
        for (String decision : List.of("approve", "deny")) {
            assertThat(PosternProcess.run(data, decision, id).exitCode()).isEqualTo(1);
        }
    }

    /** P8: the operator sees the whole call and no value. */
    @Test
    void theOperatorSeesTheWholeCall() throws Exception {
        try (Agent agent = Agent.Era.MODERN.connect(gateway)) {
            String arguments = "{\"text\":\"" + "x".repeat(20_000) + "{{vault:db}}\",\"n\":1e400}";
            CompletableFuture<JsonValue> call = agent.callLater("playground__echo", arguments);
            JsonValue approval = gateway.awaitApproval();
            assertThat(Json.at(approval, "arguments").spelling()).isEqualTo(arguments);
            assertThat(Json.at(approval, "server").string()).isEqualTo("playground");
            assertThat(Json.at(approval, "tool").string()).isEqualTo("echo");
            assertThat(Json.at(approval, "agent").string()).isEqualTo("agent");
            assertThat(Json.at(approval, "risk").string()).isEqualTo("HIGH");
            assertThat(Json.at(approval, "secrets").spelling())
                    .isEqualTo("[{\"name\":\"db\",\"website\":\"https://x.example\",\"username\":\"kim\","
                            + "\"field\":\"password\"}]");
            deny(approval, "");
            call.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void aDenialReachesTheAgentWithItsNote() throws Exception {
        try (Agent agent = Agent.Era.LEGACY.connect(gateway)) {
            CompletableFuture<JsonValue> call = agent.callLater(DIGEST_TOOL, CALL);
            deny(gateway.awaitApproval(), "ask me tomorrow");
            JsonValue result = call.get(60, TimeUnit.SECONDS);
            assertThat(Json.at(result, "isError").spelling()).isEqualTo("true");
            assertThat(Agent.text(result)).startsWith("DENIED: ").contains("ask me tomorrow");
        }
    }

    /** P5: approving one call approves no other. */
    @Test
    void changedArgumentsAskAnew() throws Exception {
        try (Agent agent = Agent.Era.MODERN.connect(gateway)) {
            CompletableFuture<JsonValue> first = agent.callLater(DIGEST_TOOL, CALL);
            JsonValue approval = gateway.awaitApproval();
            CompletableFuture<JsonValue> changed = agent.callLater(DIGEST_TOOL, "{\"text\":\"x{{vault:db}}\"}");
            approve(approval);
            assertThat(Agent.text(first.get(60, TimeUnit.SECONDS))).isEqualTo(sha256(VALUE));
            deny(gateway.awaitApproval(), "");
            assertThat(Agent.code(changed.get(60, TimeUnit.SECONDS))).isEqualTo("DENIED");
        }
    }

    /** P6: what is saved while the prompt is open wins. */
    @Test
    void aPolicyDenySavedDuringThePromptRefusesTheApprovedCall() throws Exception {
        try (Agent agent = Agent.Era.MODERN.connect(gateway)) {
            CompletableFuture<JsonValue> call = agent.callLater(DIGEST_TOOL, CALL);
            JsonValue approval = gateway.awaitApproval();
            gateway.applyPolicy("{\"tools\":{\"playground__sha256\":\"DENY\"}}");
            approve(approval);
            assertThat(Agent.code(call.get(60, TimeUnit.SECONDS))).isEqualTo("POLICY_DENIED");
        }
    }

    /** P6: the person approved the old value. */
    @Test
    void aRotationDuringThePromptRefusesTheApprovedCall() throws Exception {
        try (Agent agent = Agent.Era.MODERN.connect(gateway)) {
            CompletableFuture<JsonValue> call = agent.callLater(DIGEST_TOOL, CALL);
            JsonValue approval = gateway.awaitApproval();
            gateway.rotateSecret("db", "another value altogether");
            approve(approval);
            assertThat(Agent.code(call.get(60, TimeUnit.SECONDS))).isEqualTo("SECRET_UNRESOLVED");
        }
    }

    /** P4: a grant is made with an approval, counts further calls, and ends at once when revoked. */
    @Test
    void aGrantCoversFurtherCallsUntilItIsUsedUpOrRevoked() throws Exception {
        try (Agent agent = Agent.Era.MODERN.connect(gateway)) {
            CompletableFuture<JsonValue> first = agent.callLater(DIGEST_TOOL, CALL);
            String id = Json.at(gateway.awaitApproval(), "id").string();
            gateway.ask("approve", Map.of("ids", List.of(id), "uses", 2));
            assertThat(Agent.text(first.get(60, TimeUnit.SECONDS))).isEqualTo(sha256(VALUE));
            assertThat(Agent.text(agent.call(DIGEST_TOOL, CALL))).isEqualTo(sha256(VALUE));
            JsonValue grant = gateway.ask("grants.list", Map.of()).elements().getFirst();
            assertThat(Json.at(grant, "uses_left").spelling()).isEqualTo("1");
            gateway.ask("grants.revoke", Map.of("id", Json.at(grant, "id").string()));
            CompletableFuture<JsonValue> afterwards = agent.callLater(DIGEST_TOOL, CALL);
            deny(gateway.awaitApproval(), "");
            assertThat(Agent.code(afterwards.get(60, TimeUnit.SECONDS))).isEqualTo("DENIED");
        }
    }

    /** P4: until revoked; listed with names and last use; revoked by agent. */
    @Test
    void aGrantUntilRevokedIsListedWithNamesAndLastUse() throws Exception {
        try (Agent agent = Agent.Era.MODERN.connect(gateway)) {
            CompletableFuture<JsonValue> first = agent.callLater(DIGEST_TOOL, CALL);
            String id = Json.at(gateway.awaitApproval(), "id").string();
            assertThat(PosternProcess.run(data, "approve", id, "--for", "always")
                            .exitCode())
                    .isZero();
            assertThat(Agent.text(first.get(60, TimeUnit.SECONDS))).isEqualTo(sha256(VALUE));
            assertThat(Agent.text(agent.call(DIGEST_TOOL, CALL))).isEqualTo(sha256(VALUE));
            JsonValue grant = gateway.ask("grants.list", Map.of()).elements().getFirst();
            assertThat(Json.at(grant, "secret").string()).isEqualTo("db");
            assertThat(Json.at(grant, "agent_name").string()).isEqualTo("agent");
            assertThat(Json.at(grant, "expires_at").spelling()).isEqualTo("null");
            assertThat(Json.at(grant, "last_used").spelling()).isNotEqualTo("null");
            assertThat(PosternProcess.run(data, "grants", "revoke").exitCode()).isEqualTo(2);
            assertThat(PosternProcess.run(data, "grants", "revoke", "--agent", "agent")
                            .out())
                    .contains("revoked 1 grants");
            assertThat(gateway.ask("grants.list", Map.of()).elements()).isEmpty();
        }
    }

    private static void approve(JsonValue approval) {
        JsonValue answer = gateway.ask(
                "approve", Map.of("ids", List.of(Json.at(approval, "id").string())));
        assertThat(Json.at(answer, "missed").elements()).isEmpty();
    }

    private static void deny(JsonValue approval, String note) {
        gateway.ask("deny", Map.of("ids", List.of(Json.at(approval, "id").string()), "note", note));
    }

    static String sha256(String text) throws Exception {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    }
}
