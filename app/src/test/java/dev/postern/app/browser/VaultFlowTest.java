package dev.postern.app.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.FilePayload;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** V1, V3, V4, O1: values go in through the portal, and never come out of it. */
@ExtendWith(InChromium.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class VaultFlowTest {
    private RunningPortal portal;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        portal = RunningPortal.start(data);
        portal.addSecret("ruled", "value-under-rules");
    }

    @AfterAll
    void stop() {
        portal.close();
    }

    @Test
    @DisplayName("V1, V3: a secret is added and rotated; a description that is left out stays")
    void aSecretIsAddedAndRotated(Browser browser) throws Exception {
        try (Person ada = portal.admin(browser);
                PortalAgent agent = portal.agent()) {
            Page page = ada.open("/vault");
            page.getByRole(AriaRole.LINK, named("Add a secret")).click();
            page.getByLabel("Name", new Page.GetByLabelOptions().setExact(true)).fill("api_key");
            page.getByLabel("Value").fill("first-value-of-it");
            page.getByLabel("Description").fill("Opens the shop");
            page.getByLabel("Hosts").fill("api.shop.example");
            page.getByLabel("Tags").fill("shop, live");
            button(page, "Add to the vault");
            assertThat(page.locator(".notice.good")).containsText("api_key is in the vault");
            assertThat(page.locator(".facts").first()).containsText("hosts api.shop.example");
            page.getByLabel("New value").fill("second-value-of-it");
            button(page, "Give it the new value");
            assertThat(page.locator(".notice.good")).containsText("version 2");
            assertThat(page.locator(".facts").first()).containsText("Opens the shop");
            assertThat(page.content()).doesNotContain("first-value", "second-value");
            assertThat(PortalAgent.text(agent.call("vault_list", "{}").join())).contains("api_key");
        }
    }

    @Test
    @DisplayName(
            "P6, P9: rules, tags and description are changed without the value, and not over somebody else's change")
    void rulesAreChangedWithoutTheValue(Browser browser) {
        try (Person ada = portal.admin(browser)) {
            Page page = ada.open("/vault/secrets/ruled");
            Page stale = ada.openBeside("/vault/secrets/ruled");
            page.getByText("Website, user name, description").click();
            page.getByLabel("Description", new Page.GetByLabelOptions().setExact(true))
                    .fill("Opens the bank");
            page.getByLabel("Tags").fill("bank, live");
            page.getByLabel("Hosts").fill("bank.example");
            page.getByLabel("Website").fill("");
            button(page, "Change it");
            assertThat(page.locator(".notice.good")).containsText("version 2");
            assertThat(page.locator(".facts").first()).containsText("Opens the bank");
            assertThat(page.locator(".facts").first()).containsText("hosts bank.example");
            assertThat(page.locator(".facts").first()).containsText("none");
            assertThat(page.locator(".facts .tag").first()).hasText("bank");

            stale.getByText("Website, user name, description").click();
            stale.getByLabel("Hosts").fill("evil.example");
            button(stale, "Change it");
            assertThat(stale.locator(".notice.bad")).containsText("Somebody changed it meanwhile");
            assertThat(stale.locator(".facts").first()).containsText("hosts bank.example");
            page = ada.open("/vault/secrets/ruled");
            page.getByText("Website, user name, description").click();
            page.getByLabel("Hosts").fill("https://bank.example/login");
            button(page, "Change it");
            assertThat(page.locator(".notice.bad")).containsText("without scheme, port or path");
        }
    }

    @Test
    @DisplayName("V4: a short value is taken, with a warning")
    void aShortValueIsWarnedOf(Browser browser) {
        try (Person ada = portal.admin(browser)) {
            Page page = ada.open("/vault/new");
            page.getByLabel("Name", new Page.GetByLabelOptions().setExact(true)).fill("pin");
            page.getByLabel("Value").fill("0000");
            button(page, "Add to the vault");
            assertThat(page.locator(".notice.warn")).containsText("shorter than 8 characters");
        }
    }

    @Test
    void whatIsWrongIsSaidAndTheValueIsNotSentBack(Browser browser) {
        try (Person ada = portal.admin(browser)) {
            Page page = ada.openWithoutScripts("/vault/new");
            page.getByLabel("Name", new Page.GetByLabelOptions().setExact(true)).fill("captured.1");
            page.getByLabel("Value").fill("never-sent-back");
            button(page, "Add to the vault");
            assertThat(page.locator(".notice.bad")).containsText("type it again");
            assertThat(page.getByLabel("Name", new Page.GetByLabelOptions().setExact(true)))
                    .hasValue("captured.1");
            assertThat(page.content()).doesNotContain("never-sent-back");
        }
    }

    @Test
    void aFileIsPreviewedMaskedAndTakenOver(Browser browser) {
        try (Person ada = portal.admin(browser)) {
            Page page = ada.open("/vault/import");
            page.getByLabel("File")
                    .setInputFiles(new FilePayload(
                            ".env",
                            "text/plain",
                            "PORT=5432\nSTRIPE_SECRET=sk_planted_in_a_file\nSESSION_KEY='other planted'\n"
                                    .getBytes(UTF_8)));
            button(page, "See what it holds");
            assertThat(page.locator("main tbody tr")).hasCount(3);
            assertThat(page.locator("main tbody tr").first().getByRole(AriaRole.CHECKBOX))
                    .not()
                    .isChecked();
            assertThat(page.content()).doesNotContain("sk_planted", "other planted");
            page.getByLabel("Name for SESSION_KEY").fill("session-key-2");
            button(page, "Add the ticked ones to the vault");
            assertThat(page.locator(".notice.good")).containsText("2 secrets were added");
            assertThat(page.locator("main tbody")).containsText("stripe_secret");
            assertThat(page.locator("main tbody")).containsText("session-key-2");
            assertThat(page.locator("main tbody")).not().containsText("port");
            assertThat(page.content()).doesNotContain("sk_planted", "other planted");
        }
    }

    @Test
    @DisplayName("V1: a hostile export is text in the preview, and nothing that is shown of it holds a password")
    void aHostileFileIsText(Browser browser) {
        String script = "<img src=x onerror=window.hit=1><script>window.hit=1</script>";
        String file = "\ufeffname,url,username,password,note\r\n"
                + "\"" + script + "\",https://kim:pl4nted-in-csv@db.example/?t=pl4nted-in-csv,\"" + script
                + "\",pl4nted-in-csv,\"a\r\nnote\"\r\n"
                + "=cmd|' /C calc'!A0,javascript:window.hit=1,kim,\"=1+pl4nted-in-csv\r\n\",\r\n";
        try (Person ada = portal.admin(browser)) {
            Page page = ada.open("/vault/import");
            page.getByLabel("File").setInputFiles(new FilePayload("../../<b>x.csv", "text/csv", file.getBytes(UTF_8)));
            button(page, "See what it holds");
            assertThat(page.locator("main tbody tr")).hasCount(2);
            assertThat(page.locator("main tbody")).containsText("db.example");
            assertThat(page.locator("main tbody")).containsText("<script>window.hit=1</script>");
            assertThat(page.content()).doesNotContain("pl4nted");
            button(page, "Add the ticked ones to the vault");
            assertThat(page.locator(".notice.good")).containsText("2 secrets were added");
            assertThat(page.content()).doesNotContain("pl4nted");
            for (String path : Crawl.pages(ada)) {
                page = ada.open(path);
                assertThat(page.evaluate("window.hit === undefined")).as(path).isEqualTo(true);
                assertThat(page.content()).as(path).doesNotContain("pl4nted");
            }
            page = ada.open("/vault/import");
            page.getByLabel("File").setInputFiles(new FilePayload("large.csv", "text/csv", new byte[5 * 1024 * 1024]));
            button(page, "See what it holds");
            assertThat(page.locator("body")).containsText("larger than");
        }
    }

    @Test
    @DisplayName("O1, O2: a link is shown once, opens once, and shows nothing before")
    void aOneTimeLinkOpensOnce(Browser browser) {
        try (Person ada = portal.admin(browser);
                Person stranger = portal.stranger(browser)) {
            Page page = ada.open("/link");
            page.getByLabel("Value").fill("handed over once");
            assertThat(page.getByLabel("5 minutes")).isChecked();
            button(page, "Make the link");
            String url = page.locator("#url").textContent().strip();
            assertThat(url).contains("/api/vault/otl/");
            Page opened = stranger.openUrl(url);
            assertThat(opened.content()).doesNotContain("handed over once");
            opened.getByRole(AriaRole.BUTTON).first().click();
            assertThat(opened.locator("body")).containsText("handed over once");
            opened = stranger.openUrl(url);
            opened.getByRole(AriaRole.BUTTON).first().click();
            assertThat(opened.locator("body")).not().containsText("handed over once");
            page = ada.open("/link");
            assertThat(page.content()).doesNotContain("handed over once", url);
        }
    }

    private static void button(Page page, String name) {
        page.getByRole(AriaRole.BUTTON, named(name)).click();
    }

    private static Page.GetByRoleOptions named(String name) {
        return new Page.GetByRoleOptions().setName(name).setExact(true);
    }
}
