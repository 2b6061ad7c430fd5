package dev.postern.scrub;

import java.util.Arrays;

/**
 * The ways that threads of matching came: for each the readings it took, so that where a match began can be told from
 * how many bytes it consumed. Nodes point back to the way before them and, by a skew-binary jump (Myers 1983), far
 * back, so that telling costs the logarithm of the way's length.
 */
final class Paths {
    private static final int NONE = -1;

    private int[] previous = new int[64];
    private int[] jump = new int[64];
    private int[] length = new int[64];
    private int[] consumedBefore = new int[64];
    private int[] consumedAfter = new int[64];
    private int[] start = new int[64];
    private int[] end = new int[64];
    private int count;

    void clear() {
        count = 0;
    }

    /** A way one reading longer: it led from {@code start} to {@code end} and took the consumed bytes that far. */
    int add(int before, int consumedBefore, int start, int consumedAfter, int end) {
        if (count == previous.length) {
            previous = Arrays.copyOf(previous, 2 * count);
            jump = Arrays.copyOf(jump, 2 * count);
            length = Arrays.copyOf(length, 2 * count);
            this.consumedBefore = Arrays.copyOf(this.consumedBefore, 2 * count);
            this.consumedAfter = Arrays.copyOf(this.consumedAfter, 2 * count);
            this.start = Arrays.copyOf(this.start, 2 * count);
            this.end = Arrays.copyOf(this.end, 2 * count);
        }
        int node = count++;
        previous[node] = before;
        length[node] = before == NONE ? 1 : length[before] + 1;
        int far = before == NONE ? NONE : jump[before];
        int farther = far == NONE ? NONE : jump[far];
        jump[node] = before != NONE && lengthOf(before) - lengthOf(far) == lengthOf(far) - lengthOf(farther)
                ? farther
                : before;
        this.consumedBefore[node] = consumedBefore;
        this.consumedAfter[node] = consumedAfter;
        this.start[node] = start;
        this.end[node] = end;
        return node;
    }

    /** The position at which the byte with this number was read, on a way that began at {@code origin}. */
    int start(int way, int number, int origin) {
        int node = way;
        while (node != NONE && consumedBefore[node] > number) {
            int far = jump[node];
            node = far != NONE && consumedBefore[far] > number ? far : previous[node];
        }
        if (node == NONE) {
            return origin + number;
        }
        return consumedAfter[node] > number ? start[node] : end[node] + number - consumedAfter[node];
    }

    private int lengthOf(int node) {
        return node == NONE ? 0 : length[node];
    }
}
