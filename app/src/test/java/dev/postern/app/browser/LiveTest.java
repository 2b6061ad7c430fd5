package dev.postern.app.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions.ContainsTextOptions;
import com.microsoft.playwright.options.AriaRole;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What an open page does while the world changes: time, connection, session, kill switch. */
@ExtendWith(InChromium.class)
final class LiveTest {
    @Test
    @DisplayName("P7: a request that nobody decides expires before the person's eyes, and denies the call")
    void aRequestExpires(@TempDir Path data, Browser browser) throws Exception {
        try (RunningPortal portal = RunningPortal.start(data, Duration.ofSeconds(12), "S3cr3t-that-waits");
                Person ada = portal.admin(browser);
                PortalAgent agent = portal.agent()) {
            Page page = ada.open("/approvals");
            CompletableFuture<String> answer = agent.echo("too late {{vault:db}}");
            assertThat(page.locator("[data-approval].urgent")).isVisible();
            assertThat(page.locator("[data-approval].gone")).isVisible();
            assertThat(page.locator("[data-approval] button")).hasCount(0);
            assertThat(PortalAgent.text(answer.join())).startsWith("APPROVAL_EXPIRED:");
            page = ada.open("/approvals");
            assertThat(page.locator("#decided")).containsText("nobody decided");
        }
    }

    @Test
    void aLostConnectionSaysSoAndComesBack(@TempDir Path data, Browser browser) throws Exception {
        RunningPortal portal = RunningPortal.start(data, "S3cr3t-that-waits");
        try (Person ada = portal.admin(browser)) {
            Page page = ada.open("/approvals");
            assertThat(page.locator("[data-connection]")).hasText("Live");
            portal.close();
            assertThat(page.locator("[data-connection]")).containsText("Connection lost");
            portal.startAgain();
            assertThat(page.locator("[data-connection]")).containsText("Live again", patient());
            try (PortalAgent agent = portal.agent()) {
                CompletableFuture<String> answer = agent.echo("after the break {{vault:db}}");
                assertThat(page.locator("[data-approval]")).hasCount(1);
                page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Approve once"))
                        .click();
                assertThat(PortalAgent.text(answer.join())).contains("after the break");
            }
        } finally {
            portal.close();
        }
    }

    @Test
    @DisplayName("A4: after sign-out the back button shows nothing of what was there")
    void theBackButtonAfterSignOutShowsNothing(@TempDir Path data, Browser browser) throws Exception {
        try (RunningPortal portal = RunningPortal.start(data, "S3cr3t-that-waits");
                Person ada = portal.admin(browser)) {
            Page page = ada.open("/vault");
            assertThat(page.locator("main tbody")).containsText("db");
            page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Sign out"))
                    .click();
            page.waitForURL(Pattern.compile(".*/sign-in.*"));
            page.goBack();
            page.waitForURL(Pattern.compile(".*/sign-in.*"));
            assertThat(page.locator("body")).not().containsText("May go to");
        }
    }

    @Test
    void aPageSaysThatItsSessionEnded(@TempDir Path data, Browser browser) throws Exception {
        try (RunningPortal portal = RunningPortal.start(data, "S3cr3t-that-waits");
                Person ada = portal.admin(browser)) {
            Page watching = ada.open("/approvals");
            assertThat(watching.locator("[data-connection]")).hasText("Live");
            Page other = ada.openBeside("/vault");
            other.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Sign out"))
                    .click();
            assertThat(watching.locator("[data-connection]")).containsText("You are signed out", patient());
        }
    }

    @Test
    @DisplayName("A browser that may is told of a call while nobody looks at the page, without a secret in the message")
    void aCallIsNotified(@TempDir Path data, Browser browser) throws Exception {
        try (RunningPortal portal = RunningPortal.start(data, "S3cr3t-that-waits");
                Person ada = portal.admin(browser);
                PortalAgent agent = portal.agent()) {
            Page page = ada.openWithNotifications("/approvals");
            assertThat(page.locator("[data-connection]")).hasText("Live");
            assertThat(page.locator("[data-notify]")).isHidden();
            CompletableFuture<String> answer = agent.echo("look here {{vault:db}}");
            assertThat(page.locator("[data-approval]")).hasCount(1);
            assertThat(page.evaluate("window.notified"))
                    .asString()
                    .contains("A call waits for you", "agent asks for playground › echo")
                    .doesNotContain("S3cr3t", "look here");
            page.getByRole(
                            AriaRole.BUTTON,
                            new Page.GetByRoleOptions().setName("Deny").setExact(true))
                    .click();
            answer.join();
        }
    }

    @Test
    @DisplayName("A3: the kill switch is on every page, stops every call, and open pages say so")
    void theKillSwitchStopsEveryCall(@TempDir Path data, Browser browser) throws Exception {
        try (RunningPortal portal = RunningPortal.start(data, "S3cr3t-that-waits");
                Person ada = portal.admin(browser);
                PortalAgent agent = portal.agent()) {
            Page watching = ada.open("/approvals");
            assertThat(watching.locator("[data-connection]")).hasText("Live");
            Page page = ada.openBeside("/vault");
            page.getByText("Stop all calls").click();
            page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Stop every call now"))
                    .click();
            assertThat(page.locator("[data-killed]")).isVisible();
            assertThat(watching.locator("[data-kill-changed]")).containsText("Every call was stopped");
            assertThat(PortalAgent.text(agent.echo("anything").join())).startsWith("KILL_SWITCH:");
            ada.confirm(page);
            page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Let them run again"))
                    .click();
            assertThat(page.locator(".notice.good")).containsText("Running again");
            assertThat(PortalAgent.text(agent.echo("anything").join())).isEqualTo("anything");
        }
    }

    private static ContainsTextOptions patient() {
        return new ContainsTextOptions().setTimeout(InChromium.PATIENCE_MILLIS);
    }
}
