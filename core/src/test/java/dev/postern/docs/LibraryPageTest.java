package dev.postern.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LibraryPageTest {
    private static final Pattern EXAMPLE = Pattern.compile("<!-- (\\S+) -->\n```java\n(.*?)\n```", Pattern.DOTALL);

    @Test
    @DisplayName("Every Java example of docs/library.md stands word by word in a test that is compiled and run")
    void examplesAreCompiled() throws IOException {
        Path root = Path.of("..").toAbsolutePath().normalize();
        String page = Files.readString(root.resolve("docs/library.md"));
        List<MatchResult> examples = EXAMPLE.matcher(page).results().toList();

        assertThat(examples).as("each fence names its source").hasSize(page.split("```java", -1).length - 1);
        for (MatchResult example : examples) {
            String source = Files.readString(root.resolve(example.group(1)));
            assertThat(lines(source)).as(example.group(1)).containsSequence(lines(example.group(2)));
        }
    }

    /** Without indentation and empty lines. */
    private static List<String> lines(String text) {
        List<String> lines = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            if (!line.isBlank()) {
                lines.add(line.strip());
            }
        }
        return lines;
    }
}
