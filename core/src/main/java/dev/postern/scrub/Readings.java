package dev.postern.scrub;

import java.util.Arrays;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Every way in which the characters of a text can be read, besides as themselves: for each position a list of characters and
 * where the text goes on after them. {@link EscapeReader} makes it, from right to left.
 *
 * <p>Not thread-safe; reused from text to text.
 */
final class Readings {
    /** Nothing is read here; what lies between is decoration, such as a colour code. */
    static final int SKIP = -1;
    /** As {@link #SKIP}, between the lines of wrapped base64 and hex only. */
    static final int WRAP = -2;
    /** Set on a reading that is one byte of at least 0x80, not a character. */
    static final int BYTE = 1 << 30;

    static final int NONE = -1;
    /** The longest escape that is recognised backwards, from its end. */
    private static final int LONGEST_ESCAPE = 16;

    private final Decompositions decompositions;
    private int from;
    private int[] first = new int[64];
    private int[] codes = new int[64];
    private int[] ends = new int[64];
    private int[] next = new int[64];
    private byte[] depths = new byte[64];
    private int count;
    private int longest;

    Readings(Decompositions decompositions) {
        this.decompositions = decompositions;
    }

    /** Begins a new list, for the positions from {@code from} to {@code to}. */
    void start(int from, int to) {
        this.from = from;
        count = 0;
        longest = 0;
        if (first.length <= to - from) {
            first = new int[to - from + 64];
        }
        Arrays.fill(first, 0, to - from + 1, NONE);
    }

    /** Enters a reading, unless the position has it, whatever its depth. */
    void add(int at, int code, int end, int depth) {
        for (int reading = first(at); reading != NONE; reading = next[reading]) {
            if (codes[reading] == code && ends[reading] == end) {
                return;
            }
        }
        if (count == codes.length) {
            codes = Arrays.copyOf(codes, 2 * count);
            ends = Arrays.copyOf(ends, 2 * count);
            next = Arrays.copyOf(next, 2 * count);
            depths = Arrays.copyOf(depths, 2 * count);
        }
        longest = Math.max(longest, end - at);
        codes[count] = code;
        ends[count] = end;
        depths[count] = (byte) depth;
        next[count] = first(at);
        first[at - from] = count++;
    }

    /** Whether every character of the text can only be read as itself. */
    boolean isEmpty() {
        return count == 0;
    }

    /** How many bytes the longest reading takes. */
    int longest() {
        return longest;
    }

    /** The first reading of a position besides its own byte, or {@link #NONE}. */
    int first(int at) {
        return first[at - from];
    }

    /** The next reading of the same position, or {@link #NONE}. */
    int next(int reading) {
        return next[reading];
    }

    int code(int reading) {
        return codes[reading];
    }

    int end(int reading) {
        return ends[reading];
    }

    /** How many rules were applied to get there. */
    int depth(int reading) {
        return depths[reading];
    }

    /** The decomposition of a character that was read, or null if it stays as it is. */
    byte @Nullable [] decomposition(int code) {
        return decompositions.isEmpty() ? null : decompositions.of(code);
    }

    /** Where a reading that ends at {@code end} and is wanted starts, or -1. Only short escapes are looked for. */
    int startOf(int end, IntPredicate wanted) {
        for (int at = Math.max(from, end - LONGEST_ESCAPE); at < end; at++) {
            for (int reading = first(at); reading != NONE; reading = next[reading]) {
                if (ends[reading] == end && wanted.test(codes[reading])) {
                    return at;
                }
            }
        }
        return -1;
    }

    /** Where a reading that starts at {@code start} and is wanted ends, or -1. */
    int endOf(int start, IntPredicate wanted) {
        for (int reading = first(start); reading != NONE; reading = next[reading]) {
            if (wanted.test(codes[reading])) {
                return ends[reading];
            }
        }
        return -1;
    }
}
