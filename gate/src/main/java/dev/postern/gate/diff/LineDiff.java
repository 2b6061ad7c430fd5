package dev.postern.gate.diff;

import java.util.ArrayList;
import java.util.List;

/**
 * The difference between two texts, line by line: the fewest lines removed and added. Texts so different and long that
 * finding the fewest would take more than a moment are shown as removed and added whole.
 */
public final class LineDiff {
    private static final long MAX_CELLS = 4_000_000;

    private LineDiff() {}

    /** What became of a line. */
    public enum Change {
        KEPT(' '),
        REMOVED('-'),
        ADDED('+');

        private final char mark;

        Change(char mark) {
            this.mark = mark;
        }

        /** As it stands before the line in a listing. */
        public char mark() {
            return mark;
        }
    }

    /** One line of either text. */
    public record Line(Change change, String text) {
        @Override
        public String toString() {
            return change.mark() + " " + text;
        }
    }

    /** Every line of both texts, in order. */
    public static List<Line> of(String before, String after) {
        List<String> old = before.lines().toList();
        List<String> now = after.lines().toList();
        int head = 0;
        while (head < Math.min(old.size(), now.size()) && old.get(head).equals(now.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < Math.min(old.size(), now.size()) - head
                && old.get(old.size() - 1 - tail).equals(now.get(now.size() - 1 - tail))) {
            tail++;
        }
        List<Line> lines = new ArrayList<>();
        add(lines, Change.KEPT, old.subList(0, head));
        middle(lines, old.subList(head, old.size() - tail), now.subList(head, now.size() - tail));
        add(lines, Change.KEPT, old.subList(old.size() - tail, old.size()));
        return List.copyOf(lines);
    }

    /** Whether anything was removed or added. */
    public static boolean hasChanges(List<Line> lines) {
        return lines.stream().anyMatch(line -> line.change() != Change.KEPT);
    }

    private static void middle(List<Line> lines, List<String> old, List<String> now) {
        if ((long) old.size() * now.size() > MAX_CELLS) {
            add(lines, Change.REMOVED, old);
            add(lines, Change.ADDED, now);
            return;
        }
        int[][] common = common(old, now);
        int i = 0;
        int j = 0;
        while (i < old.size() || j < now.size()) {
            if (i < old.size() && j < now.size() && old.get(i).equals(now.get(j))) {
                lines.add(new Line(Change.KEPT, old.get(i++)));
                j++;
            } else if (j == now.size() || (i < old.size() && common[i + 1][j] >= common[i][j + 1])) {
                lines.add(new Line(Change.REMOVED, old.get(i++)));
            } else {
                lines.add(new Line(Change.ADDED, now.get(j++)));
            }
        }
    }

    /** How many lines the rests of both texts have in common at most. */
    private static int[][] common(List<String> old, List<String> now) {
        int[][] common = new int[old.size() + 1][now.size() + 1];
        for (int i = old.size() - 1; i >= 0; i--) {
            for (int j = now.size() - 1; j >= 0; j--) {
                common[i][j] = old.get(i).equals(now.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        return common;
    }

    private static void add(List<Line> lines, Change change, List<String> texts) {
        texts.forEach(text -> lines.add(new Line(change, text)));
    }
}
