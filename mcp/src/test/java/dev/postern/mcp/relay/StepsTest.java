package dev.postern.mcp.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.call.Disposition;
import dev.postern.gate.ledger.LedgerEntry;
import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.mcp.fixture.Gateway;
import dev.postern.mcp.fixture.ModernClient;
import dev.postern.mcp.fixture.ScriptedServer;
import dev.postern.mcp.server.McpSettings;
import dev.postern.testkit.Await;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code execute_tools}: each step is the call it would be alone. */
class StepsTest {
    private static final String VALUE = "step-Tr0ub4dor&3-7wX";
    private static final String TOOLS =
            "\"result\":{\"tools\":[{\"name\":\"say\",\"inputSchema\":{\"type\":\"object\"}},{\"name\":\"take\",\"inputSchema\":{\"type\":\"object\"}}]}";

    private final ScriptedServer server =
            ScriptedServer.legacy("{\"tools\":{}}").on("tools/list", TOOLS);
    private volatile String said = "{\"content\":[{\"type\":\"text\",\"text\":\"hello\"}]}";
    private Gateway gateway;
    private ModernClient agent;

    @BeforeEach
    void start() throws Exception {
        server.on(
                "tools/call",
                asked -> "\"result\":"
                        + (asked.params().contains("\"say\"")
                                ? said
                                : "{\"content\":[{\"type\":\"text\",\"text\":\"taken\"}]}"));
        gateway = Gateway.over(Map.of("s", server));
        gateway.addSecret("db", VALUE);
        agent = new ModernClient(gateway, "/mcp");
    }

    @AfterEach
    void stop() {
        agent.close();
        gateway.close();
    }

    @Test
    @DisplayName("Each step has an approval and a ledger entry of its own; so has the whole")
    void eachStepIsACall() throws Exception {
        JsonValue result = run("{\"steps\":[{\"tool\":\"s__say\",\"arguments\":{\"a\":\"{{vault:db}}\"}},"
                + "{\"tool\":\"vault_list\"},{\"tool\":\"s__take\",\"arguments\":{\"b\":1}}]}");
        assertThat(result.member("isError")).isNull();
        assertThat(texts(result)).contains("Step 1, s__say: done.", "hello", "Step 3, s__take: done.", "taken");
        assertThat(received(0)).contains("\"a\":\"" + VALUE + "\"");
        assertThat(entries()).containsExactly("s__say", "postern__vault_list", "s__take", "postern__execute_tools");
        assertThat(gateway.ledger().getFirst().approver()).isEqualTo("operator");
        assertThat(gateway.ledger().getLast().secretRefs()).isEmpty();
        assertThat(new String(gateway.ledger().getLast().arguments(), UTF_8)).contains("{{vault:db}}");
    }

    @Test
    @DisplayName("An earlier step's output is put in: whole, in part, as a value or within text")
    void outputs() throws Exception {
        said =
                "{\"content\":[{\"type\":\"text\",\"text\":\"one \\\"two\\\"\"}],\"structuredContent\":{\"n\":1.50,\"o\":{\"p\":[1,{\"q\":\"r\"}]},\"a/b\":\"s\"}}";
        run(
                "{\"steps\":[{\"tool\":\"s__say\",\"arguments\":{}},{\"tool\":\"s__take\",\"arguments\":{"
                        + "\"all\":\"{{step:1}}\",\"n\":\"{{step:1#/structuredContent/n}}\",\"o\":\"{{step:1#/structuredContent/o}}\","
                        + "\"in\":\"<{{step:1#/structuredContent/o/p/1/q}}|{{step:1#/structuredContent/n}}|{{step:1#/structuredContent/a~1b}}>\"}}]}");
        assertThat(received(1))
                .contains(
                        "\"all\":\"one \\\"two\\\"\"",
                        "\"n\":1.50",
                        "\"o\":{\"p\":[1,{\"q\":\"r\"}]}",
                        "\"in\":\"<r|1.50|s>\"");
    }

    @Test
    @DisplayName("R9: a reference inside an earlier step's output stays what it is: text")
    void aReferenceInAnOutputIsInert() throws Exception {
        said = text("{{vault:db}}");
        run(
                "{\"steps\":[{\"tool\":\"s__say\",\"arguments\":{}},{\"tool\":\"s__take\",\"arguments\":{\"x\":\"{{step:1}}\","
                        + "\"y\":\"a {{step:1}} b\",\"z\":\"{{step:1#/content}}\"}}]}");
        assertThat(received(1))
                .contains("\"x\":\"{{vault:db}}\"", "\"y\":\"a {{vault:db}} b\"")
                .doesNotContain(VALUE);
        assertThat(gateway.ledger())
                .allSatisfy(entry -> assertThat(entry.secretRefs()).isEmpty());
    }

