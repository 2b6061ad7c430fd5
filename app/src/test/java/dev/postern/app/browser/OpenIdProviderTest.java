package dev.postern.app.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.RequestOptions;
import dev.postern.json.JsonValue;
import dev.postern.testkit.server.OpenIdServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A1, A2, A4 with a real OpenID Connect provider: signing in, and proving again that it is still them. */
@ExtendWith(InChromium.class)
final class OpenIdProviderTest {
    private static final String ACCOUNTS = """
            {"boss": {"password": "of the boss", "claims": {}},
             "max": {"password": "of max", "claims": {"email": "max@team.example", "email_verified": true, "groups": ["all", "approvers"]}},
             "unverified": {"password": "of max", "claims": {"email": "max@team.example", "email_verified": false}},
             "eve": {"password": "of eve", "claims": {"email": "eve@team.example", "email_verified": true}}}""";

    private OpenIdServer provider;
    private RunningPortal portal;

    @BeforeEach
    void start(@TempDir Path data) throws Exception {
        Optional<OpenIdServer> started = OpenIdServer.start();
        assumeTrue(started.isPresent());
        provider = started.get();
        portal = portal(data, "\"clientSecret\": \"{{vault:openid_secret}}\",");
        portal.addSecret("openid_secret", "cl13nt-s3cret:of%the tests");
        serve("client_secret_basic");
    }

    private RunningPortal portal(Path data, String client) throws IOException {
        return RunningPortal.configured(data, """
                {"portal": {"openid": {"issuer": "%s", "name": "Team ID", "clientId": "postern-tests", %s
                  "scopes": ["openid", "email", "groups"], "people": [{"subject": "boss", "person": "operator"}],
                  "claim": "email", "roles": {"claim": "groups", "groups": {"approvers": "approver"}}}}}
                """.formatted(provider.issuer(), client), "value-of-the-vault");
    }

    private void serve(String authentication) throws IOException {
        String secret = authentication.equals("none") ? "" : "\"client_secret\": \"cl13nt-s3cret:of%the tests\",";
        provider.serve("""
                {"clients": [{"client_id": "postern-tests", %s "token_endpoint_auth_method": "%s", "redirect_uris": ["%s/sign-in/openid/callback"]}],
                 "accounts": %s}""".formatted(secret, authentication, portal.url(), ACCOUNTS));
    }

    @AfterEach
    void stop() {
        if (portal != null) {
            portal.close();
            provider.close();
        }
    }

