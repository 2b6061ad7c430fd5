package dev.postern.app.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.postern.gate.agent.Role;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Every page can be used by everybody, looks right at every width and in both schemes, is light, and keeps every value. */
@ExtendWith(InChromium.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(1200)
final class EveryPageTest {
    private static final String PLANTED = "Pl4nted-in-the-vault-7Qz";
    private static final int MAX_FIRST_PAGE_BYTES = 100_000;

    /** Buttons of one word that take more than a line. */
    private static final String BROKEN_BUTTONS = """
            [...document.querySelectorAll("main button")].filter((button) => button.offsetHeight > 0
                && !/\\s/.test(button.innerText.trim()) && button.offsetHeight > 52).map((button) => button.innerText)""";

    private RunningPortal portal;
    private PortalAgent agent;
    private CompletableFuture<String> waiting;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        portal = RunningPortal.start(data, PLANTED);
        agent = portal.agent();
        agent.echo("without a secret").join();
        agent.echo("{{vault:none}}").join();
        portal.applyPolicy("{\"tools\":{\"playground__http_get\":\"DENY\"}}");
        waiting = agent.echo("waits with {{vault:db}} " + "and says much ".repeat(60));
        portal.awaitWaiting(1);
    }

    @AfterAll
    void stop() {
        waiting.cancel(true);
        agent.close();
        portal.close();
    }

    @Test
    @DisplayName("axe finds nothing serious on any page, light or dark")
    void everyPageIsAccessible(Browser browser) throws Exception {
        String axe = Files.readString(InChromium.npm("axe-core").orElseThrow().resolve("axe.min.js"));
        List<String> findings = new ArrayList<>();
        try (Person ada = portal.admin(browser)) {
            List<String> pages = Crawl.pages(ada);
            assertThat(pages).contains("/approvals", "/vault", "/ledger", "/policy", "/agents", "/people", "/grants");
            for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
                Page page = ada.openAs("/", scheme, 1200, 900);
                for (String path : pages) {
                    page.navigate(portal.url() + path);
                    page.evaluate("source => { (0, eval)(source) }", axe);
                    findings(page, scheme + " " + path, findings);
                }
            }
        }
        try (Person nobody = portal.stranger(browser)) {
            Page page = nobody.open("/sign-in");
            page.evaluate("source => { (0, eval)(source) }", axe);
            findings(page, "/sign-in", findings);
        }
        assertThat(findings).isEmpty();
    }

    @SuppressWarnings("unchecked")
    private static void findings(Page page, String where, List<String> findings) {
        List<Map<String, Object>> violations = (List<Map<String, Object>>)
                page.evaluate("async () => (await axe.run()).violations.filter(v => ['serious', 'critical']"
                        + ".includes(v.impact)).map(v => ({id: v.id, nodes: v.nodes.map(n => n.html).join(' | ')}))");
        violations.forEach(
                violation -> findings.add(where + ": " + violation.get("id") + " " + violation.get("nodes")));
    }

    @Test
    @DisplayName("Every page fits the window, from a phone's width to a desktop's, and breaks no word of a button")
    void everyPageFitsItsWindow(Browser browser) {
        List<String> findings = new ArrayList<>();
        try (Person ada = portal.admin(browser)) {
            List<String> pages = Crawl.pages(ada);
            Page page = ada.openAs("/", ColorScheme.LIGHT, 360, 740);
            for (String path : pages) {
                page.navigate(portal.url() + path);
                for (int width : new int[] {360, 800, 1024, 1280}) {
                    page.setViewportSize(width, 740);
                    int needed = (Integer) page.evaluate("document.documentElement.scrollWidth");
                    if (needed > width) {
                        findings.add(path + " needs " + needed + " of " + width);
                    }
                    ((List<?>) page.evaluate(BROKEN_BUTTONS))
                            .forEach(button -> findings.add(path + " at " + width + " breaks " + button));
                }
            }
        }
        assertThat(findings).isEmpty();
    }

    @Test
    @DisplayName("V1, P8: no page holds a value, in any encoding, for any role")
    void noPageHoldsAValueForAnyRole(Browser browser) {
        try (Person admin = portal.admin(browser);
                Person approver = portal.person(browser, "approver-" + System.nanoTime(), "approver");
                Person member = portal.person(browser, "member-" + System.nanoTime(), "member")) {
            for (Person person : List.of(admin, approver, member)) {
                for (String path : Crawl.pages(person)) {
                    Person.Fetched fetched = person.fetch(path);
                    assertThat(Leaks.in(fetched.body(), PLANTED)).as(path).isEmpty();
                    assertThat(Leaks.in(fetched.headers().toString(), PLANTED))
                            .as(path)
                            .isEmpty();
                }
            }
            Map<Person, Role> roles = Map.of(admin, Role.ADMIN, approver, Role.APPROVER, member, Role.MEMBER);
            roles.forEach((person, role) -> {
                List<String> reached = Crawl.pages(person);
                for (dev.postern.web.portal.view.Page page : dev.postern.web.portal.view.Page.values()) {
                    boolean isHome = page.path().equals("/"); // leads whoever has no overview to what they have
                    assertThat(isHome || reached.contains(page.path()) == role.may(page.right()))
                            .as("%s %s", role, page.path())
                            .isTrue();
                    assertThat(isHome || person.fetch(page.path()).status() == (role.may(page.right()) ? 200 : 403))
                            .as("%s %s", role, page.path())
                            .isTrue();
                }
                assertThat(reached).contains("/account");
            });
            assertThat(Crawl.pages(admin))
                    .contains(
                            "/definitions", "/policy/revisions/1", "/vault/new", "/vault/import", "/vault/secrets/db");
            for (String path : List.of("/policy", "/agents", "/people", "/approvals", "/ledger")) {
                assertThat(member.fetch(path).status()).as(path).isEqualTo(403);
            }
        }
    }

    @Test
    void theFirstPageIsLight(Browser browser) {
        try (Person nobody = portal.stranger(browser);
                Person ada = portal.admin(browser)) {
            assertThat(weight(nobody, "/sign-in")).isLessThan(MAX_FIRST_PAGE_BYTES);
            assertThat(weight(ada, "/")).isLessThan(MAX_FIRST_PAGE_BYTES);
            assertThat(weight(ada, "/approvals")).isLessThan(MAX_FIRST_PAGE_BYTES);
        }
    }

    private static int weight(Person person, String path) {
        Person.Fetched page = person.fetch(path);
        int bytes = page.body().length();
        for (String link : page.links()) {
            if (link.startsWith("/assets/")) {
                bytes += person.fetch(link).body().length();
            }
        }
        return bytes;
    }

    @Test
    void aProblemLooksLikeTheProduct(Browser browser) {
        try (Person ada = portal.admin(browser)) {
            Person.Fetched missing = ada.fetch("/no-such-page");
            assertThat(missing.status()).isEqualTo(404);
            assertThat(missing.body()).contains("There is nothing here", "/assets/portal.", "Postern");
        }
    }
}
