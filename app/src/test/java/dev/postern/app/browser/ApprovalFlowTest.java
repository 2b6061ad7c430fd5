package dev.postern.app.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** P2, P4 to P8 at the prompt: what a person sees, and that what they say is what happens. */
@ExtendWith(InChromium.class)
final class ApprovalFlowTest {
    private static final String VALUE = "S3cr3t-of-the-queue";

    private RunningPortal portal;
    private PortalAgent agent;

    @BeforeEach
    void start(@TempDir Path data) throws Exception {
        portal = RunningPortal.start(data, VALUE);
        agent = portal.agent();
    }

    @AfterEach
    void stop() {
        agent.close();
        portal.close();
    }

    @Test
    @DisplayName("A request comes up by itself, and what was approved is told apart from what ran")
    void aRequestComesUpAndRunsOnceApproved(Browser browser) {
        try (Person ada = portal.admin(browser)) {
            Page page = ada.open("/approvals");
            assertThat(page.getByText("Nobody waits")).isVisible();
            CompletableFuture<String> answer = agent.echo("log in with {{vault:db}} now");
            Locator card = page.locator("[data-approval]");
            assertThat(card).hasCount(1);
            assertThat(card.getByRole(AriaRole.HEADING)).containsText("playground › echo");
            assertThat(card.locator(".gets")).hasText("db — https://x.example (kim) — password");
            assertThat(card.locator(".reference")).hasText("{{vault:db}}");
            assertThat(card.locator(".countdown")).containsText("left");
            assertThat(page).hasTitle("(1) Approvals · Postern");
            button(card, "Approve once").click();
            assertThat(page.locator(".notice.good")).containsText("approved, once");
            assertThat(PortalAgent.text(answer.join())).isEqualTo("log in with {{vault:db}} now");
            assertThat(page.locator("#decided")).containsText("executed");
            assertThat(page.getByText("Nobody waits")).isVisible();
            assertThat(page.content()).doesNotContain(VALUE);
        }
    }

    @Test
    @DisplayName("P7: a denial reaches the agent with its note")
    void aDenialCarriesItsNote(Browser browser) {
        try (Person ada = portal.admin(browser)) {
            CompletableFuture<String> answer = agent.echo("deny me {{vault:db}}");
            Page page = ada.open("/approvals");
            Locator card = page.locator("[data-approval]");
            card.getByLabel("Note with a denial").fill("use the test database");
            button(card, "Deny").click();
            assertThat(page.locator(".notice.warn")).containsText("is denied");
            assertThat(PortalAgent.text(answer.join())).startsWith("DENIED:").contains("use the test database");
        }
    }

    @Test
    @DisplayName("P4: approving for ten minutes makes a grant that is listed and can be revoked at once")
    void aGrantIsListedUsedAndRevoked(Browser browser) {
        try (Person ada = portal.admin(browser)) {
            CompletableFuture<String> first = agent.echo("grant {{vault:db}}");
            Page page = ada.open("/approvals");
            button(page.locator("[data-approval]"), "For 10 minutes").click();
            assertThat(page.locator(".notice.good")).containsText("10 minutes");
            first.join();
            assertThat(PortalAgent.text(agent.echo("unasked {{vault:db}}").join()))
                    .isEqualTo("unasked {{vault:db}}");
            page = ada.open("/grants");
            assertThat(page.locator("main tbody tr")).hasCount(1);
            assertThat(page.locator("main tbody")).containsText("playground › echo");
            page.getByRole(AriaRole.BUTTON, named("Revoke")).click();
            assertThat(page.getByText("No live grants")).isVisible();
            CompletableFuture<String> asked = agent.echo("asked again {{vault:db}}");
            page = ada.open("/approvals");
            button(page.locator("[data-approval]"), "Deny").click();
            assertThat(PortalAgent.text(asked.join())).startsWith("DENIED:");
        }
    }

