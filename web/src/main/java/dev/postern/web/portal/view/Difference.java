package dev.postern.web.portal.view;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How one text became another, line by line, with the lines around each change.
 *
 * @param lines in order; runs of unchanged lines far from a change are left out and marked by a {@link Kind#GAP}
 */
public record Difference(List<Line> lines) {
    /** Beyond this the middle is shown as replaced whole; comparing costs the product of both lengths. */
    private static final int MAX_CELLS = 4_000_000;

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

        public String mark() {
            return mark;
        }

        public String style() {
            return style;
        }

        public String spoken() {
            return spoken;
        }
    }

    /** One line; its text may hold what an agent or a server wrote. */
    public record Line(Kind kind, List<Segment> text) {}

    private record Step(Kind kind, String text) {}

    public boolean isEmpty() {
        return lines.stream().allMatch(line -> line.kind() == Kind.SAME || line.kind() == Kind.GAP);
    }

    /** Compares two texts. */
    public static Difference between(String before, String after) {
        List<String> old = before.lines().toList();
        List<String> now = after.lines().toList();
        int start = 0;
        while (start < old.size() && start < now.size() && old.get(start).equals(now.get(start))) {
            start++;
        }
        int oldEnd = old.size();
        int nowEnd = now.size();
        while (oldEnd > start && nowEnd > start && old.get(oldEnd - 1).equals(now.get(nowEnd - 1))) {
            oldEnd--;
            nowEnd--;
        }
        List<Step> steps = new ArrayList<>();
        old.subList(0, start).forEach(line -> steps.add(new Step(Kind.SAME, line)));
        steps.addAll(middle(old.subList(start, oldEnd), now.subList(start, nowEnd)));
        old.subList(oldEnd, old.size()).forEach(line -> steps.add(new Step(Kind.SAME, line)));
        return new Difference(shown(steps));
    }

    private static List<Step> middle(List<String> old, List<String> now) {
        if ((long) old.size() * now.size() > MAX_CELLS) {
            List<Step> whole = new ArrayList<>();
            old.forEach(line -> whole.add(new Step(Kind.REMOVED, line)));
            now.forEach(line -> whole.add(new Step(Kind.ADDED, line)));
            return whole;
        }
        int[][] common = new int[old.size() + 1][now.size() + 1];
        for (int i = 1; i <= old.size(); i++) {
            for (int j = 1; j <= now.size(); j++) {
                common[i][j] = old.get(i - 1).equals(now.get(j - 1))
                        ? common[i - 1][j - 1] + 1
                        : Math.max(common[i - 1][j], common[i][j - 1]);
            }
        }
        List<Step> backwards = new ArrayList<>();
        int i = old.size();
        int j = now.size();
        while (i > 0 || j > 0) {
            if (i > 0 && j > 0 && old.get(i - 1).equals(now.get(j - 1))) {
                backwards.add(new Step(Kind.SAME, old.get(--i)));
                j--;
            } else if (j > 0 && (i == 0 || common[i][j - 1] >= common[i - 1][j])) {
                backwards.add(new Step(Kind.ADDED, now.get(--j)));
            } else {
                backwards.add(new Step(Kind.REMOVED, old.get(--i)));
            }
        }
        Collections.reverse(backwards);
        return backwards;
    }

    private static List<Line> shown(List<Step> steps) {
        boolean[] near = new boolean[steps.size()];
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i).kind() != Kind.SAME) {
                for (int k = Math.max(0, i - AROUND); k <= Math.min(steps.size() - 1, i + AROUND); k++) {
                    near[k] = true;
                }
            }
        }
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            if (near[i]) {
                lines.add(new Line(
                        steps.get(i).kind(), VisibleText.of(steps.get(i).text()).segments()));
            } else if (i == 0 || near[i - 1]) {
                lines.add(new Line(Kind.GAP, List.of()));
            }
        }
        return lines;
    }
}
