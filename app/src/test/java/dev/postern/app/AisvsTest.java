package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/aisvs.md} names tests that exist, and leaves no row without a control or a reason. */
class AisvsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w+Test)(?:#(\\w+))?`");
    private static final Pattern ROW = Pattern.compile("^\\| (\\d+\\.\\d+\\.\\d+) \\|");

    /** How many requirements each section has. */
    private static final Map<String, Integer> SECTIONS = Map.ofEntries(
            Map.entry("9.1", 3),
            Map.entry("9.2", 10),
            Map.entry("9.3", 8),
            Map.entry("9.4", 4),
            Map.entry("9.5", 6),
            Map.entry("9.6", 3),
            Map.entry("10.1", 3),
            Map.entry("10.2", 7),
            Map.entry("10.3", 5),
            Map.entry("10.4", 9),
            Map.entry("12.4", 3));

    @Test
    void everyTestNamedInTheTableExists() throws IOException {
        Map<String, List<String>> sources = new HashMap<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.toList()) {
                Path tests = module.resolve("src/test/java");
                if (Files.isDirectory(tests)) {
                    try (Stream<Path> files = Files.walk(tests)) {
                        for (Path file : files.filter(each -> each.toString().endsWith("Test.java"))
                                .toList()) {
                            String name = file.getFileName().toString().replace(".java", "");
                            sources.computeIfAbsent(name, _ -> new ArrayList<>())
                                    .add(Files.readString(file));
                        }
                    }
                }
            }
        }
        List<String> missing = new ArrayList<>();
        Matcher named = NAMED.matcher(document());
        int found = 0;
        while (named.find()) {
            found++;
            String method = named.group(2);
            if (sources.getOrDefault(named.group(1), List.of()).stream()
                    .noneMatch(source -> method == null || source.contains("void " + method + "("))) {
                missing.add(named.group());
            }
        }
        assertThat(missing).isEmpty();
        assertThat(found).isGreaterThan(60);
    }

    @Test
    void everyRequirementHasARowWithAControlOrAReason() throws IOException {
        Map<String, Integer> rows = new HashMap<>();
        for (String line : document().lines().toList()) {
            Matcher row = ROW.matcher(line);
            if (row.find()) {
                String number = row.group(1);
                rows.merge(number.substring(0, number.lastIndexOf('.')), 1, Integer::sum);
                String[] cells = line.split("\\|", -1);
                String answer = cells[3].strip();
                assertThat(answer).as(number).isIn("yes", "in part", "not ours");
                assertThat(cells[4]).as(number).isNotBlank();
                assertThat(answer.equals("not ours") || cells[5].contains("`"))
                        .as("%s names a test", number)
                        .isTrue();
            }
        }
        assertThat(rows).isEqualTo(SECTIONS);
    }

    private static String document() throws IOException {
        return Files.readString(ROOT.resolve("docs/aisvs.md"));
    }
}
