package dev.postern.testkit.server;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The published servers and tools that {@code npm install --prefix testkit/npm --no-save} installs. A machine without Node, or without the
 * packages, skips the tests that need them with one plain line; with {@code CI=true} it fails them instead.
 */
public final class NodeServers {
    private static final String PROPERTY = "postern.test.node_modules";
    private static final String VARIABLE = "POSTERN_TEST_NODE_MODULES";
    private static final Path INSTALLED = Path.of("testkit", "npm", "node_modules");

    private NodeServers() {}

    /**
     * The command line of a server.
     *
     * @param name the package without its scope, such as {@code server-everything}
     * @return empty where it cannot run here; the reason is printed
     * @throws IllegalStateException instead of empty on a build server ({@code CI=true})
     */
    public static Optional<List<String>> command(String name, String... arguments) {
        return script("@modelcontextprotocol/" + name + "/dist/index.js", onPath("node"), arguments);
    }

    /**
     * The command line of a tool that needs a newer Node than the servers, which comes with the packages.
     *
     * @param file under {@code node_modules}, such as {@code conformance-2025/dist/index.js}
     * @return empty where it cannot run here; the reason is printed
     * @throws IllegalStateException instead of empty on a build server ({@code CI=true})
     */
    public static Optional<List<String>> tool(String file, String... arguments) {
        Path modules = modules();
        Path bundled = modules == null ? null : modules.resolve(".bin").resolve("node");
        return script(file, bundled != null && Files.isExecutable(bundled) ? bundled : onPath("node"), arguments);
    }

    private static Optional<List<String>> script(String file, @Nullable Path node, String... arguments) {
        Path modules = modules();
        Path entry = modules == null ? null : modules.resolve(file).normalize();
        if (node == null || entry == null || !Files.isRegularFile(entry)) {
            String reason = node == null
                    ? "Node is not installed"
                    : "testkit/npm/node_modules is missing or not complete (npm install --prefix testkit/npm --no-save)";
            if ("true".equals(System.getenv("CI"))) {
                throw new IllegalStateException("cannot start " + file + ": " + reason);
            }
            System.out.println("skipped, for " + file + " cannot start: " + reason);
            return Optional.empty();
        }
        List<String> command = new ArrayList<>(List.of(node.toString(), entry.toString()));
        command.addAll(List.of(arguments));
        return Optional.of(command);
    }

    /** From the property, the variable, or the checkout that the tests run in. */
    private static @Nullable Path modules() {
        String named = System.getProperty(PROPERTY, System.getenv(VARIABLE));
        if (named != null) {
            return Path.of(named);
        }
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.isDirectory(folder.resolve(INSTALLED))) {
                return folder.resolve(INSTALLED);
            }
        }
        return null;
    }

    private static @Nullable Path onPath(String program) {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            Path candidate = Path.of(folder, program);
            if (Files.isExecutable(candidate)) {
                return candidate;
            }
        }
        return null;
    }
}
