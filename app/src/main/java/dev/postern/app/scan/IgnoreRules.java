package dev.postern.app.scan;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The {@code .gitignore} rules that hold in one directory: its own, then its parents' (gitignore(5)). The last rule that
 * matches decides; a directory's own rules come after its parents'. Immutable.
 */
final class IgnoreRules {
    private static final String FILE = ".gitignore";

    private final @Nullable IgnoreRules parent;
    private final Path directory;
    private final List<Rule> rules;

    private IgnoreRules(@Nullable IgnoreRules parent, Path directory, List<Rule> rules) {
        this.parent = parent;
        this.directory = directory;
        this.rules = rules;
    }

    /** The rules in an absolute directory where a scan starts: with those of its parents up to the work tree's root. */
    static IgnoreRules startingAt(Path directory) throws IOException {
        Path above = directory.getParent();
        boolean root = Files.exists(directory.resolve(".git"));
        return in(root || above == null || !insideWorkTree(above) ? null : startingAt(above), directory);
    }

    /** The rules in a directory below this one. */
    IgnoreRules below(Path subdirectory) throws IOException {
        return in(this, subdirectory);
    }

    private static boolean insideWorkTree(Path directory) {
        for (Path at = directory; at != null; at = at.getParent()) {
            if (Files.exists(at.resolve(".git"))) {
                return true;
            }
        }
        return false;
    }

    private static IgnoreRules in(@Nullable IgnoreRules parent, Path directory) throws IOException {
        List<Rule> rules = new ArrayList<>();
        Path file = directory.resolve(FILE);
        if (Files.isRegularFile(file)) {
            for (String line : new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\r?\n", -1)) {
                Rule rule = Rule.parse(line);
                if (rule != null) {
                    rules.add(rule);
                }
            }
        }
        return new IgnoreRules(parent, directory, rules);
    }

    /** Whether an entry of this directory, or of one below it, is ignored. */
    boolean ignores(Path path, boolean isDirectory) {
        Boolean decided = decide(path, isDirectory);
        return decided != null && decided;
    }

    private @Nullable Boolean decide(Path path, boolean isDirectory) {
        String relative = directory.relativize(path).toString().replace('\\', '/');
        for (int i = rules.size() - 1; i >= 0; i--) {
            if (rules.get(i).matches(relative, isDirectory)) {
                return !rules.get(i).negated;
            }
        }
        return parent == null ? null : parent.decide(path, isDirectory);
    }

    /** One line. An anchored pattern is matched against the whole relative path, any other against the last name. */
    private record Rule(String pattern, boolean negated, boolean directoriesOnly, boolean anchored) {
        static @Nullable Rule parse(String line) {
            String text = line;
            while (text.endsWith(" ") && !text.endsWith("\\ ")) {
                text = text.substring(0, text.length() - 1);
            }
            if (text.isEmpty() || text.startsWith("#")) {
                return null;
            }
            boolean negated = text.startsWith("!");
            if (negated) {
                text = text.substring(1);
            }
            boolean directoriesOnly = text.endsWith("/");
            if (directoriesOnly) {
                text = text.substring(0, text.length() - 1);
            }
            boolean anchored = text.contains("/");
            if (text.startsWith("/")) {
                text = text.substring(1);
            }
            return text.isEmpty() ? null : new Rule(text, negated, directoriesOnly, anchored);
        }

        boolean matches(String relative, boolean isDirectory) {
            if (directoriesOnly && !isDirectory) {
                return false;
            }
            return Wildcards.match(pattern, anchored ? relative : relative.substring(relative.lastIndexOf('/') + 1));
        }
    }
}
