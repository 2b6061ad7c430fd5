package dev.postern.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.testkit.server.Chromium;
import dev.postern.testkit.server.NodeServers;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An agent signs in to a web site through a real browser with a password it never sees: not in the answer to the call that
 * fills it in, not in the field afterwards, not on a page that shows it (S1, S3, S9).
 */
class BrowserStoryTest {
    private static final String VALUE = "Tr0ub4dor&3 <b>\"q\" ✓";
    private static final String REFERENCE = "{{vault:site_password}}";

    @TempDir
    private Path data = Path.of("");

    @TempDir
    private Path scratch = Path.of("");

    @ParameterizedTest
    @EnumSource(Agent.Era.class)
    void anAgentSignsInWithAPasswordItNeverSees(Agent.Era era) throws Exception {
        Optional<Path> chromium = Chromium.find();
        assumeTrue(chromium.isPresent());
        Optional<List<String>> server = NodeServers.tool("@playwright/mcp/cli.js");
        assumeTrue(server.isPresent());
        List<String> command = new ArrayList<>(server.get());
        command.addAll(List.of("--headless", "--no-sandbox", "--isolated"));
        command.addAll(List.of("--executable-path", chromium.get().toString()));
        command.addAll(List.of("--output-dir", scratch.toString()));
        RunningGateway.configure(data, Map.of("browser", command));
        Leaks leaks = new Leaks(VALUE);
        ByteArrayOutputStream approvals = new ByteArrayOutputStream();
        try (LoginForm site = new LoginForm();
                RunningGateway gateway = RunningGateway.start(data);
                Agent agent = era.connect(gateway)) {
            gateway.addSecret("site_password", VALUE);
            agent.call("browser__browser_navigate", "{\"url\":" + JsonStrings.quote(site.url()) + "}");

            CompletableFuture<JsonValue> fill = agent.callLater("browser__browser_fill_form", """
                    {"fields":[{"target":"#name","name":"Name","type":"textbox","value":"kim"},\
                    {"target":"#password","name":"Password","type":"textbox","value":"{{vault:site_password}}"}]}""");
            approvals.writeBytes(gateway.approveNext().bytes());
            assertThat(fill.get(60, TimeUnit.SECONDS).member("isError")).isNull();

            assertThat(Agent.text(agent.call("browser__browser_evaluate", """
                    {"function":"() => document.getElementById('password').value"}"""))).contains(REFERENCE);

            agent.call("browser__browser_click", "{\"target\":\"#go\"}");
            assertThat(site.password()).isEqualTo(VALUE);
            assertThat(Agent.text(agent.call("browser__browser_snapshot", "{}")))
                    .contains("Welcome, kim")
                    .contains("Your password is " + REFERENCE);
            assertThat(Agent.text(agent.call("browser__browser_evaluate", """
                    {"function":"() => [document.getElementById('again').value, encodeURIComponent(\
                    document.getElementById('again').value), document.body.innerHTML]"}"""))).contains(REFERENCE);

            leaks.assertAbsent("what the agent received", agent.received());
            leaks.assertAbsent("the approvals", approvals.toByteArray());
            leaks.assertAbsent("standard error", gateway.standardError().getBytes(UTF_8));
            leaks.assertAbsentUnder(data);
        }
    }
}
