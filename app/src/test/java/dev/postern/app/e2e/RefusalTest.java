package dev.postern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Json;
import dev.postern.json.JsonValue;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** P1: refusals at steps 0 to 7 come before any prompt, with their codes; none calls the tool, all are in the ledger. */
class RefusalTest {
    @TempDir
    private static Path data = Path.of("");

    @SuppressWarnings("NullAway.Init")
    private static RunningGateway gateway;

    @SuppressWarnings("NullAway.Init")
    private static String withoutSecrets;

    @SuppressWarnings("NullAway.Init")
    private static String withoutTools;

    @BeforeAll
    static void start() throws Exception {
        gateway = RunningGateway.startScripted(data);
        write("ai", Map.of("tags", List.of("ai-provider")));
        write("bound", Map.of("servers", List.of("other")));
        withoutSecrets = key("no-secrets", "secret.use");
        withoutTools = key("no-tools", "tool.call");
    }

    private static void write(String name, Map<String, ?> more) {
        Map<String, Object> arguments = new java.util.LinkedHashMap<>(more);
        arguments.put("name", name);
        try (var value = new dev.postern.secret.SecretValue(PosternProcess.utf8("another long value"))) {
            gateway.control().ask("secret.add", arguments, value, event -> {});
        }
    }

    private static String key(String name, String denied) {
        return Json.at(gateway.ask("agent.add", Map.of("name", name, "deny", List.of(denied))), "key")
                .string();
    }

    @AfterAll
    static void stop() throws Exception {
        gateway.close();
    }

    @BeforeEach
    void reset() {
        gateway.applyPolicy("{}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":\"{{vault:nope}}\"}|{}|SECRET_UNRESOLVED",
                "{\"a\":\"{{vault:NO SUCH NAME}}\"}|{}|SECRET_UNRESOLVED",
                "{\"{{vault:db}}\":1}|{}|SECRET_UNRESOLVED",
                "{\"a\":\"{{vault:db#notes}}\"}|{}|SECRET_UNRESOLVED",
                "{\"a\":\"{{vault:db}} {{vault:nope}}\"}|{}|SECRET_UNRESOLVED",
                "{\"a\":\"{{vault:ai}}\"}|{}|SECRET_FORBIDDEN",
                "{\"a\":\"{{vault:bound}}\"}|{}|SECRET_FORBIDDEN",
                "{\"a\":\"{{vault:db}}\"}|{\"secretReferencesEnabled\":false}|SECRET_FORBIDDEN",
                "{\"a\":\"{{vault:db}}\"}|{\"secretBearingCalls\":\"DENY\"}|SECRET_FORBIDDEN",
                "{\"a\":\"{{vault:db}}\"}|{\"servers\":{\"s\":\"DENY\"}}|POLICY_DENIED",
                "{\"a\":1}|{\"tools\":{\"s__mirror\":\"DENY\"}}|POLICY_DENIED",
            })
    void isRefusedWithoutAPromptAndWithoutTheTool(String arguments, String policy, String code) throws Exception {
        gateway.applyPolicy(policy);
        for (Agent.Era era : Agent.Era.values()) {
            try (Agent agent = era.connect(gateway)) {
                JsonValue refused = agent.call("s__mirror", arguments);
                assertThat(Agent.code(refused)).isEqualTo(code);
                assertThat(Json.at(refused, "isError").spelling()).isEqualTo("true");
                assertThat(refused.member("seen")).isNull();
                assertThat(gateway.ask("approvals.list", Map.of()).elements()).isEmpty();
            }
        }
    }

    @Test
    void anAgentGetsOnlyWhatItsPermissionsAllow() throws Exception {
        try (Agent agent = Agent.Era.MODERN.connect(gateway, withoutSecrets, "/mcp")) {
            assertThat(Agent.code(agent.call("s__mirror", "{\"a\":\"{{vault:db}}\"}")))
                    .isEqualTo("SECRET_FORBIDDEN");
            assertThat(agent.call("s__mirror", "{\"a\":1}").member("seen")).isNotNull();
        }
        try (Agent agent = Agent.Era.MODERN.connect(gateway, withoutTools, "/mcp")) {
            assertThat(Agent.code(agent.call("s__mirror", "{\"a\":1}"))).isEqualTo("POLICY_DENIED");
        }
        gateway.ask("agent.revoke", Map.of("agent", "no-tools"));
        try (Agent agent = Agent.Era.MODERN.connect(gateway, withoutTools, "/mcp")) {
            assertThat(agent.post("{}").statusCode()).isEqualTo(401);
        }
    }

    /** P2: trust in a tool or a server never satisfies a secret. */
    @Test
    void anAllowForTheToolStillAsksForTheSecret() throws Exception {
        gateway.applyPolicy("{\"servers\":{\"s\":\"ALLOW\"},\"tools\":{\"s__mirror\":\"ALLOW\"}}");
        try (Agent agent = Agent.Era.MODERN.connect(gateway)) {
            var call = agent.callLater("s__mirror", "{\"a\":\"{{vault:db}}\"}");
            String id = Json.at(gateway.awaitApproval(), "id").string();
            gateway.ask("deny", Map.of("ids", List.of(id)));
            assertThat(Agent.code(call.get(60, java.util.concurrent.TimeUnit.SECONDS)))
                    .isEqualTo("DENIED");
        }
    }
}
