package dev.postern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postern.json.JsonWriter;
import dev.postern.testkit.server.Certificates;
import dev.postern.testkit.server.NodeServers;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A gateway with TLS: MCP and the portal over HTTP/2, cookies for TLS alone. */
@Timeout(600)
class SecureGatewayTest {
    @TempDir
    private Path data = Path.of("");

    private Certificates configure() throws Exception {
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
        Certificates certificates = Certificates.in(data, "tls", "EC");
        Files.write(
                data.resolve("postern.json"),
                JsonWriter.write(Map.of("tls", Map.of("certificate", "tls.pem", "key", "tls.key"))));
        return certificates;
    }

    private static HttpRequest call(RunningGateway gateway, int id) {
        String tool = "playground__echo";
        return HttpRequest.newBuilder(URI.create(gateway.url() + "/mcp"))
                .header("Authorization", "Bearer " + gateway.key())
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .header("MCP-Protocol-Version", "2026-07-28")
                .header("Mcp-Method", "tools/call")
                .header("Mcp-Name", tool)
                .POST(BodyPublishers.ofString("{\"jsonrpc\":\"2.0\",\"id\":" + id
                        + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                        + "\",\"arguments\":{\"text\":\"n" + id
                        + "\"},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                        + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"test\",\"version\":\"1\"},"
                        + "\"io.modelcontextprotocol/clientCapabilities\":{}}}}"))
                .build();
    }

    @Test
    void agentsAndPeopleComeByHttpTwo() throws Exception {
        Certificates certificates = configure();
        try (RunningGateway gateway = RunningGateway.start(data);
                HttpClient http = HttpClient.newBuilder()
                        .sslContext(certificates.trusted())
                        .build()) {
            assertThat(gateway.url()).startsWith("https://127.0.0.1:");
            List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
            for (int id = 0; id < 200; id++) {
                calls.add(http.sendAsync(call(gateway, id), BodyHandlers.ofString()));
            }
            for (int id = 0; id < 200; id++) {
                HttpResponse<String> answer = calls.get(id).get();
                assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
                assertThat(answer.body()).contains("\"id\":" + id + ",", "n" + id);
            }
            HttpResponse<String> signIn = http.send(
                    HttpRequest.newBuilder(URI.create(gateway.signIn())).build(), BodyHandlers.ofString());
            assertThat(gateway.signIn()).startsWith("https://");
            assertThat(signIn.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(signIn.headers().firstValue("Strict-Transport-Security")).isPresent();
            HttpRequest enter = HttpRequest.newBuilder(URI.create(gateway.signIn()))
                    .header("Origin", gateway.url())
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(BodyPublishers.ofString(""))
                    .build();
            assertThat(http.send(enter, BodyHandlers.ofString()).headers().allValues("Set-Cookie"))
                    .anySatisfy(cookie -> assertThat(cookie)
                            .startsWith("__Host-postern=")
                            .contains("; HttpOnly", "; SameSite=Strict", "; Secure"));
        }
    }

    @Test
    void theTypeScriptClientComesByTls() throws Exception {
        Certificates certificates = configure();
        try (RunningGateway gateway = RunningGateway.start(data)) {
            Optional<List<String>> command =
                    NodeServers.tool("../list.mjs", gateway.url() + "/mcp", gateway.key(), "playground__echo");
            assumeTrue(command.isPresent());
            ProcessBuilder builder = new ProcessBuilder(command.get()).redirectErrorStream(true);
            builder.environment()
                    .put("NODE_EXTRA_CA_CERTS", certificates.certificate().toString());
            Process process = builder.start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(said).isZero();
            assertThat(said).contains("playground__echo", "said by TLS");
        }
    }

    @Test
    void aStartWithoutItsKeysSaysWhatIsMissing() throws Exception {
        configure();
        Files.delete(data.resolve("tls.key"));
        PosternProcess.Finished up = PosternProcess.run(data, "up", "--port", "0");
        assertThat(up.exitCode()).isEqualTo(1);
        assertThat(up.err()).contains("tls.key").doesNotContain("\tat ");
    }
}