    @Test
    void severalAreDecidedEachOnItsOwn(Browser browser) {
        try (Person ada = portal.admin(browser)) {
            CompletableFuture<String> one = agent.echo("batch 1 {{vault:db}}");
            CompletableFuture<String> two = agent.echo("batch 2 {{vault:db}}");
            CompletableFuture<String> three = agent.echo("batch 3 {{vault:db}}");
            Page page = ada.open("/approvals");
            assertThat(page.locator("[data-approval]")).hasCount(3);
            page.locator("[data-approval]", having("batch 1"))
                    .getByRole(AriaRole.CHECKBOX)
                    .check();
            page.locator("[data-approval]", having("batch 3"))
                    .getByRole(AriaRole.CHECKBOX)
                    .check();
            assertThat(page.locator("[data-selected]")).hasText("2 selected");
            page.getByRole(AriaRole.BUTTON, named("Approve selected once")).click();
            assertThat(page.locator(".notice.good")).hasCount(2);
            assertThat(PortalAgent.text(one.join())).contains("batch 1");
            assertThat(PortalAgent.text(three.join())).contains("batch 3");
            assertThat(page.locator("[data-approval]")).hasCount(1);
            button(page.locator("[data-approval]"), "Deny").click();
            assertThat(PortalAgent.text(two.join())).startsWith("DENIED:");
        }
    }

    @Test
    @DisplayName("P5: of two operators who decide at once one is first, and the other is told")
    void twoOperatorsRaceForOneApproval(Browser browser) {
        try (Person ada = portal.admin(browser);
                Person bob = portal.admin(browser)) {
            CompletableFuture<String> answer = agent.echo("race {{vault:db}}");
            portal.awaitWaiting(1);
            Page first = ada.open("/approvals");
            Page second = bob.openWithoutScripts("/approvals"); // so that it still shows what the other decided
            assertThat(second.locator("[data-approval]")).hasCount(1);
            button(first.locator("[data-approval]"), "Approve once").click();
            assertThat(first.locator(".notice.good")).isVisible();
            button(second.locator("[data-approval]"), "Deny").click();
            assertThat(second.locator(".notice.bad")).containsText("not yours to decide any more");
            assertThat(PortalAgent.text(answer.join())).isEqualTo("race {{vault:db}}");
        }
    }

    @Test
    void whatSomebodyElseDecidedStaysInPlaceAndSaysSo(Browser browser) {
        try (Person ada = portal.admin(browser);
                Person bob = portal.admin(browser)) {
            CompletableFuture<String> answer = agent.echo("elsewhere {{vault:db}}");
            Page watching = ada.open("/approvals");
            assertThat(watching.locator("[data-approval]")).hasCount(1);
            Page deciding = bob.open("/approvals");
            button(deciding.locator("[data-approval]"), "Deny").click();
            assertThat(watching.locator("[data-approval].gone")).containsText("Decided elsewhere");
            assertThat(watching.locator("[data-approval] button")).hasCount(0);
            answer.join();
        }
    }

    @Test
    @DisplayName("P8: nothing is cut, and what hides is made visible")
    void theWholeCallIsThere(Browser browser) {
        try (Person ada = portal.admin(browser)) {
            String tail = "the very end {{vault:db}}";
            CompletableFuture<String> answer =
                    agent.echo("start \u202Egnp.exe pаypal \u200B " + "filler ".repeat(200) + tail);
            Page page = ada.open("/approvals");
            Locator card = page.locator("[data-approval]");
            assertThat(card.locator(".notice.warn")).containsText("another order");
            assertThat(card.locator(".notice.warn")).containsText("looks like paypal");
            Locator folded = card.locator(".argument details");
            assertThat(folded.locator("summary")).containsText("1 reference");
            folded.locator("summary").click();
            assertThat(folded).containsText("the very end");
            assertThat(folded.locator(".invisible").first()).hasText("U+202E");
            button(card, "Deny").click();
            answer.join();
        }
    }

