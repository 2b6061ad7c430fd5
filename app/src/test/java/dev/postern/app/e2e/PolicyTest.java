package dev.postern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Json;
import dev.postern.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** P10, P11: versioned policy documents, allow lists and quotas, through a running gateway and its command line. */
class PolicyTest {
    @TempDir
    private static Path data = Path.of("");

    @SuppressWarnings("NullAway.Init")
    private static RunningGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        gateway = RunningGateway.startScripted(data);
    }

    @AfterAll
    static void stop() throws Exception {
        gateway.close();
    }

    @BeforeEach
    void reset() {
        gateway.applyPolicy("{}");
    }

    @Test
    void everyRevisionCanBeShownAndCompared() throws Exception {
        Path first = write("{\n  \"servers\": {\n    \"s\": \"ASK\"\n  }\n}\n");
        Path second = write("{\n  \"servers\": {\n    \"s\": \"DENY\"\n  }\n}\n");
        int revision = revision(PosternProcess.run(data, "policy", "apply", first.toString(), "--json"));
        assertThat(revision(PosternProcess.run(data, "policy", "apply", second.toString(), "--json")))
                .isEqualTo(revision + 1);

        assertThat(PosternProcess.run(data, "policy", "show", "--revision", "" + revision)
                        .out())
                .isEqualTo(Files.readString(first));
        assertThat(PosternProcess.run(data, "policy", "show").out()).isEqualTo(Files.readString(second));
        assertThat(PosternProcess.run(data, "policy", "diff").out())
                .contains("from revision " + revision + " to revision " + (revision + 1))
                .contains("-     \"s\": \"ASK\"")
                .contains("+     \"s\": \"DENY\"")
                .contains("    \"servers\"");
        assertThat(PosternProcess.run(data, "policy", "history").out())
                .contains("REVISION")
                .contains("operator");
        PosternProcess.Finished missing = PosternProcess.run(data, "policy", "show", "--revision", "99999");
        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.err()).contains("policy history");
    }

    @Test
    void anInvalidDocumentChangesNothingAndNamesThePlace() throws Exception {
        Path file = write("{\"quotas\":[{\"callsPerMinute\":\"many\"}]}");
        for (String verb : new String[] {"check", "apply"}) {
            PosternProcess.Finished refused = PosternProcess.run(data, "policy", verb, file.toString());
            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.err()).contains("/quotas/0/callsPerMinute").doesNotContain("many");
        }
        assertThat(PosternProcess.run(data, "policy", "show").out()).isEqualTo("{}");
    }

    @Test
    void anAllowListHoldsByToolAndArgument() throws Exception {
        gateway.applyPolicy("""
                {"agents": {"agent": {"allow": [{"tool": "s__mirror", "where": {"/path": "/srv/**"}}]}}}""");
        try (Agent agent = Agent.Era.MODERN.connect(gateway)) {
            assertThat(Agent.code(agent.call("s__mirror", "{\"path\":\"/srv/a\"}")))
                    .isNull();
            JsonValue refused = agent.call("s__mirror", "{\"path\":\"/srv/../etc/{{vault:db}}\"}");
            assertThat(Agent.code(refused)).isEqualTo("POLICY_DENIED");
            assertThat(Agent.text(refused)).contains("'/path'");
            assertThat(Json.at(refused, "_meta").path("dev.postern/refusal", "policy_revision"))
                    .isNotNull();
            assertThat(Agent.code(agent.call("s__flood", "{}"))).isEqualTo("POLICY_DENIED");
        }
    }

    @Test
    void aQuotaRefusesWithTheTimeToWait() throws Exception {
        gateway.applyPolicy(
                "{\"quotas\":[{\"tools\":\"s__mirror\",\"callsPerMinute\":2},{\"tools\":\"s__hang\",\"callSeconds\":1}]}");
        try (Agent agent = Agent.Era.LEGACY.connect(gateway)) {
            agent.call("s__mirror", "{}");
            agent.call("s__mirror", "{}");
            JsonValue refused = agent.call("s__mirror", "{}");
            assertThat(Agent.code(refused)).isEqualTo("POLICY_DENIED");
            JsonValue refusal = Json.at(Json.at(refused, "_meta"), "dev.postern/refusal");
            assertThat(Json.at(refusal, "retryable").spelling()).isEqualTo("true");
            assertThat(Integer.parseInt(Json.at(refusal, "retry_after_seconds").spelling()))
                    .isBetween(1, 30);
            assertThat(Agent.code(agent.call("s__hang", "{}"))).isEqualTo("TIMED_OUT");
            assertThat(agent.call("s__cancelled", "{}").spelling()).matches(".*\"ids\":\\[\\d+.*");
        }
    }

    /** P6: the policy of the confirm step wins. */
    @Test
    void anAllowListAppliedDuringThePromptRefuses() throws Exception {
        try (Agent agent = Agent.Era.MODERN.connect(gateway)) {
            CompletableFuture<JsonValue> call = agent.callLater("s__mirror", "{\"a\":\"{{vault:db}}\"}");
            JsonValue approval = gateway.awaitApproval();
            gateway.applyPolicy("{\"agents\":{\"**\":{\"allow\":[]}}}");
            gateway.ask(
                    "approve",
                    Map.of("ids", java.util.List.of(Json.at(approval, "id").string())));
            assertThat(Agent.code(call.get(60, TimeUnit.SECONDS))).isEqualTo("POLICY_DENIED");
        }
    }

    private static int revision(PosternProcess.Finished applied) {
        assertThat(applied.exitCode()).as(applied.err()).isZero();
        return Integer.parseInt(
                Json.at(JsonValue.parse(applied.out().strip().getBytes(StandardCharsets.UTF_8)), "revision")
                        .spelling());
    }

    private static Path write(String document) throws Exception {
        return Files.writeString(Files.createTempFile("policy", ".json"), document);
    }
}
