package dev.postern.app.e2e;

import static dev.postern.app.Json.at;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A webhook with references in its settings, from a waiting call to a receiver that checks the signature as the docs say. */
final class WebhookTest {
    private static final String VALUE = "hooked-Tr0ub4dor&3-5tY";
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    @TempDir
    Path directory;

    private final BlockingQueue<Received> messages = new LinkedBlockingQueue<>();
    private final AtomicInteger refused = new AtomicInteger();
    private HttpServer receiver;

    private record Received(Map<String, String> headers, byte[] body) {
        JsonValue json() {
            return JsonValue.parse(body);
        }
    }

    @BeforeEach
    void listen() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/hook-path", exchange -> {
            Map<String, String> headers = new LinkedHashMap<>();
            exchange.getRequestHeaders()
                    .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
            messages.add(new Received(headers, exchange.getRequestBody().readAllBytes()));
            exchange.sendResponseHeaders(refused.getAndDecrement() > 0 ? 500 : 204, -1);
            exchange.close();
        });
        receiver.start();
    }

    @AfterEach
    void stop() {
        receiver.stop(0);
    }

    @Test
    @DisplayName(
            "P8: a team is told of a call that waits and what became of it, signed, without values or arguments; a lost message comes again")
    void aTeamIsTold() throws Exception {
        Path data = directory.resolve("data");
        configure(data);
        refused.set(1);
        try (RunningGateway gateway = RunningGateway.start(data);
                Agent agent = Agent.Era.MODERN.connect(gateway)) {
            gateway.addSecret("db", VALUE);
            gateway.addSecret("hook_secret", SECRET);
            gateway.addSecret("hook_path", "hook-path");
            CompletableFuture<JsonValue> call =
                    agent.callLater("playground__echo", "{\"text\":\"for-your-eyes {{vault:db}}\"}");
            JsonValue approval = gateway.awaitApproval();
            Received first = next(gateway);
            Received again = next(gateway);
            assertThat(again.headers.get("webhook-id")).isEqualTo(first.headers.get("webhook-id"));
            assertThat(again.body).isEqualTo(first.body);
            JsonValue told = again.json();
            assertThat(told.string("type")).isEqualTo("approval.requested");
            assertThat(at(told, "data").string("id")).isEqualTo(approval.string("id"));
            assertThat(at(told, "data").string("tool")).isEqualTo("echo");
            assertThat(at(told, "data", "secrets").elements().getFirst().string("name"))
                    .isEqualTo("db");
            gateway.ask("approve", Map.of("ids", java.util.List.of(String.valueOf(approval.string("id")))));
            call.get(60, TimeUnit.SECONDS);
            Received outcome = next(gateway);
            assertThat(outcome.json().string("type")).isEqualTo("approval.approved");
            assertThat(at(outcome.json(), "data").string("decided_by")).isEqualTo("operator");
            for (Received message : java.util.List.of(first, again, outcome)) {
                String text = new String(message.body, UTF_8);
                assertThat(text).doesNotContain("for-your-eyes", "arguments", VALUE, SECRET);
            }
            checkSignature(again);
            assertThat(gateway.standardError()).doesNotContain("hook-path", SECRET);
        }
    }

    private Received next(RunningGateway gateway) throws IOException, InterruptedException {
        Received message = messages.poll(60, TimeUnit.SECONDS);
        if (message == null) {
            throw new AssertionError("no message came; the log says: " + gateway.standardError());
        }
        return message;
    }

    private void configure(Path data) throws IOException {
        Files.createDirectories(data);
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
        Map<String, Object> webhook = new LinkedHashMap<>();
        webhook.put("url", "http://127.0.0.1:" + receiver.getAddress().getPort() + "/{{vault:hook_path}}");
        webhook.put("secret", "{{vault:hook_secret}}");
        webhook.put("outcomes", true);
        Files.write(data.resolve("postern.json"), JsonWriter.write(Map.of("webhook", webhook)));
    }

    /** By the very code in docs/webhook.md, run by Node. */
    private void checkSignature(Received message) throws Exception {
        Path docs = documentation();
        String page = Files.readString(docs);
        String snippet = page.substring(page.indexOf("```js\n") + 6, page.indexOf("```", page.indexOf("```js\n") + 6));
        Path module = directory.resolve("verify.mjs");
        Files.writeString(module, snippet + """

                        const [secret, headers, body] = JSON.parse(process.argv[2]);
                        const bytes = Buffer.from(body);
                        const later = Date.now() / 1000 + 301;
                        console.log([verify(secret, headers, bytes), verify(secret, headers, Buffer.from(body + " ")),
                          verify("whsec_AAAA", headers, bytes), verify(secret, headers, bytes, later),
                          verify(secret, { ...headers, "webhook-id": "msg_other" }, bytes)].join());
                        """);
        String input = "[" + JsonStrings.quote(SECRET) + "," + new String(JsonWriter.write(message.headers), UTF_8)
                + "," + JsonStrings.quote(new String(message.body, UTF_8)) + "]";
        Process node;
        try {
            node = new ProcessBuilder("node", module.toString(), input)
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "Node is not installed: the documentation's code is not run");
            return;
        }
        String said = new String(node.getInputStream().readAllBytes(), UTF_8).strip();
        assertThat(said).isEqualTo("true,false,false,false,false");
    }

    private static Path documentation() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.exists(at.resolve("docs/webhook.md"))) {
            at = java.util.Objects.requireNonNull(at.getParent(), "docs/webhook.md");
        }
        return at.resolve("docs/webhook.md");
    }
}