    @ParameterizedTest
    @DisplayName("R9: neither can an output complete a reference, in any part")
    @ValueSource(
            strings = {
                "{{vault:{{step:1}}}}",
                "{{vault:d{{step:1}}",
                "{{{{step:1}}:db}}",
                "{{step:1}}vault:db}}",
                "{{vau{{step:1}}db}}"
            })
    void anOutputCannotCompleteAReference(String argument) throws Exception {
        for (String part : List.of("db", "b}}", "vault", "{{", "lt:", "{{vault:db}}")) {
            said = text(part);
            run("{\"steps\":[{\"tool\":\"s__say\",\"arguments\":{}},{\"tool\":\"s__take\",\"arguments\":{\"x\":"
                    + JsonStrings.quote(argument) + "}}]}");
        }
        assertThat(server.asked("tools/call")).noneMatch(asked -> asked.params().contains(VALUE));
        assertThat(gateway.ledger())
                .allSatisfy(entry -> assertThat(entry.secretRefs()).isEmpty());
    }

    @Test
    @DisplayName("P8: an output that looks like a reference is not mixed with one that a person approves")
    void noMixtureThatAPersonCannotTell() throws Exception {
        gateway.approving(false);
        said = text("{{vault:db}}");
        JsonValue result =
                run("{\"steps\":[{\"tool\":\"s__say\",\"arguments\":{}},{\"tool\":\"s__take\",\"arguments\":{"
                        + "\"x\":\"{{step:1}}\",\"y\":\"{{vault:db}}\"}}]}");
        assertThat(texts(result)).contains("Step 2, s__take: refused.");
        assertThat(gateway.ledger().get(1).disposition()).isEqualTo(Disposition.SECRET_UNRESOLVED);
        assertThat(gateway.approvals().pending()).isEmpty();
    }

    @Test
    @DisplayName(
            "P5, P8: a person sees the output where it goes, and the value stands where the agent's reference stood")
    void bothTogether() throws Exception {
        said = text("long output before, which moves everything");
        run(
                "{\"steps\":[{\"tool\":\"s__say\",\"arguments\":{}},{\"tool\":\"s__take\",\"arguments\":{\"a\":\"{{step:1}}\","
                        + "\"b\":\"{{step:1}}:{{vault:db}}:{{step:1}}\",\"c\":\"{{vault:db}}\"}}]}");
        String moved = "long output before, which moves everything";
        assertThat(received(1)).contains("\"b\":\"" + moved + ":" + VALUE + ":" + moved + "\",\"c\":\"" + VALUE + "\"");
        assertThat(new String(gateway.ledger().get(1).arguments(), UTF_8))
                .contains("\"a\":\"" + moved + "\"", moved + ":{{vault:db}}:" + moved);
    }

    @Test
    @DisplayName("The first failure ends it, unless the agent says otherwise")
    void failures() throws Exception {
        String steps = "\"steps\":[{\"tool\":\"s__say\",\"arguments\":{\"a\":\"{{vault:nothing}}\"}},"
                + "{\"tool\":\"s__take\",\"arguments\":{\"x\":\"{{step:1}}\"}},{\"tool\":\"s__take\",\"arguments\":{}},{\"tool\":\"none__such\"}]";
        JsonValue stopped = run("{" + steps + "}");
        assertThat(at(stopped, "isError").spelling()).isEqualTo("true");
        assertThat(outcomes(stopped)).containsExactly("refused", "skipped", "skipped", "skipped");
        assertThat(server.asked("tools/call")).isEmpty();
        JsonValue on = run("{" + steps + ",\"continue_on_error\":true}");
        assertThat(outcomes(on)).containsExactly("refused", "refused", "done", "failed");
        assertThat(on.member("isError")).isNull();
        JsonValue refusal = at(at(on, "_meta", "dev.postern/steps").elements().getFirst(), "refusal");
        assertThat(refusal.string("code")).isEqualTo("SECRET_UNRESOLVED");
    }

    @ParameterizedTest
    @DisplayName("What is no list of steps is refused")
    @ValueSource(
            strings = {
                "{}",
                "{\"steps\":[]}",
                "{\"steps\":{}}",
                "{\"steps\":[{\"tool\":\"execute_tools\",\"arguments\":{}}]}",
                "{\"steps\":[{\"tool\":\"s__say\",\"arguments\":[]}]}",
                "{\"steps\":[{\"name\":\"s__say\"}]}",
                "{\"steps\":[{\"tool\":\"s__say\"}],\"continue_on_error\":1}",
                "{\"steps\":[{\"tool\":\"s__say\"}],\"steps\":[{\"tool\":\"s__take\"}]}"
            })
    void wrongSteps(String arguments) throws Exception {
        assertThat(texts(run(arguments)).getFirst()).startsWith("INVALID_ARGS: ");
        assertThat(server.asked("tools/call")).isEmpty();
    }

