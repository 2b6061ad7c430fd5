package dev.postern.app.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScanTargetsTest {
    @TempDir
    Path directory;

    @Test
    @DisplayName("What .gitignore names is left out, nearer files first; what is named itself is not")
    void gitignore() throws IOException {
        write(".gitignore", "*.log\nbuild/\n/top.txt\n");
        write("kept.txt", "");
        write("top.txt", "");
        write("a.log", "");
        write("build/out.txt", "");
        write("sub/top.txt", "");
        write("sub/.gitignore", "!a.log\nown.txt\n");
        write("sub/a.log", "");
        write("sub/own.txt", "");
        write(".git/config", "");

        assertThat(under(directory))
                .containsExactly(".gitignore", "kept.txt", "sub/.gitignore", "sub/a.log", "sub/top.txt");
        assertThat(under(directory.resolve("a.log"))).containsExactly("a.log");
    }

    @Test
    @DisplayName("A bar that grows, and a clean line at the end; without a terminal, nothing")
    void progress() {
        ByteArrayOutputStream drawn = new ByteArrayOutputStream();
        try (ScanProgress progress = new ScanProgress(new PrintStream(drawn, true, StandardCharsets.UTF_8), 60)) {
            for (int i = 0; i < 60; i++) {
                progress.step();
            }
        }
        String text = drawn.toString(StandardCharsets.UTF_8);
        assertThat(text)
                .contains("[###############...............] 30 of 60 files")
                .endsWith("\r\u001b[K");
        assertThat(text.split("\r", -1)).hasSizeLessThan(40);

        try (ScanProgress silent = new ScanProgress(null, 1)) {
            silent.step();
        }
    }

    private void write(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private List<String> under(Path path) throws IOException {
        List<String> paths = new ArrayList<>();
        ScanTargets.under(
                path,
                target -> paths.add(directory.relativize(Path.of(target.path())).toString()));
        return paths;
    }
}
