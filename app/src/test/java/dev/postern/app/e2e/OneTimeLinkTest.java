package dev.postern.app.e2e;

import static dev.postern.app.Json.at;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** O1 to O3, from an agent's call to the value in whoever's hands. */
final class OneTimeLinkTest {
    private static final String VALUE = "link-Tr0ub4dor&3-x9Zq";

    @TempDir
    Path directory;

    private final HttpClient browser = HttpClient.newHttpClient();

    @Test
    @DisplayName("O1 to O3: an agent gets a link by approval, it works once, and its token is kept nowhere")
    void fromCallToValue() throws Exception {
        Path data = directory.resolve("data");
        ByteArrayOutputStream seen = new ByteArrayOutputStream();
        Leaks value = new Leaks(VALUE);
        Leaks token;
        try (RunningGateway gateway = RunningGateway.start(data);
                Agent agent = Agent.Era.MODERN.connect(gateway)) {
            gateway.addSecret("db", VALUE);
            CompletableFuture<JsonValue> call =
                    agent.callLater("vault_presign", "{\"name\":\"db\",\"ttl_seconds\":600}");
            JsonValue approval = gateway.approveNext();
            seen.writeBytes(approval.bytes());
            assertThat(approval.string("tool")).isEqualTo("vault_presign");
            assertThat(at(approval, "secrets").elements().getFirst().string("name"))
                    .isEqualTo("db");
            JsonValue result = call.get(60, TimeUnit.SECONDS);
            String url = at(result, "structuredContent", "url").string();
            assertThat(url).matches(gateway.url() + "/api/vault/otl/[A-Za-z0-9_-]{43}");
            assertThat(Agent.text(result)).contains(url);
            token = new Leaks(url.substring(url.lastIndexOf('/') + 1));

            assertThat(send("GET", url).statusCode()).isEqualTo(405);
            assertThat(send("GET", url, "Accept", "text/html").body()).contains("<form");
            HttpResponse<String> redeemed = send("POST", url, "Origin", "null", "Sec-Fetch-Site", "same-origin");
            assertThat(redeemed.statusCode()).isEqualTo(200);
            assertThat(redeemed.body()).isEqualTo(VALUE);
            assertThat(send("POST", url).statusCode()).isEqualTo(404);
            assertThat(send("POST", url, "Origin", "https://evil.example").statusCode())
                    .isEqualTo(403);

            // S9: whoever redeemed it, an agent that shows the value to itself sees the reference.
            JsonValue echoed = agent.call("playground__echo", "{\"text\":\"got " + VALUE + "\"}");
            assertThat(Agent.text(echoed)).isEqualTo("got {{vault:db}}");

            value.assertAbsent("what the agent received", agent.received());
            value.assertAbsent("the approvals", seen.toByteArray());
            gateway.stop();
            token.assertAbsent("the approvals", seen.toByteArray());
            token.assertAbsent("standard error", gateway.standardError().getBytes(UTF_8));
            value.assertAbsent("standard error", gateway.standardError().getBytes(UTF_8));
        }
        token.assertAbsentUnder(data);
        value.assertAbsentUnder(data);
        PosternProcess.Finished export = PosternProcess.run(data, "ledger", "export");
        assertThat(export.out()).contains("\"tool\":\"vault_presign\"", "\"tool\":\"redeem\"");
        token.assertAbsent("the ledger", export.out().getBytes(UTF_8));
    }

    @Test
    @DisplayName("P2, P1: an agent's request over HTTP asks as well; what cannot be is refused before anyone is asked")
    void overHttp() throws Exception {
        try (RunningGateway gateway = RunningGateway.start(directory.resolve("data"));
                Agent agent = Agent.Era.MODERN.connect(gateway)) {
            gateway.addSecret("db", VALUE);
            gateway.control()
                    .ask(
                            "secret.add",
                            Map.of("name", "bound", "hosts", List.of("api.example.com")),
                            new dev.postern.secret.SecretValue(VALUE.getBytes(UTF_8)),
                            event -> {});
            assertThat(Agent.text(agent.call("vault_presign", "{\"name\":\"none\"}")))
                    .startsWith("SECRET_UNRESOLVED: ");
            assertThat(Agent.text(agent.call("vault_presign", "{\"name\":\"bound\"}")))
                    .startsWith("SECRET_FORBIDDEN: ");
            for (String wrong : List.of(
                    "{\"name\":\"{{vault:db}}\"}",
                    "{}",
                    "{\"name\":\"db\",\"ttl_seconds\":601}",
                    "{\"name\":\"db\",\"x\":1}")) {
                assertThat(Agent.text(agent.call("vault_presign", wrong))).startsWith("INVALID_ARGS: ");
            }
            String steps = agent.call(
                            "execute_tools",
                            "{\"steps\":[{\"tool\":\"playground__echo\",\"arguments\":{\"text\":\"db\"}},"
                                    + "{\"tool\":\"vault_presign\",\"arguments\":{\"name\":\"{{step:1}}\"}}]}")
                    .spelling();
            assertThat(steps).contains("Step 2, vault_presign: refused.", "INVALID_ARGS: ");
            CompletableFuture<HttpResponse<String>> asked = browser.sendAsync(
                    HttpRequest.newBuilder(URI.create(gateway.url() + "/api/vault/presign"))
                            .header("Authorization", "Bearer " + gateway.key())
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString("{\"name\":\"db\"}"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            gateway.approveNext();
            String url = String.valueOf(
                    JsonValue.parse(asked.get(60, TimeUnit.SECONDS).body().getBytes(UTF_8))
                            .string("url"));
            assertThat(send("POST", url).body()).isEqualTo(VALUE);
            PosternProcess.Finished own = PosternProcess.run(gateway.data(), "link", "db", "--ttl", "600");
            assertThat(own.exitCode()).as(own.err()).isZero();
            assertThat(send("POST", own.out().strip()).body()).isEqualTo(VALUE);
            assertThat(PosternProcess.run(gateway.data(), "link", "none").exitCode())
                    .isEqualTo(3);
            assertThat(PosternProcess.run(gateway.data(), "link", "db", "--ttl", "601")
                            .exitCode())
                    .isEqualTo(2);
        }
    }

    private HttpResponse<String> send(String method, String url, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url)).method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return browser.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
