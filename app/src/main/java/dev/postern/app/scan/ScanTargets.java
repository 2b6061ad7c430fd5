package dev.postern.app.scan;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finds what is to be scanned: files under paths, or what is staged in the Git index. */
public final class ScanTargets {
    private ScanTargets() {}

    /** Where a text is read from when its turn comes. */
    public interface Target {
        /** As it is reported: with {@code /} between its parts. */
        String path();

        byte[] read() throws IOException;
    }

    /** Takes one target after the other. */
    @FunctionalInterface
    public interface Visitor {
        void visit(Target target) throws IOException;
    }

    /**
     * Visits a file, or every file under a directory that is not ignored. A path that is named is never ignored itself.
     * Symbolic links inside directories are not followed.
     */
    public static void under(Path path, Visitor visitor) throws IOException {
        if (!Files.exists(path)) {
            throw new NoSuchFileException(path + " does not exist.");
        }
        if (!Files.isDirectory(path)) {
            visitor.visit(new FileTarget(path));
            return;
        }
        walk(path, IgnoreRules.startingAt(path.toRealPath()), path.toRealPath(), visitor);
    }

    private static void walk(Path shown, IgnoreRules rules, Path directory, Visitor visitor) throws IOException {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(entries::add);
        }
        entries.sort(null);
        for (Path entry : entries) {
            String name = String.valueOf(entry.getFileName());
            boolean isDirectory = Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS);
            if (name.equals(".git") || rules.ignores(entry, isDirectory)) {
                continue;
            }
            if (isDirectory) {
                walk(shown.resolve(name), rules.below(entry), entry, visitor);
            } else if (Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)) {
                visitor.visit(new FileTarget(shown.resolve(name).normalize()));
            }
        }
    }

    /** Visits what the next commit would add or change, as it is in the index. */
    public static void staged(Visitor visitor) throws IOException {
        byte[] names = git("diff", "--cached", "--name-only", "--diff-filter=ACMRT", "-z", "--no-renames");
        for (String name : new String(names, StandardCharsets.UTF_8).split("\0", -1)) {
            if (!name.isEmpty()) {
                visitor.visit(new StagedTarget(name));
            }
        }
    }

    private static byte[] git(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        Process git = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .start();
        try {
            byte[] output = git.getInputStream().readAllBytes();
            if (git.waitFor() != 0) {
                throw new IOException("git could not tell what is staged; run this in a Git work tree.");
            }
            return output;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while git ran.", e);
        } finally {
            git.destroy();
        }
    }

    private record FileTarget(Path file) implements Target {
        @Override
        public String path() {
            return file.toString().replace('\\', '/');
        }

        @Override
        public byte[] read() throws IOException {
            return Files.readAllBytes(file);
        }
    }

    private record StagedTarget(String path) implements Target {
        @Override
        public byte[] read() throws IOException {
            return git("cat-file", "blob", ":" + path);
        }
    }
}
