package dev.postern.app.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.RequestOptions;
import dev.postern.json.JsonValue;
import dev.postern.testkit.server.OpenIdFixture;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A2, A4: what a provider, an attacker or a browser brings back that must not confirm that it is still them. */
@ExtendWith(InChromium.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class OpenIdConfirmTest {
    private static final String CALLBACK = "/sign-in/openid/callback";
    private static final String BEGIN = "/api/session/confirm/openid";

    private OpenIdFixture provider;
    private RunningPortal portal;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        provider = new OpenIdFixture();
        portal = RunningPortal.configured(
                data, """
                {"portal": {"openid": {"issuer": "%s", "name": "Team ID", "clientId": "%s",
                  "clientSecret": "{{vault:openid_secret}}", "people": [{"subject": "boss", "person": "operator"},
                    {"subject": "second-of-boss", "person": "operator"}]}}}
                """.formatted(provider.issuer(), OpenIdFixture.CLIENT), "value-of-the-vault");
        portal.addSecret("openid_secret", OpenIdFixture.SECRET);
    }

    @AfterAll
    void stop() {
        portal.close();
        provider.close();
    }

    @BeforeEach
    void asItShouldBe() {
        provider.signsIn(Map.of("sub", "boss"));
        provider.bends(claims -> claims.put("auth_time", Instant.now().getEpochSecond()));
    }

    private Person boss(Browser browser) {
        Person boss = portal.stranger(browser);
        Page page = boss.open("/vault");
        page.getByText("Sign in with Team ID").click();
        assertThat(page).hasURL(portal.url() + "/vault");
        return boss;
    }

    private JsonValue session(Person person) {
        return JsonValue.parse(person.fetch("/api/session").body().getBytes(StandardCharsets.UTF_8));
    }

    private boolean isConfirmed(Person person) {
        JsonValue confirmed = session(person).member("confirmed");
        return confirmed != null && confirmed.is(JsonValue.Kind.TRUE);
    }

    private APIResponse post(Person person, String path, String token) {
        return person.open("/vault")
                .context()
                .request()
                .post(
                        portal.url() + path,
                        RequestOptions.create()
                                .setHeader("Content-Type", "application/json")
                                .setHeader("X-CSRF-Token", token)
                                .setData("{}"));
    }

    private String token(Person person) {
        return String.valueOf(session(person).string("csrf_token"));
    }

    /** What the provider is asked, when this person's browser begins. */
    private Map<String, String> begin(Person person) {
        APIResponse answer = post(person, BEGIN, token(person));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return OpenIdFixture.query(String.valueOf(JsonValue.parse(answer.body()).string("url")));
    }

    private Page bringBack(Person person, String code, Map<String, String> request) {
        return person.openUrl(
                portal.url() + CALLBACK + "?code=" + code + "&state=" + request.getOrDefault("state", ""));
    }

    private void refuses(Browser browser, String words, Consumer<Map<String, Object>> bending) {
        provider.bends(bending);
        try (Person boss = boss(browser)) {
            Page page = boss.open("/confirm?to=/people");
            page.getByText("Sign in again with Team ID").click();
            assertThat(page.locator("[role=alert]")).containsText(words);
            assertThat(page.locator("h1")).hasText("Confirm that it is you");
            assertThat(isConfirmed(boss)).as(words).isFalse();
            assertThat(post(boss, "/api/vault/rotate-key", token(boss)).text()).contains("CONFIRMATION_REQUIRED");
        }
    }

    @Test
    void signingInAtTheProviderOnceMoreConfirms(Browser browser) {
        try (Person boss = boss(browser)) {
            assertThat(isConfirmed(boss)).as("signing in alone").isFalse();
            Map<String, String> asked = begin(boss);
            assertThat(asked).containsEntry("prompt", "login").containsEntry("max_age", "0");
            bringBack(boss, provider.code(asked), asked);
            assertThat(isConfirmed(boss)).isTrue();
            assertThat(post(boss, "/api/vault/rotate-key", token(boss)).status())
                    .isEqualTo(200);
        }
    }

    @Test
    @DisplayName("A provider that does not say when they signed in, or did not ask them now, confirms nothing")
    void onlyASignInOfNowConfirms(Browser browser) {
        long now = Instant.now().getEpochSecond();
        refuses(browser, "does not say when you signed in", claims -> claims.remove("auth_time"));
        refuses(browser, "did not ask you to sign in anew", claims -> claims.put("auth_time", now - 60));
        refuses(browser, "did not ask you to sign in anew", claims -> claims.put("auth_time", now + 600));
        refuses(browser, "another type", claims -> claims.put("auth_time", "just now"));
    }

    @Test
    @DisplayName("The provider's clock may be wrong: what it says is compared with what it says")
    void theProvidersClockMayBeWrong(Browser browser) {
        try (Person boss = boss(browser)) {
            provider.bends(claims -> {
                long late = Instant.now().getEpochSecond() - 45;
                claims.put("iat", late);
                claims.put("auth_time", late);
            });
            Map<String, String> asked = begin(boss);
            bringBack(boss, provider.code(asked), asked);
            assertThat(isConfirmed(boss)).isTrue();
        }
    }

    @Test
    @DisplayName("Another account confirms nothing, not even one that would sign in as the same person")
    void onlyTheSameAccountConfirms(Browser browser) {
        for (String other : new String[] {"somebody", "second-of-boss"}) {
            refuses(browser, "another account", claims -> {
                claims.put("auth_time", Instant.now().getEpochSecond());
                provider.signsIn(Map.of("sub", other)); // from the second time on
            });
            asItShouldBe();
        }
    }

    @Test
    @DisplayName("An answer counts once, also where the first try came to nothing")
    void anAnswerCountsOnce(Browser browser) {
        try (Person boss = boss(browser)) {
            Map<String, String> asked = begin(boss);
            provider.bends(claims -> claims.remove("auth_time"));
            bringBack(boss, provider.code(asked), asked);
            asItShouldBe();
            Page page = bringBack(boss, provider.code(asked), asked);
            assertThat(page.locator("[role=alert]")).containsText("used before");
            assertThat(isConfirmed(boss)).isFalse();
        }
    }

    @Test
    @DisplayName(
            "An answer counts in the session that asked: in no other, for no sign-in, and with no other state or code")
    void anAnswerCountsInItsSession(Browser browser) {
        try (Person boss = boss(browser);
                Person elsewhere = boss(browser);
                Person nobody = portal.stranger(browser)) {
            Map<String, String> asked = begin(boss);
            String code = provider.code(asked);
            Page page = bringBack(elsewhere, code, asked);
            assertThat(page.locator("[role=alert]")).containsText("not begun in this session");
            assertThat(isConfirmed(elsewhere)).isFalse();

            page = bringBack(nobody, code, asked);
            assertThat(page.locator("[role=alert]")).containsText("not signed in here any more");
            assertThat(nobody.fetch("/api/session").status()).isEqualTo(401);

            Map<String, String> others = begin(elsewhere);
            bringBack(boss, provider.code(others), asked); // PKCE and nonce are of the other's request
            assertThat(isConfirmed(boss)).isFalse();
            for (String state : new String[] {"confirm..", "confirm.AAAA.Lw", "confirm.AAAA", "confirm.*.*"}) {
                page = bringBack(boss, provider.code(begin(boss)), Map.of("state", state));
                assertThat(page.locator("[role=alert]")).containsText("Nothing is confirmed");
            }
            String led = asked.getOrDefault("state", "").replaceFirst("[^.]*$", "L3ZhdWx0"); // to another page
            bringBack(boss, code, Map.of("state", led));
            assertThat(isConfirmed(boss)).isFalse();

            asked = begin(boss);
            bringBack(boss, provider.code(asked), asked);
            assertThat(isConfirmed(boss)).isTrue();
            assertThat(isConfirmed(elsewhere)).isFalse();
        }
    }

    @Test
    @DisplayName("No page of another site begins it, and nobody who is not signed in")
    void whoCannotBeginIt(Browser browser) {
        try (Person boss = boss(browser);
                Person nobody = portal.stranger(browser)) {
            assertThat(post(boss, BEGIN, "guessed").text()).contains("CSRF_TOKEN_REQUIRED");
            for (String site : new String[] {"cross-site", "same-site"}) {
                APIResponse answer = boss.open("/vault")
                        .context()
                        .request()
                        .get(
                                portal.url() + "/confirm/openid?to=/people",
                                RequestOptions.create()
                                        .setHeader("Sec-Fetch-Site", site)
                                        .setHeader("Accept", "text/html")
                                        .setMaxRedirects(0));
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.text()).contains("Confirm that it is you");
            }
            assertThat(post(nobody, BEGIN, "none").status()).isEqualTo(401);
        }
    }
}
