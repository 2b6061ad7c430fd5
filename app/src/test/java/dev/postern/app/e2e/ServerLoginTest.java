package dev.postern.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import dev.postern.testkit.server.ProtectedServer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The operator signs the gateway in at a server that wants OAuth; agents use it, and never see its tokens. */
@Timeout(600)
class ServerLoginTest {
    @TempDir
    private Path data = Path.of("");

    private final HttpClient browser =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS).build();

    private PosternProcess.Finished postern(String... arguments) throws Exception {
        return PosternProcess.run(data, arguments);
    }

    private HttpResponse<String> browse(String url) throws Exception {
        return browser.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
    }

    private static String call(RunningGateway gateway, String key) throws Exception {
        try (Agent agent = Agent.Era.LEGACY.connect(gateway, key, "/mcp")) {
            return Agent.text(agent.call("remote__t", "{}"));
        }
    }

    /** Signs in as a person would: runs the command, opens the address it prints, and waits for its end. */
    private void signIn() throws Exception {
        Process login = PosternProcess.builder("server", "login", "remote", "--json", "--data", data.toString())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader out = new BufferedReader(new InputStreamReader(login.getInputStream(), UTF_8))) {
            String line = out.readLine();
            String url = JsonValue.parse(line.getBytes(UTF_8)).string("url");
            assertThat(url).as(line).contains("code_challenge_method=S256", "resource=", "state=");
            HttpResponse<String> last = browse(String.valueOf(url));
            assertThat(last.statusCode()).as(last.body()).isEqualTo(200);
            assertThat(last.body()).contains("signed in").doesNotContain("token-");
            assertThat(last.headers().firstValue("Referrer-Policy")).hasValue("no-referrer");
            assertThat(out.readLine()).contains("\"scope\":\"read offline_access\"");
            assertThat(login.waitFor()).isZero();
            // The browser's back button.
            assertThat(browse(last.uri().toString()).statusCode()).isEqualTo(400);
        }
    }

    @Test
    void agentsUseALoginAndNeverSeeItsTokens() throws Exception {
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
        try (ProtectedServer server = new ProtectedServer()) {
            Files.write(
                    data.resolve("postern.json"),
                    JsonWriter.write(Map.of(
                            "mcpServers",
                            Map.of(
                                    "remote",
                                    Map.of(
                                            "type",
                                            "http",
                                            "url",
                                            server.endpoint().toString())))));
            String key;
            try (RunningGateway gateway = RunningGateway.start(data)) {
                key = gateway.key();
                assertThat(call(gateway, key)).contains("postern server login remote");
                signIn();
                assertThat(call(gateway, key)).isEqualTo("you came with Bearer [oauth:remote]");
                server.expireAll();
                assertThat(call(gateway, key)).isEqualTo("you came with Bearer [oauth:remote]");
                assertThat(postern("server", "list").out()).contains("signed in");
                assertThat(gateway.standardError()).doesNotContain("token-");
            }
            // A restart needs no new login.
            try (RunningGateway gateway = RunningGateway.start(data)) {
                assertThat(call(gateway, key)).isEqualTo("you came with Bearer [oauth:remote]");
                assertThat(server.presented())
                        .isNotEmpty()
                        .allMatch(header -> header.startsWith("Bearer access-token-"));
                try (Stream<Path> files = Files.list(data)) {
                    for (Path file : files.filter(Files::isRegularFile).toList()) {
                        assertThat(new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1))
                                .as(file.toString())
                                .doesNotContain("access-token-", "refresh-token-", "very-secret");
                    }
                }
                assertThat(postern("server", "logout", "remote").exitCode()).isZero();
                assertThat(server.good())
                        .as("the authorization server took the tokens back")
                        .isZero();
                assertThat(call(gateway, key)).contains("postern server login remote");
                assertThat(postern("server", "logout", "remote").exitCode()).isEqualTo(1);
            }
        }
    }

    @Test
    void whatNobodyAskedForIsRefused() throws Exception {
        RunningGateway.configure(data, Map.of());
        try (RunningGateway gateway = RunningGateway.start(data)) {
            HttpResponse<String> invented = browse(gateway.url() + "/oauth/callback/remote?state=invented&code=c");
            assertThat(invented.statusCode()).isEqualTo(400);
            assertThat(invented.body()).contains("begin again");
            PosternProcess.Finished unknown = postern("server", "login", "nowhere");
            assertThat(unknown.exitCode()).isEqualTo(1);
            assertThat(unknown.err()).contains("no server 'nowhere' with a url");
        }
    }
}
