package dev.postern.scrub;

import java.util.Arrays;

/** Places of a text that ask for a closer look, and how far around them to look. */
final class Triggers {
    /** By trigger: its position in the upper half, its number in the lower. */
    private long[] order = new long[16];

    private int[] before = new int[16];
    private int[] after = new int[16];
    private boolean[] runs = new boolean[16];
    private int size;
    private boolean sorted = true;
    private int runsSeen;

    boolean isEmpty() {
        return size == 0;
    }

    /** A value may start up to {@code before} characters before {@code at} and end up to {@code after} after it. */
    void value(int at, int before, int after) {
        add(at, before, after, false);
    }

    /** As {@link #value}, and the value may be one that was escaped and then encoded. */
    void escape(int at, int before, int after) {
        add(at, before, after, true);
    }

    /** A run of base64 from {@code start} to {@code end} may hold a value. */
    void run(int start, int end) {
        add(start, 0, end - start, true);
    }

    private void add(int at, int charactersBefore, int charactersAfter, boolean run) {
        if (size == order.length) {
            order = Arrays.copyOf(order, 2 * size);
            before = Arrays.copyOf(before, 2 * size);
            after = Arrays.copyOf(after, 2 * size);
            runs = Arrays.copyOf(runs, 2 * size);
        }
        sorted &= size == 0 || at >= order[size - 1] >>> 32;
        before[size] = charactersBefore;
        after[size] = charactersAfter;
        runs[size] = run;
        order[size] = (long) at << 32 | size++;
    }

    /** Up to where runs with escaped characters were looked at, so that each is looked at once. */
    int runsSeen() {
        return runsSeen;
    }

    void runsSeen(int end) {
        runsSeen = end;
    }

    int size() {
        return size;
    }

    /** Puts the triggers in the order of their positions. */
    void sort() {
        if (!sorted) {
            Arrays.sort(order, 0, size);
            sorted = true;
        }
    }

    int at(int place) {
        return (int) (order[place] >>> 32);
    }

    int before(int place) {
        return before[(int) order[place]];
    }

    int after(int place) {
        return after[(int) order[place]];
    }

    boolean isRun(int place) {
        return runs[(int) order[place]];
    }

    /** The first trigger at or past {@code position}, once sorted. */
    int firstFrom(int position) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (at(middle) < position) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    void clear() {
        size = 0;
        sorted = true;
    }
}
