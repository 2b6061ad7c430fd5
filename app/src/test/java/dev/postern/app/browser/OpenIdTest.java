package dev.postern.app.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.RequestOptions;
import dev.postern.testkit.server.OpenIdFixture;
import dev.postern.testkit.server.OpenIdFixture.Signing;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A1, A2, A4 with an OpenID Connect provider: who comes in, who does not, and what an attacker can bring back. */
@ExtendWith(InChromium.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class OpenIdTest {
    private static final String CALLBACK = "/sign-in/openid/callback";

    private OpenIdFixture provider;
    private RunningPortal portal;

    @BeforeAll
    void start(@TempDir Path data, Browser browser) throws Exception {
        provider = new OpenIdFixture();
        String configuration = """
                {"portal": {"openid": {"issuer": "%s", "name": "Team ID", "clientId": "%s",
                  "clientSecret": "{{vault:openid_secret}}",
                  "people": [{"subject": "ada-1", "person": "ada"}], "claim": "email",
                  "roles": {"claim": "groups", "groups": {"approvers": "approver"}}}}}
                """.formatted(provider.issuer(), OpenIdFixture.CLIENT);
        portal = RunningPortal.configured(data, configuration, "value-of-the-vault");
        portal.addSecret("openid_secret", OpenIdFixture.SECRET);
        for (String name : List.of("ada", "max@team.example")) {
            portal.person(browser, name, "member").close();
        }
    }

    @AfterAll
    void stop() {
        portal.close();
        provider.close();
    }

    @BeforeEach
    void asItShouldBe() {
        provider.signsIn(Map.of("sub", "ada-1", "groups", List.of("all")));
        provider.bends(claims -> {});
        provider.signs(Signing.RIGHT);
        provider.tells(Map.of());
    }

    private Page signIn(Person person) {
        Page page = person.open("/vault");
        page.getByText("Sign in with Team ID").click();
        assertThat(page.locator(".who, [role=alert]").first()).isVisible();
        return page;
    }

    private void assertNobody(Browser browser, String why) {
        try (Person stranger = portal.stranger(browser)) {
            Page page = signIn(stranger);
            assertThat(page.locator("[role=alert]").first()).isVisible();
            assertThat(stranger.fetch("/api/session").status()).as(why).isEqualTo(401);
        }
    }

    @Test
    @DisplayName(
            "Somebody whose account is listed is signed in where they wanted to go, with the role their groups give")
    void aKnownAccountSignsIn(Browser browser) {
        try (Person person = portal.stranger(browser)) {
            Page page = signIn(person);
            assertThat(page).hasURL(portal.url() + "/vault");
            assertThat(page.locator(".who")).containsText("ada");
            assertThat(page.locator(".who")).containsText("member");
        }
        provider.signsIn(Map.of("sub", "ada-1", "groups", List.of("all", "approvers")));
        try (Person person = portal.stranger(browser)) {
            assertThat(signIn(person).locator(".who")).containsText("approver");
        }
    }

    @Test
    @DisplayName(
            "A2: no account is made, none is an administrator's by a claim, and an address counts once it is verified")
    void anUnknownAccountIsNobody(Browser browser) {
        provider.signsIn(Map.of("sub", "other", "email", "max@team.example", "email_verified", true));
        try (Person person = portal.stranger(browser)) {
            assertThat(signIn(person).locator(".who")).containsText("max@team.example");
        }
        provider.signsIn(Map.of("sub", "other", "email", "max@team.example", "email_verified", false));
        assertNobody(browser, "the address is not verified");
        provider.signsIn(Map.of("sub", "other", "email", "operator", "email_verified", true));
        assertNobody(browser, "a claim does not make the operator");
        provider.signsIn(Map.of("sub", "nobody-here"));
        assertNobody(browser, "nobody has that subject");
    }

    @Test
    @DisplayName(
            "What the UserInfo endpoint adds counts for the account that signed in, and an address only with its own check")
    void onlyTheSameAccountIsToldOf(Browser browser) {
        provider.signsIn(Map.of("sub", "other"));
        provider.tells(Map.of("email", "max@team.example", "email_verified", true));
        try (Person person = portal.stranger(browser)) {
            assertThat(signIn(person).locator(".who")).containsText("max@team.example");
        }
        provider.tells(Map.of("sub", "somebody", "email", "max@team.example", "email_verified", true));
        assertNobody(browser, "it tells of another account");
        provider.signsIn(Map.of("sub", "other", "email", "max@team.example"));
        provider.tells(Map.of("email", "mallory@team.example", "email_verified", true));
        assertNobody(browser, "another address was verified");
    }

    private void refuses(Browser browser, String why, Consumer<Map<String, Object>> bending) {
        provider.bends(bending);
        assertNobody(browser, why);
        provider.bends(claims -> {});
    }

    @Test
    @DisplayName("An ID token that is not the issuer's, for us, for this sign-in, in time and signed opens nothing")
    void aWrongTokenOpensNothing(Browser browser) {
        long now = Instant.now().getEpochSecond();
        refuses(browser, "another nonce", claims -> claims.put("nonce", "another"));
        refuses(browser, "no nonce", claims -> claims.remove("nonce"));
        refuses(browser, "another audience", claims -> claims.put("aud", "somebody-else"));
        refuses(browser, "several audiences, given to another", claims -> {
            claims.put("aud", List.of(OpenIdFixture.CLIENT, "somebody-else"));
            claims.put("azp", "somebody-else");
        });
        refuses(browser, "another issuer", claims -> claims.put("iss", "https://id.evil.example"));
        refuses(browser, "expired", claims -> claims.put("exp", now - 600));
        refuses(browser, "no subject", claims -> claims.remove("sub"));
        for (Signing how : List.of(Signing.NONE, Signing.OTHER_KEY, Signing.PUBLIC_KEY_AS_SECRET)) {
            provider.signs(how);
            assertNobody(browser, "signed " + how);
        }
    }

    /** Begins in this person's browser, and stops before going to the provider. */
    private Map<String, String> begin(Person person) {
        APIResponse answer = person.open("/sign-in")
                .context()
                .request()
                .get(portal.url() + "/sign-in/openid", RequestOptions.create().setMaxRedirects(0));
        return OpenIdFixture.query(answer.headers().getOrDefault("location", ""));
    }

    private boolean comesIn(Person person, String code, String state, @Nullable String issuer) {
        String address = portal.url() + CALLBACK + "?code=" + code + "&state=" + state
                + (issuer == null ? "" : "&iss=" + URLEncoder.encode(issuer, StandardCharsets.UTF_8));
        person.openUrl(address);
        return person.fetch("/api/session").status() == 200;
    }

    @Test
    @DisplayName("An answer counts in the browser that began, once, and only of the issuer that was asked")
    void anAnswerCountsWhereItWasAskedFor(Browser browser) {
        try (Person ada = portal.stranger(browser);
                Person victim = portal.stranger(browser)) {
            Map<String, String> request = begin(ada);
            String state = request.getOrDefault("state", "");
            assertThat(comesIn(ada, provider.code(request), "another-state", null))
                    .isFalse();
            request = begin(ada);
            String code = provider.code(request);
            assertThat(comesIn(victim, code, request.getOrDefault("state", ""), null))
                    .as("in a browser that did not begin")
                    .isFalse();
            begin(victim);
            assertThat(comesIn(victim, code, request.getOrDefault("state", ""), null))
                    .as("in a browser that began another")
                    .isFalse();
            assertThat(comesIn(ada, code, request.getOrDefault("state", ""), "https://id.evil.example"))
                    .as("mixed up with another issuer")
                    .isFalse();
            assertThat(state).isNotEqualTo(request.getOrDefault("state", ""));

            request = begin(ada);
            code = provider.code(request);
            assertThat(comesIn(ada, code, request.getOrDefault("state", ""), provider.issuer()))
                    .isTrue();
            ada.open("/sign-in");
            try (Person thief = portal.stranger(browser)) {
                assertThat(comesIn(thief, code, request.getOrDefault("state", ""), null))
                        .isFalse();
            }
        }
    }

    @Test
    @DisplayName("A code without the verifier of the browser that began is worth nothing at the provider")
    void aStolenCodeIsBoundByPkce(Browser browser) {
        try (Person ada = portal.stranger(browser);
                Person thief = portal.stranger(browser)) {
            Map<String, String> victims = begin(ada);
            Map<String, String> own = begin(thief);
            assertThat(comesIn(thief, provider.code(victims), own.getOrDefault("state", ""), null))
                    .isFalse();
        }
    }

    @Test
    @DisplayName("Who has a passphrase here is asked for that: the provider alone does not confirm")
    void theProviderDoesNotStandInForAPassphrase(Browser browser) {
        try (Person ada = portal.stranger(browser)) {
            Page page = signIn(ada);
            assertThat(page.getByText("Sign in again with Team ID")).hasCount(0);
            page.navigate(portal.url() + "/confirm?to=/vault");
            assertThat(page.getByLabel("Passphrase")).isVisible();
            assertThat(page.getByText("Sign in again with Team ID")).hasCount(0);
            page.navigate(portal.url() + "/confirm/openid?to=/vault");
            assertThat(page.locator("[role=alert]")).containsText("confirm with that");
            assertThat(ada.fetch("/api/session").body()).contains("\"confirmed\":false", "passphrase");
        }
    }

    @Test
    void nobodyIsLedElsewhere(Browser browser) {
        try (Person person = portal.stranger(browser)) {
            Page page = person.open("/sign-in/openid?to=//evil.example/");
            assertThat(page).hasURL(portal.url() + "/vault");
        }
    }
}