    private static void press(Page page, String button) {
        page.getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions().setName(button).setExact(true))
                .click();
    }

    /** Fills in the provider's form. */
    private void logIn(Page page, String account, String password) {
        page.waitForURL(Pattern.compile(Pattern.quote(provider.issuer()) + "/login/.*"));
        page.getByLabel("Account").fill(account);
        page.getByLabel("Password").fill(password);
        press(page, "Log in");
    }

    private Page signIn(Person person, String path, String account, String password) {
        Page page = person.open(path);
        page.getByText("Sign in with Team ID").click();
        logIn(page, account, password);
        return page;
    }

    private Page asOperator(Person person) {
        Page page = signIn(person, "/people", "boss", "of the boss");
        assertThat(page).hasURL(portal.url() + "/people");
        return page;
    }

    private void confirmAtProvider(Page page) {
        page.getByText("Sign in again with Team ID").click();
        logIn(page, "boss", "of the boss");
    }

    private static void invite(Page page, String name) {
        page.locator("#name").fill(name);
        page.locator("#role").selectOption("member");
        press(page, "Make the invitation");
    }

    @Test
    void theOperatorSignsInAtTheProviderAndOutHere(Browser browser) {
        try (Person boss = portal.stranger(browser)) {
            Page page = boss.open("/vault");
            page.getByText("Sign in with Team ID").click();
            logIn(page, "boss", "guessed");
            assertThat(page.getByRole(AriaRole.ALERT)).hasText("That did not match.");
            logIn(page, "boss", "of the boss");
            assertThat(page).hasURL(portal.url() + "/vault");
            assertThat(page.locator(".who")).containsText("operator");
            assertThat(page.locator(".who")).containsText("admin");

            press(page, "Sign out");
            assertThat(page).hasURL(portal.url() + "/sign-in");
            assertThat(boss.fetch("/api/session").status()).isEqualTo(401);
        }
    }

    @Test
    @DisplayName(
            "Whom the provider's claims name is signed in with the role of their group; whom they do not name is told so")
    void claimsOfTheAccountDecide(Browser browser) throws Exception {
        try (Person boss = portal.stranger(browser)) {
            Page page = asOperator(boss);
            invite(page, "max@team.example");
            confirmAtProvider(page);
            assertThat(page).hasURL(portal.url() + "/people");
            invite(page, "max@team.example");
            assertThat(page.locator("#link")).isVisible();
        }
        try (Person max = portal.stranger(browser)) {
            Page page = signIn(max, "/vault", "max", "of max");
            assertThat(page).hasURL(portal.url() + "/vault");
            assertThat(page.locator(".who")).containsText("max@team.example");
            assertThat(page.locator(".who")).containsText("approver");
        }
        assertNobody(browser, "eve", "of eve");
        assertNobody(browser, "unverified", "of max");
        try (Person person = portal.stranger(browser)) {
            Page page = person.open("/vault");
            page.getByText("Sign in with Team ID").click();
            press(page, "Cancel");
            assertThat(page.getByRole(AriaRole.ALERT)).hasText("You were not signed in there.");
        }
        serve("client_secret_basic"); // signs with another key from now on
        try (Person again = portal.stranger(browser)) {
            assertThat(signIn(again, "/vault", "max", "of max")).hasURL(portal.url() + "/vault");
        }
    }

    private void assertNobody(Browser browser, String account, String password) {
        try (Person person = portal.stranger(browser)) {
            Page page = signIn(person, "/vault", account, password);
            assertThat(page.getByRole(AriaRole.ALERT)).containsText("nobody here has that account");
            assertThat(person.fetch("/api/session").status()).isEqualTo(401);
        }
    }

    @Test
    @DisplayName("Before a sensitive act they sign in at the provider once more, whatever they did there before")
    void sensitiveActsAskTheProviderAgain(Browser browser) {
        try (Person boss = portal.stranger(browser)) {
            Page page = asOperator(boss);
            invite(page, "max");
            assertThat(page).hasURL(portal.url() + "/confirm?to=/people");

            page.getByText("Sign in again with Team ID").click();
            press(page, "Cancel");
            assertThat(page.getByRole(AriaRole.ALERT)).containsText("You did not sign in at Team ID");
            page.getByText("Sign in again with Team ID").click();
            logIn(page, "eve", "of eve");
            assertThat(page.getByRole(AriaRole.ALERT)).containsText("another account");
            assertThat(page.locator("h1")).hasText("Confirm that it is you");

            confirmAtProvider(page);
            assertThat(page).hasURL(portal.url() + "/people");
            invite(page, "max");
            assertThat(page.locator("#link")).isVisible();
        }
    }

    @Test
    @DisplayName("A program is told by what to confirm, gets the address, and goes through once the person was there")
    void programsAreToldHowToConfirm(Browser browser) {
        try (Person boss = portal.stranger(browser)) {
            Page page = asOperator(boss);
            JsonValue refused = document(post(page, "/api/vault/rotate-key", "{}"), 403);
            assertThat(refused.string("code")).isEqualTo("CONFIRMATION_REQUIRED");
            JsonValue ways = Objects.requireNonNull(refused.member("confirm_with"));
            assertThat(ways.string("openid")).isEqualTo("/api/session/confirm/openid");
            assertThat(ways.member("passphrase")).isNull();

            JsonValue begun = document(post(page, String.valueOf(ways.string("openid")), "{\"to\":\"/ledger\"}"), 200);
            page.navigate(String.valueOf(begun.string("url")));
            logIn(page, "boss", "of the boss");
            assertThat(page).hasURL(portal.url() + "/ledger");
            assertThat(document(post(page, "/api/vault/rotate-key", "{}"), 200)).isNotNull();
        }
    }

    private JsonValue document(APIResponse answer, int status) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        return JsonValue.parse(answer.body());
    }

    private APIResponse post(Page page, String path, String body) {
        String session =
                page.context().request().get(portal.url() + "/api/session").text();
        String token = JsonValue.parse(session.getBytes(StandardCharsets.UTF_8)).string("csrf_token");
        return page.context()
                .request()
                .post(
                        portal.url() + path,
                        RequestOptions.create()
                                .setHeader("Content-Type", "application/json")
                                .setHeader("X-CSRF-Token", String.valueOf(token))
                                .setData(body));
    }

    @Test
    @DisplayName("A client may show its secret in the form, or have none and rely on PKCE")
    void theClientShowsWhatTheProviderWants(Browser browser, @TempDir Path other, @TempDir Path third)
            throws Exception {
        portal.close();
        portal = portal(other, "\"clientSecret\": \"{{vault:openid_secret}}\", \"clientAuthentication\": \"post\",");
        portal.addSecret("openid_secret", "cl13nt-s3cret:of%the tests");
        serve("client_secret_post");
        try (Person boss = portal.stranger(browser)) {
            asOperator(boss);
        }
        portal.close();
        portal = portal(third, "");
        serve("none");
        try (Person boss = portal.stranger(browser)) {
            asOperator(boss);
        }
    }
}