    @Test
    @DisplayName("P10: the policy can deny the whole, and a step alone")
    void policy() throws Exception {
        String steps = "{\"steps\":[{\"tool\":\"s__take\"},{\"tool\":\"s__say\"}]}";
        gateway.policies().apply("{\"tools\":{\"s__say\":\"DENY\"}}".getBytes(UTF_8), "operator");
        assertThat(outcomes(run(steps))).containsExactly("done", "refused");
        gateway.policies().apply("{\"tools\":{\"postern__execute_tools\":\"DENY\"}}".getBytes(UTF_8), "operator");
        assertThat(texts(run(steps)).getFirst()).startsWith("POLICY_DENIED: ");
    }

    @Test
    @DisplayName("Progress of the steps is progress of the whole: it only grows")
    void progress() throws Exception {
        server.on("tools/call", asked -> {
            for (int i = 1; i <= 3; i++) {
                asked.notify(
                        "notifications/progress", "{\"progressToken\":\"p\",\"progress\":" + i * 10 + ",\"total\":30}");
            }
            return "\"result\":" + said;
        });
        String message = agent.message(
                "tools/call",
                "{" + agent.meta(",\"progressToken\":\"p\"")
                        + ",\"name\":\"execute_tools\",\"arguments\":{\"steps\":[{\"tool\":\"s__say\"},{\"tool\":\"s__take\"}]}}");
        List<Double> progress;
        try (Stream<String> lines = agent.stream(agent.request(message)).body()) {
            progress = lines.filter(line -> line.startsWith("data:") && line.contains("notifications/progress"))
                    .map(line -> JsonValue.parse(line.substring(5).strip().getBytes(UTF_8)))
                    .map(told ->
                            Double.parseDouble(at(told, "params", "progress").spelling()))
                    .toList();
        }
        assertThat(progress).hasSize(8).isSorted().doesNotHaveDuplicates();
        assertThat(progress.getLast()).isLessThan(2);
    }

    @Test
    @DisplayName("Cancelling ends the step that runs and those that are left")
    void cancellation() throws Exception {
        // Writes show that a client is gone.
        McpSettings noticing = new McpSettings(
                Gateway.UNHURRIED.maxBodyBytes(), Duration.ofMillis(50), Gateway.UNHURRIED.maxOpenPerAgent());
        stop();
        gateway = Gateway.over(Map.of("s", server), RelaySettings.DEFAULTS, noticing);
        agent = new ModernClient(gateway, "/mcp");
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        server.on("tools/call", asked -> {
            running.countDown();
            asked.untilCancelled();
            cancelled.countDown();
            return "\"result\":" + said;
        });
        CompletableFuture<HttpResponse<String>> call = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                call.complete(
                        agent.call(
                                "tools/call",
                                ",\"name\":\"execute_tools\",\"arguments\":{\"steps\":[{\"tool\":\"s__say\"},{\"tool\":\"s__take\"}],\"continue_on_error\":true}"));
            } catch (Exception e) {
                call.completeExceptionally(e);
            }
        });
        assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
        agent.close();
        assertThat(cancelled.await(60, TimeUnit.SECONDS)).isTrue();
        Await.until("both calls are recorded", () -> gateway.ledger().size() == 2);
        assertThat(server.asked("tools/call")).hasSize(1);
    }

    private static String text(String text) {
        return "{\"content\":[{\"type\":\"text\",\"text\":" + JsonStrings.quote(text) + "}]}";
    }

    private String received(int call) {
        return server.asked("tools/call").get(call).params();
    }

    private List<String> entries() {
        return gateway.ledger().stream()
                .map(LedgerEntry::tool)
                .map(Object::toString)
                .toList();
    }

    private JsonValue run(String arguments) throws Exception {
        String body = agent.call("tools/call", ",\"name\":\"execute_tools\",\"arguments\":" + arguments)
                .body();
        return at(JsonValue.parse(body.getBytes(UTF_8)), "result");
    }

    private static List<String> texts(JsonValue result) {
        return at(result, "content").elements().stream()
                .map(block -> String.valueOf(block.string("text")))
                .toList();
    }

    private static List<String> outcomes(JsonValue result) {
        return at(result, "_meta", "dev.postern/steps").elements().stream()
                .map(step -> String.valueOf(step.string("outcome")))
                .toList();
    }

    private static JsonValue at(JsonValue value, String... names) {
        return requireNonNull(value.path(names), () -> "no " + String.join("/", names) + " in " + value.spelling());
    }
}
