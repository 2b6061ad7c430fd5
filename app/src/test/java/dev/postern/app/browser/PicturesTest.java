package dev.postern.app.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Takes the pictures of {@code docs/portal.md}. They go to {@code target/pictures}; with {@code -Dpostern.pictures=docs} to
 * {@code docs/images}, so that a build leaves the tree as it was.
 */
@ExtendWith(InChromium.class)
final class PicturesTest {
    private static final Map<String, String> PAGES = Map.of(
            "overview", "/", "approvals", "/approvals", "vault", "/vault", "ledger", "/ledger", "policy", "/policy");

    @Test
    void mainPagesLookAsTheDocumentsShow(@TempDir Path data, Browser browser) throws Exception {
        try (RunningPortal portal = RunningPortal.start(data, "not-in-any-picture-1")) {
            portal.addSecret(
                    "github_token",
                    "not-in-any-picture-2",
                    Map.of(
                            "username",
                            "release-bot",
                            "website",
                            "github.com",
                            "description",
                            "Opens pull requests",
                            "tags",
                            List.of("work")));
            portal.addSecret(
                    "shop_password", "not-in-any-picture-3", Map.of("username", "kim", "website", "shop.example.com"));
            try (PortalAgent agent = portal.agent();
                    Person ada = portal.admin(browser)) {
                for (int i = 0; i < 4; i++) {
                    agent.echo("a call without a secret, number " + i).join();
                }
                agent.call("playground__note_read", "{\"name\":\"missing\"}").join();
                CompletableFuture<String> first = agent.echo("Authorization: Bearer {{vault:github_token}}");
                Page page = ada.open("/approvals");
                page.locator("[data-approve]").click();
                first.join();
                CompletableFuture<String> waiting = agent.call(
                        "playground__note_write",
                        "{\"name\":\"login\",\"text\":\"user kim, password {{vault:shop_password}}\"}");
                portal.awaitWaiting(1);
                for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
                    for (Map.Entry<String, String> picture : PAGES.entrySet()) {
                        Page shown = ada.openAs(picture.getValue(), scheme, 1100, 760);
                        if (picture.getKey().equals("approvals")) {
                            assertThat(shown.locator("[data-connection]")).hasText("Live");
                            assertThat(shown.locator("[data-approve]:not([aria-disabled=true])"))
                                    .hasCount(1);
                        }
                        Path file = folder().resolve(
                                        picture.getKey() + "-" + scheme.name().toLowerCase(Locale.ROOT) + ".png");
                        shown.screenshot(new Page.ScreenshotOptions().setPath(file));
                        assertThat(file).isNotEmptyFile();
                        shown.context().close();
                    }
                }
                waiting.cancel(true);
            }
        }
    }

    private static Path folder() throws IOException {
        Path root = Path.of("").toAbsolutePath();
        Path module = root.endsWith("app") ? root : root.resolve("app");
        return Files.createDirectories(
                "docs".equals(System.getProperty("postern.pictures"))
                        ? module.resolveSibling("docs").resolve("images")
                        : module.resolve("target").resolve("pictures"));
    }
}
