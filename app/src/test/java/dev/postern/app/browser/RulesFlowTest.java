package dev.postern.app.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What an administrator does between requests: policy, agents, people, servers, the ledger. */
@ExtendWith(InChromium.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RulesFlowTest {
    private RunningPortal portal;
    private PortalAgent agent;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        portal = RunningPortal.start(data, "S3cr3t-of-the-rules");
        // Before anybody has a passphrase, which the command line would ask for then.
        portal.addSecret("granted", "value-of-a-grant");
        agent = portal.agent();
    }

    @AfterAll
    void stop() {
        agent.close();
        portal.close();
    }

    @Test
    @DisplayName(
            "P10, P11: a policy is checked, shown as a difference, applied and in force; an invalid one changes nothing")
    void aPolicyIsCheckedAndApplied(Browser browser) {
        try (Person ada = portal.admin(browser)) {
            Page page = ada.open("/policy");
            String before = page.locator("#document").inputValue();
            page.locator("#document").fill("{\"servers\": 1}");
            press(page, "Check and show the difference");
            assertThat(page.locator("#checked")).containsText("/servers");
            page.locator("#document")
                    .fill(before.replace("\"tools\": {}", "\"tools\": {\"playground__sha256\": \"DENY\"}"));
            press(page, "Check and show the difference");
            assertThat(page.locator(".diff .added")).containsText("playground__sha256");
            press(page, "Apply it");
            assertThat(page.locator(".notice.good")).containsText("is in force");
            assertThat(PortalAgent.text(
                            agent.call("playground__sha256", "{\"text\":\"x\"}").join()))
                    .startsWith("POLICY_DENIED:");
        }
    }

    @Test
    @DisplayName("The policy's history says who applied what, and puts a revision back by the same way as any change")
    void aRevisionIsLookedAtAndPutBack(Browser browser) {
        try (Person ada = portal.admin(browser)) {
            apply(ada, "{\"tools\": {\"playground__http_get\": \"DENY\"}}");
            apply(ada, "{\"tools\": {\"playground__http_get\": \"ASK\"}}");
            Page page = ada.open("/policy");
            assertThat(page.locator("main tbody tr").first()).containsText("operator");
            page.locator("main tbody tr a").nth(1).click();
            assertThat(page.locator(".diff .added").first()).containsText("DENY");
            press(page, "Put it back");
            assertThat(page.locator("#checked .added")).containsText("DENY");
            press(page, "Apply it");
            assertThat(page.locator(".notice.good")).containsText("is in force");
            assertThat(page.locator("#document")).hasValue(Pattern.compile("DENY"));
            apply(ada, "{}");
        }
    }

    private static void apply(Person person, String policy) {
        Page page = person.open("/policy");
        page.locator("#document").fill(policy);
        press(page, "Check and show the difference");
        press(page, "Apply it");
        assertThat(page.locator(".notice.good")).containsText("is in force");
    }

    @Test
    @DisplayName("A1: an agent's key is shown once; revoked, it opens nothing")
    void anAgentGetsItsKeyOnce(Browser browser) throws Exception {
        try (Person ada = portal.admin(browser)) {
            Page page = ada.open("/agents");
            page.locator("#name").fill("second");
            press(page, "Add it and show its key");
            String key = page.locator("#key").textContent().strip();
            assertThat(page.locator("main")).containsText("claude mcp add");
            try (PortalAgent second = new PortalAgent(portal.url(), key)) {
                assertThat(PortalAgent.text(second.echo("hello").join())).isEqualTo("hello");
                page = ada.open("/agents");
                assertThat(page.content()).doesNotContain(key);
                assertThat(page.locator("main tr", new Page.LocatorOptions().setHasText("second")))
                        .containsText("ago");
                page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Revoke second"))
                        .click();
                assertThat(page.locator(".notice.warn")).containsText("revoked");
                assertThat(second.echo("hello").join()).doesNotContain("\"text\":\"hello\"");
            }
        }
    }

    @Test
    @DisplayName("L1, L2: a call is found in the ledger, with its stages; the chain is verified at a press")
    void aCallIsFoundInTheLedger(Browser browser) {
        agent.echo("a needle in the ledger").join();
        agent.echo("something else").join();
        try (Person ada = portal.admin(browser)) {
            Page page = ada.open("/ledger");
            page.getByLabel("Search").fill("needle");
            press(page, "Search");
            assertThat(page.locator("main tbody tr")).hasCount(1);
            page.locator("main tbody a").click();
            assertThat(page.locator(".timeline")).containsText("answered");
            assertThat(page.locator(".arguments").first()).containsText("a needle in the ledger");
            page = ada.open("/ledger");
            press(page, "Verify the chain");
            assertThat(page.locator(".notice.good")).containsText("The chain is whole");
            page = ada.open("/");
            assertThat(page.locator(".chart")).hasCount(4);
            assertThat(page.locator("main")).containsText("Latest calls");
        }
    }

    @Test
    @DisplayName("A2: what somebody does in the portal is recorded as theirs, in the transaction that does it")
    void everyActIsRecordedAsWhoseItIs(Browser browser) throws Exception {
        int before = portal.acts().size();
        try (Person eve = portal.person(browser, "eve", "admin")) {
            CompletableFuture<String> answer = agent.echo("recorded {{vault:granted}}");
            press(eve.open("/approvals"), "For 10 minutes");
            answer.join();
            eve.confirm(eve.open("/"));
            Page page = eve.open("/grants");
            page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Revoke"))
                    .first()
                    .click();
            assertThat(page.getByText("No live grants")).isVisible();
            page = eve.open("/agents");
            page.locator("#name").fill("recorded");
            press(page, "Add it and show its key");
            page = eve.open("/agents");
            page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Revoke recorded"))
                    .click();
            apply(eve, "{\"tools\": {\"playground__http_get\": \"DENY\"}}");
            apply(eve, "{}");
        }
        List<String> acts = portal.acts();
        assertThat(acts.subList(0, acts.size() - before))
                .contains("eve grant.revoke", "eve agent.add", "eve agent.revoke", "eve policy.apply")
                .doesNotContain("operator grant.revoke", "operator agent.revoke");
    }

    @Test
    void aServerIsAskedForItsTools(Browser browser) {
        try (Person ada = portal.admin(browser)) {
            Page page = ada.open("/servers");
            page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("playground"))
                    .click();
            assertThat(page.locator(".notice.good")).containsText("It answers");
            assertThat(page.locator("main")).containsText("playground__echo");
        }
    }

    private static void press(Page page, String button) {
        page.getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions().setName(button).setExact(true))
                .click();
    }
}
