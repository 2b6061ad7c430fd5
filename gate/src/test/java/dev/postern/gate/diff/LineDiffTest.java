package dev.postern.gate.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.diff.LineDiff.Change;
import dev.postern.gate.diff.LineDiff.Line;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LineDiffTest {
    @Test
    void onlyWhatChangedIsMarked() {
        assertThat(LineDiff.of("a\nb\nc\nd", "a\nc\nx\nd").stream().map(Line::toString))
                .containsExactly("  a", "- b", "  c", "+ x", "  d");
        assertThat(LineDiff.hasChanges(LineDiff.of("a\nb", "a\nb"))).isFalse();
        assertThat(LineDiff.of("", "a")).containsExactly(new Line(Change.ADDED, "a"));
    }

    @Test
    void bothTextsCanBeReadOffTheLines() {
        Random random = new Random(7);
        for (int round = 0; round < 2_000; round++) {
            String before = text(random);
            String after = text(random);
            List<Line> lines = LineDiff.of(before, after);
            assertThat(without(lines, Change.ADDED)).isEqualTo(before.lines().toList());
            assertThat(without(lines, Change.REMOVED)).isEqualTo(after.lines().toList());
        }
    }

    @Test
    void aTextOfManyOtherLinesIsShownWhole() {
        String before = IntStream.range(0, 3_000).mapToObj(i -> "a" + i).collect(Collectors.joining("\n"));
        String after = IntStream.range(0, 3_000).mapToObj(i -> "b" + i).collect(Collectors.joining("\n"));
        assertThat(LineDiff.of(before, after)).hasSize(6_000);
    }

    private static String text(Random random) {
        return random.ints(random.nextInt(9), 0, 4).mapToObj(Integer::toString).collect(Collectors.joining("\n"));
    }

    private static List<String> without(List<Line> lines, Change change) {
        return lines.stream()
                .filter(line -> line.change() != change)
                .map(Line::text)
                .toList();
    }
}
