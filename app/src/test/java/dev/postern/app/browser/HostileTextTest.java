package dev.postern.app.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A4: what agents, servers and other people wrote is text on every page, and no other site can use a person's session. */
@ExtendWith(InChromium.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HostileTextTest {
    private static final String SCRIPT =
            "<img src=x onerror=\"window.hit=1\"><script>window.hit=1</script>'\"></title>";

    private RunningPortal portal;
    private CompletableFuture<String> waiting;
    private PortalAgent agent;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        portal = RunningPortal.start(data);
        portal.addSecret(
                "hostile",
                "S3cr3t-hostile",
                Map.of("username", SCRIPT, "website", "javascript:alert(1)" + SCRIPT, "description", SCRIPT));
        agent = portal.agent();
        agent.call("playground__echo", "{\"text\":\"" + escaped(SCRIPT) + "\"}").join();
        agent.call("nowhere__" + SCRIPT.replace("\"", ""), "{}").join();
        waiting = agent.call(
                "playground__echo",
                "{\"text\":\"{{vault:hostile}}\",\"" + escaped(SCRIPT) + "\":[\"" + escaped(SCRIPT) + "\"]}");
        portal.awaitWaiting(1);
    }

    @AfterAll
    void stop() {
        agent.close();
        portal.close();
        waiting.cancel(true);
    }

    @Test
    @DisplayName("Stored text of tools, arguments, secrets, agents and the ledger runs nowhere")
    void storedTextIsText(Browser browser) throws Exception {
        try (Person ada = portal.admin(browser)) {
            ada.confirm(ada.open("/agents"));
            Page page = ada.open("/agents");
            page.getByLabel("Name", new Page.GetByLabelOptions().setExact(true))
                    .fill("<b>agent</b>" + SCRIPT.substring(0, 30));
            page.getByText("Add it and show its key").click();
            for (String path : pages(ada)) {
                page = ada.open(path);
                assertThat(page.evaluate("window.hit === undefined")).as(path).isEqualTo(true);
                assertThat(page.locator("img[src=x], b:text-is('agent'), script:not([src])"))
                        .hasCount(0);
            }
            page = ada.open("/approvals");
            assertThat(page.locator("[data-approval]")).containsText("<script>window.hit=1</script>");
        }
    }

    @Test
    void everyPageForbidsInlineScriptsAndFrames(Browser browser) {
        try (Person ada = portal.admin(browser)) {
            for (String path : pages(ada)) {
                Map<String, String> headers = ada.headers(path);
                assertThat(headers.get("content-security-policy"))
                        .as(path)
                        .contains(
                                "default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'")
                        .doesNotContain("unsafe");
                assertThat(headers.get("x-frame-options")).as(path).isEqualTo("DENY");
            }
        }
    }

    @Test
    @DisplayName("Clickjacking: no page shows in a frame of another site, nor of ours")
    void noPageShowsInAFrame(Browser browser) {
        try (Person ada = portal.admin(browser)) {
            Page page = ada.open("/approvals");
            assertThat(page.locator("[data-approval]")).hasCount(1);
            for (String origin : List.of(portal.url(), "http://attacker.example")) {
                Page attacker = ada.attacker(origin, "<iframe src=\"" + portal.url() + "/approvals\"></iframe>");
                attacker.waitForLoadState();
                assertThat(attacker.frames().get(1).locator("[data-approval]")).hasCount(0);
            }
        }
    }

    @Test
    @DisplayName("CSRF: a form of another site decides nothing")
    void aFormOfAnotherSiteDecidesNothing(Browser browser) {
        try (Person ada = portal.admin(browser)) {
            Page page = ada.open("/approvals");
            String id = String.valueOf(page.locator("[data-approval]").getAttribute("data-approval"));
            String form = "<form method=post action=\"" + portal.url() + "/approvals/decide\"><input name=id value=\""
                    + id + "\"><input name=decision value=once></form>";
            Page attacker = ada.attacker("http://attacker.example", form);
            attacker.evaluate("document.forms[0].submit()");
            attacker.waitForURL(portal.url() + "/**");
            assertThat(attacker.locator("body")).not().containsText("approved");
            // The same from our own origin, without the token.
            int status = (Integer) page.evaluate(
                    "id => fetch('/approvals/decide', {method: 'POST', headers: {'Content-Type': "
                            + "'application/x-www-form-urlencoded'}, body: 'decision=once&id=' + id}).then(r => r.status)",
                    id);
            assertThat(status).isEqualTo(403);
            assertThat(waiting).isNotDone();
            assertThat(ada.open("/approvals").locator("[data-approval]")).hasCount(1);
        }
    }

    private static List<String> pages(Person person) {
        return Crawl.pages(person);
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }
}
