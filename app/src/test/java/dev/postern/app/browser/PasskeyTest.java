package dev.postern.app.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.RequestOptions;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A1, A4 with passkeys: who signs in with one, what it confirms, and what an attacker gets. */
@ExtendWith(InChromium.class)
final class PasskeyTest {
    private static final String OPTIONS = "/api/session/passkey/options";
    private static final String SIGN_IN = "/api/session/passkey";
    private static final String CONFIRM_OPTIONS = "/api/session/confirm/passkey/options";
    private static final String CONFIRM = "/api/session/confirm/passkey";

    private RunningPortal portal;

    @BeforeEach
    void start(@TempDir Path data) throws Exception {
        portal = RunningPortal.start(data).byName();
    }

    @AfterEach
    void stop() {
        portal.close();
    }

    private static Authenticator addPasskey(Person person, String name) {
        Page page = person.open("/account");
        Authenticator device = new Authenticator(page);
        addPasskey(page, name);
        return device;
    }

    private static void addPasskey(Page page, String name) {
        page.getByLabel("Name of the passkey").fill(name);
        press(page, "Add a passkey");
        assertThat(page.locator("main tbody")).containsText(name);
    }

    private static void press(Page page, String button) {
        page.getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions().setName(button).setExact(true))
                .click();
    }

    private static void signOut(Page page) {
        press(page, "Sign out");
        page.waitForURL(Pattern.compile(".*/sign-in.*"));
    }

    /** A request that no page of ours made, with the cookies of whoever it is. */
    private APIResponse post(Page page, String path, String body) {
        return page.context()
                .request()
                .post(
                        portal.url() + path,
                        RequestOptions.create()
                                .setHeader("Content-Type", "application/json")
                                .setHeader("X-CSRF-Token", token(page))
                                .setData(body));
    }

    private String token(Page page) {
        String session =
                page.context().request().get(portal.url() + "/api/session").text();
        return session.contains("csrf_token") ? session.replaceAll(".*\"csrf_token\":\"([^\"]*)\".*", "$1") : "";
    }

    private static void assertRefused(APIResponse answer) {
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.text()).contains("PASSKEY_REFUSED");
    }

    @Test
    void aPasskeySignsInAndConfirms(Browser browser) {
        try (Person ada = portal.admin(browser)) {
            addPasskey(ada, "Laptop");
            Page page = ada.open("/account");
            signOut(page);
            press(page, "Sign in with a passkey");
            page.waitForURL(portal.url() + "/");
            assertThat(page.locator(".who")).containsText("operator");
            assertThat(post(page, "/api/vault/rotate-key", "").status()).isEqualTo(200); // confirmed by the sign-in

            page = ada.open("/account");
            assertThat(page.locator("main tbody tr")).hasCount(1);
            assertThat(page.locator("main tbody")).not().containsText("never");
        }
    }

    @Test
    @DisplayName("Who has a passkey and no passphrase is asked for it before sensitive acts")
    void aPasskeyAloneConfirms(Browser browser) {
        String link = portal.takeSignInLink();
        try (Person ada = portal.stranger(browser)) {
            ada.followWithoutPassphrase(Objects.requireNonNull(link));
            addPasskey(ada, "Key");
            Page page = ada.open("/account");
            assertThat(page.getByText("Set a passphrase")).isVisible();
            assertThat(page.getByLabel("Name of the passkey"))
                    .isVisible(); // the passkey that was just made confirmed it

            ada.followWithoutPassphrase(portal.anotherSignInLink());
            page = ada.open("/account");
            assertThat(post(page, "/api/vault/rotate-key", "").text()).contains("CONFIRMATION_REQUIRED");
            String chosen = "{\"passphrase\":\"" + RunningPortal.PASSPHRASE + "\"}";
            APIResponse set = page.context()
                    .request()
                    .put(
                            portal.url() + "/api/session/passphrase",
                            RequestOptions.create()
                                    .setHeader("Content-Type", "application/json")
                                    .setHeader("X-CSRF-Token", token(page))
                                    .setData(chosen));
            assertThat(set.text()).contains("CONFIRMATION_REQUIRED");
            page.getByLabel("Passkeys").getByText("Confirm that it is you").click();
            assertThat(page.getByLabel("Passphrase")).hasCount(0);
            press(page, "Use a passkey");
            page.waitForURL(portal.url() + "/account");
            assertThat(post(page, "/api/vault/rotate-key", "").status()).isEqualTo(200);
        }
    }

    @Test
    void aRemovedPasskeySignsNobodyIn(Browser browser) {
        try (Person ada = portal.admin(browser)) {
            Authenticator device = addPasskey(ada, "Lost phone");
            JsonObject lost = device.passkeys().get(0).getAsJsonObject();
            device.forget();
            Page page = ada.open("/account");
            addPasskey(page, "Kept");
            device.forget();
            device.take(lost);
            page.locator("main tbody tr")
                    .filter(new com.microsoft.playwright.Locator.FilterOptions().setHasText("Lost phone"))
                    .getByRole(AriaRole.BUTTON)
                    .click();
            assertThat(page.locator(".notice.good")).containsText("signs nobody in any more");
            assertThat(page.locator("main tbody")).not().containsText("Lost phone");
            signOut(page);
            press(page, "Sign in with a passkey");
            assertThat(page.locator("[data-passkey-failed]")).containsText("not accepted");
            assertThat(page.context()
                            .request()
                            .get(portal.url() + "/api/session")
                            .status())
                    .isEqualTo(401);
        }
    }

    @Test
    @DisplayName("A challenge is answered once: a recorded sign-in opens nothing")
    void aRecordedAnswerOpensNothing(Browser browser) {
        try (Person ada = portal.admin(browser);
                Person thief = portal.stranger(browser)) {
            addPasskey(ada, "Laptop");
            Page page = ada.open("/account");
            signOut(page);
            Request sent = page.waitForRequest(
                    request -> request.url().endsWith(SIGN_IN), () -> press(page, "Sign in with a passkey"));
            page.waitForURL(portal.url() + "/");
            Page elsewhere = thief.open("/sign-in");
            assertRefused(post(elsewhere, SIGN_IN, sent.postData()));
        }
    }

    @Test
    @DisplayName("A page of another port of this machine cannot use what it has the browser sign")
    void anotherOriginsSignatureOpensNothing(Browser browser) {
        try (Person ada = portal.admin(browser);
                Person phisher = portal.stranger(browser)) {
            Authenticator device = addPasskey(ada, "Laptop");
            String options = post(phisher.open("/sign-in"), OPTIONS, "{}").text();
            String lure = "http://localhost:9/lure";
            Page page = ada.open("/account");
            page.route(
                    lure,
                    (Route route) -> route.fulfill(new Route.FulfillOptions()
                            .setContentType("text/html")
                            .setBody("<!doctype html><title>Sign in</title>")));
            page.navigate(lure);
            String signed = device.sign(options);
            assertRefused(post(phisher.open("/sign-in"), SIGN_IN, signed));
        }
    }

    @Test
    @DisplayName("A signature without the owner's verification, or for another purpose, opens nothing")
    void whatWasNotVerifiedOrMeantOpensNothing(Browser browser) {
        try (Person ada = portal.admin(browser)) {
            Authenticator device = addPasskey(ada, "Laptop");
            Page page = ada.open("/account");
            assertRefused(
                    post(page, CONFIRM, device.sign(post(page, OPTIONS, "{}").text())));
            String mine = device.sign(post(page, CONFIRM_OPTIONS, "{}").text());
            assertThat(post(page, CONFIRM, mine).status()).isEqualTo(204);
            assertRefused(post(page, CONFIRM, mine));

            device.verifiesItsOwner(false);
            String unverified = device.sign(post(page, CONFIRM_OPTIONS, "{}").text(), "discouraged", true);
            assertRefused(post(page, CONFIRM, unverified));
            device.verifiesItsOwner(true);
            String garbled = device.sign(post(page, CONFIRM_OPTIONS, "{}").text())
                    .replaceFirst("\"signature\":\"..", "\"signature\":\"AA");
            assertRefused(post(page, CONFIRM, garbled));
        }
    }

    @Test
    void aCopyOfTheDeviceIsNoticedByItsCount(Browser browser) {
        try (Person ada = portal.admin(browser)) {
            Authenticator device = addPasskey(ada, "Laptop");
            Page page = ada.open("/account");
            JsonObject copy = device.passkeys().get(0).getAsJsonObject();
            for (int i = 0; i < 3; i++) {
                assertThat(post(
                                        page,
                                        CONFIRM,
                                        device.sign(post(page, CONFIRM_OPTIONS, "{}")
                                                .text()))
                                .status())
                        .isEqualTo(204);
            }
            device.forget();
            device.take(copy);
            assertRefused(post(
                    page, CONFIRM, device.sign(post(page, CONFIRM_OPTIONS, "{}").text())));
        }
    }

    @Test
    @DisplayName("Somebody else's passkey confirms nothing for me, and cannot be removed by me")
    void somebodyElsesPasskeyIsNotMine(Browser browser) {
        try (Person ada = portal.admin(browser);
                Person bob = portal.person(browser, "bob", "member")) {
            Authenticator device = addPasskey(ada, "Ada's");
            Authenticator his = addPasskey(bob, "Bob's");
            JsonObject stolen = his.passkeys().get(0).getAsJsonObject();

            Page page = ada.open("/account");
            device.forget();
            device.take(stolen);
            String options = post(page, CONFIRM_OPTIONS, "{}").text();
            assertThat(options).doesNotContain(stolen.get("credentialId").getAsString());
            assertRefused(post(page, CONFIRM, device.sign(options, "required", false)));

            String id = page.context()
                    .request()
                    .get(portal.url() + "/api/session/passkeys")
                    .text()
                    .replaceAll(".*\"id\":\"([^\"]*)\".*", "$1");
            Page bobs = bob.open("/account");
            APIResponse removal = bobs.context()
                    .request()
                    .delete(
                            portal.url() + "/api/session/passkeys/" + id,
                            RequestOptions.create().setHeader("X-CSRF-Token", token(bobs)));
            assertThat(removal.status()).isEqualTo(404);
            assertThat(ada.open("/account").locator("main tbody")).containsText("Ada's");
        }
    }

    @Test
    void atAnAddressThePageSaysWherePasskeysWork(Browser browser, @TempDir Path other) throws Exception {
        try (RunningPortal unnamed = RunningPortal.start(other);
                Person ada = unnamed.admin(browser)) {
            Page page = ada.open("/account");
            assertThat(page.getByText("Browsers keep passkeys for host names only"))
                    .isVisible();
            APIResponse answer = page.context()
                    .request()
                    .post(
                            unnamed.url() + OPTIONS,
                            RequestOptions.create()
                                    .setHeader("Content-Type", "application/json")
                                    .setData("{}"));
            assertThat(answer.status()).isEqualTo(409);
        }
    }
}
