package dev.postern.app.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A4: a page of another port of this machine, open in the browser of somebody who is signed in. To browsers it is the same
 * site, so that even {@code SameSite=Strict} cookies go along with what it sends.
 */
@ExtendWith(InChromium.class)
final class OtherPortTest {
    private static final String READS = """
            async (portal) => {
              const read = [];
              for (const path of ["/", "/vault", "/api/session", "/api/vault/secrets", "/api/approvals", "/openapi.json", "/live"]) {
                for (const mode of ["cors", "no-cors"]) {
                  try {
                    const answer = await fetch(portal + path, {credentials: "include", mode});
                    const text = await answer.text();
                    if (text) read.push(mode + " " + path);
                  } catch { /* as it should be */ }
                }
              }
              for (const tag of ["img", "script", "link", "iframe", "object"]) {
                const element = document.createElement(tag);
                element.rel = "stylesheet";
                await new Promise((done) => {
                  element.onload = () => { if (tag !== "iframe" && tag !== "object") read.push(tag); done(); };
                  element.onerror = done;
                  setTimeout(done, 2000);
                  element[tag === "link" ? "href" : tag === "object" ? "data" : "src"] = portal + "/vault";
                  document.body.append(element);
                });
              }
              const other = window.open(portal + "/vault");
              try { if (other && other.document.body.innerHTML) read.push("window"); } catch { /* as it should be */ }
              return read;
            }""";
    private static final String WRITES = """
            async ([portal, approval, token]) => {
              const taken = [];
              const bodies = [["POST", "/approvals/decide", "decision=once&id=" + approval + "&csrf=" + token],
                ["POST", "/kill", "scope=all"], ["POST", "/sign-out", ""], ["POST", "/vault/new", "name=evil&value=evil-value"],
                ["POST", "/people", "name=evil&role=admin"], ["POST", "/agents", "name=evil"], ["POST", "/account/passkeys/remove", "id=1"],
                ["POST", "/sign-in", "passphrase=x"], ["POST", "/api/session/passkey/options", "{}"],
                ["PUT", "/api/kill", "{}"], ["DELETE", "/api/session", ""], ["POST", "/api/approvals/" + approval + "/approve", "{}"],
                ["PUT", "/api/vault/secrets/evil", '{"value":"evil-value"}'], ["PUT", "/api/policy", "{}"]];
              for (const [method, path, body] of bodies) {
                for (const type of ["application/x-www-form-urlencoded", "text/plain", "application/json"]) {
                  for (const mode of ["cors", "no-cors"]) {
                    try {
                      const answer = await fetch(portal + path, {method, mode, credentials: "include", body: body || undefined,
                        headers: {"Content-Type": type}});
                      if (answer.ok) taken.push(method + " " + path);
                    } catch { /* as it should be */ }
                  }
                }
              }
              navigator.sendBeacon(portal + "/kill", new URLSearchParams({scope: "all"}));
              return taken;
            }""";

    @Test
    @DisplayName("It reads nothing, decides nothing, signs nobody out, and its form lands on a refusal")
    void aPageOfAnotherPortAchievesNothing(@TempDir Path data, Browser browser) throws Exception {
        HttpServer elsewhere = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        elsewhere.createContext("/", exchange -> {
            byte[] page = "<!doctype html><title>Another program</title><body>".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        elsewhere.start();
        try (RunningPortal portal = RunningPortal.start(data, "S3cr3t-of-this-port");
                Person ada = portal.admin(browser);
                PortalAgent agent = portal.agent()) {
            CompletableFuture<String> answer = agent.echo("kept {{vault:db}}");
            Page mine = ada.open("/approvals");
            assertThat(mine.locator("[data-approval]")).hasCount(1);
            String approval = mine.locator("[data-approval]").getAttribute("data-approval");
            List<String> before = portal.acts();
            Page page = ada.openUrlBeside(
                    "http://127.0.0.1:" + elsewhere.getAddress().getPort() + "/");
            assertThat((List<?>) page.evaluate(READS, portal.url())).isEmpty();
            assertThat((List<?>) page.evaluate(WRITES, List.of(portal.url(), approval, "guessed")))
                    .isEmpty();
            page.setContent(
                    "<form method=post action=\"" + portal.url() + "/kill\"><input name=scope value=all></form>");
            page.evaluate("document.forms[0].submit()");
            page.waitForURL(portal.url() + "/kill");
            assertThat(page.locator("body")).containsText("another site");

            assertThat(answer).isNotDone();
            assertThat(portal.acts()).isEqualTo(before);
            mine = ada.open("/approvals");
            assertThat(mine.locator("[data-approval]")).hasCount(1);
            assertThat(mine.locator("[data-killed]")).hasCount(0);
            mine.locator("[data-approval]")
                    .getByText("Deny", new com.microsoft.playwright.Locator.GetByTextOptions().setExact(true))
                    .click();
            answer.join();
        } finally {
            elsewhere.stop(0);
        }
    }
}
