package dev.postern.web.portal.view;

import dev.postern.gate.diff.LineDiff;
import java.util.ArrayList;
import java.util.List;

/**
 * How one text became another, line by line, with the lines around each change.
 *
 * @param lines in order; runs of unchanged lines far from a change are left out and marked by a {@link Kind#GAP}
 */
public record Difference(List<Line> lines) {
    private static final int AROUND = 3;

    public Difference {
        lines = List.copyOf(lines);
    }

    /** What a line is. */
    public enum Kind {
        SAME(" ", "same", ""),
        ADDED("+", "added", "added: "),
        REMOVED("−", "removed", "removed: "),
        GAP("⋯", "same", "unchanged lines left out");

        private final String mark;
        private final String style;
        private final String spoken;

        Kind(String mark, String style, String spoken) {
            this.mark = mark;
            this.style = style;
            this.spoken = spoken;
        }

        /** As it stands before the line. */
        public String mark() {
            return mark;
        }

        /** The style's class. */
        public String style() {
            return style;
        }

        /** What a screen reader says before the line. */
        public String spoken() {
            return spoken;
        }
    }

    /** One line; its text may hold what an agent or a server wrote. */
    public record Line(Kind kind, List<Segment> text) {}

    /** Whether nothing was removed or added. */
    public boolean isEmpty() {
        return lines.stream().allMatch(line -> line.kind() == Kind.SAME || line.kind() == Kind.GAP);
    }

    /** Compares two texts. */
    public static Difference between(String before, String after) {
        return new Difference(shown(LineDiff.of(before, after)));
    }

    private static Kind kind(LineDiff.Change change) {
        return switch (change) {
            case KEPT -> Kind.SAME;
            case REMOVED -> Kind.REMOVED;
            case ADDED -> Kind.ADDED;
        };
    }

    private static List<Line> shown(List<LineDiff.Line> steps) {
        boolean[] near = new boolean[steps.size()];
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i).change() != LineDiff.Change.KEPT) {
                for (int k = Math.max(0, i - AROUND); k <= Math.min(steps.size() - 1, i + AROUND); k++) {
                    near[k] = true;
                }
            }
        }
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            if (near[i]) {
                LineDiff.Line step = steps.get(i);
                lines.add(new Line(
                        kind(step.change()), VisibleText.of(step.text()).segments()));
            } else if (i == 0 || near[i - 1]) {
                lines.add(new Line(Kind.GAP, List.of()));
            }
        }
        return lines;
    }
}
