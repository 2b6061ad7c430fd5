package dev.postern.app.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.Cookie;
import com.microsoft.playwright.options.SameSiteAttribute;
import dev.postern.testkit.server.Certificates;
import dev.postern.testkit.server.OpenIdFixture;
import dev.postern.testkit.server.TlsProxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A4 where people come by another name and TLS: through a reverse proxy, and to the gateway's own TLS over HTTP/2. */
@ExtendWith(InChromium.class)
final class ReverseProxyTest {
    private static final String HOST = "postern.example.com";
    private static final String ADDRESS = "https://" + HOST;

    private static void press(Page page, String button) {
        page.getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions().setName(button).setExact(true))
                .click();
    }

    /** A browser for which two names lead to a port of this machine. */
    private static Browser chromiumTo(int port, Browser like) {
        return InChromium.launch(
                like,
                "--ignore-certificate-errors",
                "--host-resolver-rules=MAP " + HOST + ":443 127.0.0.1:" + port + ", MAP evil.example.com:443 127.0.0.1:"
                        + port);
    }

    private static List<Cookie> sessions(Page page) {
        return page.context().cookies(ADDRESS).stream()
                .filter(cookie -> cookie.name.contains("postern"))
                .toList();
    }

    private static void assertSafeSession(Page page) {
        assertThat(sessions(page)).singleElement().satisfies(cookie -> {
            assertThat(cookie.name).isEqualTo("__Host-postern");
            assertThat(cookie.secure).isTrue();
            assertThat(cookie.httpOnly).isTrue();
            assertThat(cookie.sameSite).isEqualTo(SameSiteAttribute.STRICT);
            assertThat(cookie.domain).isEqualTo(HOST);
        });
    }

    private static void addPasskey(Page page) {
        page.navigate(ADDRESS + "/account");
        new Authenticator(page);
        page.getByLabel("Name of the passkey").fill("Laptop");
        press(page, "Add a passkey");
        assertThat(page.locator("main tbody")).containsText("Laptop");
        assertThat(page.locator("main tbody")).containsText(HOST);
        press(page, "Sign out");
        page.waitForURL(Pattern.compile(".*/sign-in.*"));
        press(page, "Sign in with a passkey");
        page.waitForURL(ADDRESS + "/");
    }

    @Test
    @DisplayName(
            "Sign-in, live requests, decisions and passkeys work under the configured address; another name reaches nothing")
    void theConfiguredAddressIsWherePeopleAre(@TempDir Path data, Browser browser) throws Exception {
        Certificates certificates = Certificates.in(data, "proxy", "EC");
        try (RunningPortal portal = RunningPortal.configured(
                                data, "{\"portal\":{\"address\":\"" + ADDRESS + "\"}}", "S3cr3t-behind-a-proxy")
                        .at(ADDRESS);
                TlsProxy proxy = new TlsProxy(certificates, portal.port());
                Browser chromium = chromiumTo(proxy.port(), browser)) {
            try (Person ada = portal.admin(chromium);
                    PortalAgent agent = portal.agent()) {
                Page page = ada.open("/approvals");
                assertSafeSession(page);
                assertThat(page.navigate(ADDRESS + "/approvals").headerValue("Strict-Transport-Security"))
                        .isNotNull();

                assertThat(page.locator("[data-connection]")).hasText("Live");
                CompletableFuture<String> answer = agent.echo("by a proxy {{vault:db}}");
                assertThat(page.locator("[data-approval]")).hasCount(1); // came up by itself
                press(page, "Approve once");
                assertThat(PortalAgent.text(answer.join())).contains("by a proxy {{vault:db}}");

                Page lure = ada.attacker(
                        "https://other.example.net",
                        "<form method=post action=\"" + ADDRESS + "/kill\"><input name=scope value=all></form>");
                lure.evaluate("document.forms[0].submit()");
                lure.waitForURL(ADDRESS + "/kill");
                assertThat(lure.locator("body")).containsText("another site");
                Page rebound = ada.openUrlBeside("https://evil.example.com/sign-in");
                assertThat(rebound.locator("body")).containsText("not this gateway");
                assertThat(page.locator("[data-killed]")).hasCount(0);

                lure.close();
                rebound.close(); // devices sign for the tab in front alone
                addPasskey(page);
                assertSafeSession(page);
            }
        }
    }

    @Test
    void aProviderSendsPeopleBackToTheConfiguredAddress(@TempDir Path data, Browser browser) throws Exception {
        Certificates certificates = Certificates.in(data, "proxy", "EC");
        try (OpenIdFixture provider = new OpenIdFixture()) {
            provider.signsIn(Map.of("sub", "boss"));
            String configuration = """
                    {"portal": {"address": "%s", "openid": {"issuer": "%s", "name": "Team ID", "clientId": "%s",
                      "clientSecret": "{{vault:openid_secret}}", "people": [{"subject": "boss", "person": "operator"}]}}}
                    """.formatted(ADDRESS, provider.issuer(), OpenIdFixture.CLIENT);
            try (RunningPortal portal = RunningPortal.configured(data, configuration, "S3cr3t-behind-a-proxy")
                            .at(ADDRESS);
                    TlsProxy proxy = new TlsProxy(certificates, portal.port());
                    Browser chromium = chromiumTo(proxy.port(), browser)) {
                portal.addSecret("openid_secret", OpenIdFixture.SECRET);
                try (Person boss = portal.stranger(chromium)) {
                    Page page = boss.open("/people");
                    page.getByText("Sign in with Team ID").click();
                    page.waitForURL(ADDRESS + "/people");
                    assertSafeSession(page);
                    page.navigate(ADDRESS + "/confirm?to=/people");
                    provider.bends(claims -> claims.put("auth_time", claims.get("iat")));
                    page.getByText("Sign in again with Team ID").click();
                    page.waitForURL(ADDRESS + "/people");
                }
            }
        }
    }

    @Test
    @DisplayName("The gateway's own TLS, over HTTP/2 and at the usual port, is the configured address too")
    void theGatewaysOwnTlsIsTheConfiguredAddress(@TempDir Path data, Browser browser) throws Exception {
        Certificates certificates = Certificates.in(data, "tls", "EC");
        String configuration = "{\"portal\":{\"address\":\"%s\"},\"tls\":{\"certificate\":\"%s\",\"key\":\"%s\"}}"
                .formatted(ADDRESS, certificates.certificate(), certificates.key());
        try (RunningPortal portal = RunningPortal.configured(data, configuration, "S3cr3t-behind-tls")
                        .at(ADDRESS);
                Browser chromium = chromiumTo(portal.port(), browser);
                Person ada = portal.admin(chromium)) {
            Page page = ada.open("/approvals");
            assertThat(page.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol"))
                    .isEqualTo("h2");
            assertSafeSession(page);
            assertThat(page.locator("[data-connection]")).hasText("Live");
            addPasskey(page);
        }
    }
}
