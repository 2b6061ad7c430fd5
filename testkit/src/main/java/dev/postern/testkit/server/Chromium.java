package dev.postern.testkit.server;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The browser of this machine. Without one, the tests that need it are skipped with one plain line; with {@code CI=true} they
 * fail instead.
 */
public final class Chromium {
    private static final List<String> PLACES = List.of(
            "/usr/bin/chromium",
            "/usr/bin/chromium-browser",
            "/usr/bin/google-chrome",
            "/Applications/Chromium.app/Contents/MacOS/Chromium",
            "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");

    private Chromium() {}

    /**
     * Where it is installed.
     *
     * @return empty where there is none; the reason is printed
     * @throws IllegalStateException instead of empty on a build server ({@code CI=true})
     */
    public static Optional<Path> find() {
        Optional<Path> found =
                PLACES.stream().map(Path::of).filter(Files::isExecutable).findFirst();
        if (found.isEmpty()) {
            if ("true".equals(System.getenv("CI"))) {
                throw new IllegalStateException("no Chromium is installed, and nothing may be skipped here");
            }
            System.out.println("skipped: no Chromium is installed (Debian: apt install chromium)");
        }
        return found;
    }
}