    @Test
    void keysMoveTheFocusAndDecideNothing(Browser browser) {
        try (Person ada = portal.admin(browser)) {
            CompletableFuture<String> answer = agent.echo("keys {{vault:db}}");
            Page page = ada.open("/approvals");
            assertThat(page.locator("[data-approval]")).hasCount(1);
            page.keyboard().press("j");
            assertThat(page.locator("[data-approval]")).isFocused();
            page.keyboard().press("x");
            assertThat(page.locator("[data-selected]")).hasText("1 selected");
            page.keyboard().press("d");
            assertThat(page.locator("[data-note]").first()).isFocused();
            page.locator("[data-approval]").focus();
            page.keyboard().press("?");
            assertThat(page.locator("#help")).isVisible();
            page.keyboard().press("Escape");
            assertThat(page.locator("#help")).isHidden();
            page.locator("[data-approval]").focus();
            page.keyboard().press("a");
            assertThat(page.locator("[data-approve]")).isFocused();
            assertThat(answer).isNotDone();
            assertThat(page.locator("[data-approve]")).isEnabled();
            page.keyboard().press("Enter");
            assertThat(page.locator(".notice.good")).isVisible();
            assertThat(PortalAgent.text(answer.join())).isEqualTo("keys {{vault:db}}");
        }
    }

    @Test
    @DisplayName("What just came up takes the focus and decides nothing before its buttons wake up")
    void whatJustCameUpCannotBePressed(Browser browser) {
        try (Person ada = portal.admin(browser)) {
            Page page = ada.openWithItsOwnClock("/approvals");
            assertThat(page.locator("[data-connection]")).hasText("Live");
            CompletableFuture<String> answer = agent.echo("too quick {{vault:db}}");
            Locator approve = page.locator("[data-approve]");
            assertThat(approve).isDisabled();
            page.keyboard().press("a");
            assertThat(approve).isFocused();
            page.keyboard().press("Enter");
            approve.click(new Locator.ClickOptions().setForce(true));
            approve.evaluate("button => button.form.requestSubmit(button)");
            assertThat(approve).isDisabled();
            page.clock().runFor(1_000);
            assertThat(approve).isEnabled();
            assertThat(approve).isFocused();
            assertThat(answer).isNotDone();
            page.keyboard().press("Enter");
            assertThat(page.locator(".notice.good")).isVisible();
            assertThat(PortalAgent.text(answer.join())).isEqualTo("too quick {{vault:db}}");
        }
    }

    @Test
    @DisplayName("Enter in a note sends nothing: least of all an approval")
    void enterInANoteDecidesNothing(Browser browser) {
        try (Person ada = portal.admin(browser)) {
            CompletableFuture<String> answer = agent.echo("noted {{vault:db}}");
            portal.awaitWaiting(1);
            for (Page page : List.of(ada.openWithoutScripts("/approvals"), ada.open("/approvals"))) {
                assertThat(page.locator("[data-approve]")).isEnabled();
                page.locator("[data-approval] input[name=note]").fill("not like this");
                page.keyboard().press("Enter");
                page.locator("[data-approval]").getByRole(AriaRole.CHECKBOX).check();
                page.locator("#note-batch").fill("not like this");
                page.keyboard().press("Enter");
                assertThat(page.locator("#note-batch")).hasValue("not like this");
            }
            Page page = ada.open("/approvals");
            assertThat(answer).isNotDone();
            button(page.locator("[data-approval]"), "Deny").click();
            assertThat(PortalAgent.text(answer.join())).startsWith("DENIED:");
        }
    }

    @Test
    void everythingWorksWithoutScripts(Browser browser) {
        try (Person ada = portal.admin(browser)) {
            CompletableFuture<String> answer = agent.echo("plain {{vault:db}}");
            Page page = ada.openWithoutScripts("/approvals");
            portal.awaitWaiting(1);
            page.reload();
            button(page.locator("[data-approval]"), "Approve once").click();
            assertThat(page.locator(".notice.good")).isVisible();
            assertThat(PortalAgent.text(answer.join())).isEqualTo("plain {{vault:db}}");
        }
    }

    private static Locator button(Locator within, String name) {
        return within.getByRole(
                AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true));
    }

    private static Page.GetByRoleOptions named(String name) {
        return new Page.GetByRoleOptions().setName(name);
    }

    private static Page.LocatorOptions having(String text) {
        return new Page.LocatorOptions().setHasText(text);
    }
}
