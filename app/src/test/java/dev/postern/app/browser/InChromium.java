package dev.postern.app.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.postern.testkit.server.Chromium;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.support.TypeBasedParameterResolver;

/**
 * One browser for all tests that ask for a {@link Browser}: the machine's Chromium, driven by Playwright's driver as npm
 * installed it, so that nothing is downloaded when tests run. Where one of them is missing, tests are skipped and say why;
 * on a build server ({@code CI=true}) they fail instead.
 */
public final class InChromium extends TypeBasedParameterResolver<Browser> implements ExecutionCondition {
    /** A busy machine may take its time; nothing waits this long where the product works. */
    static final double PATIENCE_MILLIS = 60_000;

    private static final List<String> FLAGS = List.of(
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String missing = missing();
        if (missing.isEmpty()) {
            return ConditionEvaluationResult.enabled("a browser is here");
        }
        if ("true".equals(System.getenv("CI"))) {
            throw new IllegalStateException("no test may be skipped here, and " + missing);
        }
        return ConditionEvaluationResult.disabled(missing);
    }

    @Override
    public Browser resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .computeIfAbsent(Running.class, _ -> new Running(), Running.class)
                .browser;
    }

    /**
     * Another browser, for a test that needs it started otherwise.
     *
     * @param more further flags of its command line
     */
    static Browser launch(Browser like, String... more) {
        return like.browserType()
                .launch(options(Stream.concat(FLAGS.stream(), Stream.of(more)).toList()));
    }

    private static BrowserType.LaunchOptions options(List<String> flags) {
        return new BrowserType.LaunchOptions()
                .setExecutablePath(Chromium.find().orElseThrow())
                .setHeadless(true)
                .setArgs(flags);
    }

    private static String missing() {
        if (Chromium.find().isEmpty()) {
            return "browser tests need Chromium (Debian: apt install chromium)";
        }
        return node().isEmpty() || driver().isEmpty()
                ? "browser tests need Node and npm install --prefix testkit/npm --no-save"
                : "";
    }

    private static Optional<Path> node() {
        return onPath("node");
    }

    /** The directory of an npm package that the tests use. */
    static Optional<Path> npm(String name) {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            Path found = folder.resolve("testkit/npm/node_modules").resolve(name);
            if (Files.isDirectory(found)) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }

    private static Optional<Path> driver() {
        return npm("playwright-driver");
    }

    private static Optional<Path> onPath(String name) {
        return Stream.of(String.valueOf(System.getenv("PATH")).split(File.pathSeparator))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The browser while any test may want it; JUnit closes it. */
    private static final class Running implements AutoCloseable {
        private final Path driverHome;
        private final Playwright playwright;
        private final Browser browser;

        Running() {
            try {
                // The driver looks for "package" beside a Node of its own.
                driverHome = Files.createTempDirectory("postern-driver");
                Files.createSymbolicLink(driverHome.resolve("package"), driver().orElseThrow());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            System.setProperty("playwright.cli.dir", driverHome.toString());
            PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
            playwright = Playwright.create(new Playwright.CreateOptions()
                    .setEnv(Map.of(
                            "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD",
                            "1",
                            "PLAYWRIGHT_NODEJS_PATH",
                            node().orElseThrow().toString())));
            browser = playwright.chromium().launch(options(FLAGS));
        }

        @Override
        public void close() throws IOException {
            browser.close();
            playwright.close();
            Files.deleteIfExists(driverHome.resolve("package"));
            Files.deleteIfExists(driverHome);
        }
    }
}
