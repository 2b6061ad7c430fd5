package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.call.Disposition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The page of refusals is whole. */
class RefusalsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern MADE = Pattern.compile(
            "new (?:Refusal|ControlException)\\((?:\\s*ExitCode\\.\\w+,)?\\s*\"([A-Z_]{4,})\"|_REQUIRED = \"([A-Z_]+)\"");

    @Test
    @DisplayName(
            "Every disposition, and every code that the sources make, has a cause and a next step in docs/refusals.md")
    void everyCodeIsExplained() throws IOException {
        Set<String> codes = new TreeSet<>(
                Arrays.stream(Disposition.values()).map(Enum::name).toList());
        for (String module : List.of("gate", "mcp", "app")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    Matcher made = MADE.matcher(Files.readString(file));
                    while (made.find()) {
                        codes.add(made.group(1) == null ? made.group(2) : made.group(1));
                    }
                }
            }
        }
        assertThat(codes)
                .contains("VAULT_SCRUB_FAILED", "LEDGER_UNAVAILABLE", "PASSPHRASE_REQUIRED", "PASSPHRASE_WAIT");
        String page = Files.readString(ROOT.resolve("docs/refusals.md"));
        assertThat(codes).allSatisfy(code -> assertThat(page).contains("`" + code + "`"));
    }
}
