package dev.postern.scrub;

import java.util.Arrays;
import java.util.List;

/**
 * Finds where a text shows a factor: a short stretch of a pattern that stands there as it is, whatever was escaped around
 * it. Looks at one gram in every {@link #stride} bytes only, since a factor of length f shows one of its grams of length
 * g at any multiple of f - g + 1; so every gram of a factor that can fall on a multiple is in the table.
 *
 * <p>A gram first meets a set of bits, sized so that few grams of other texts pass, then a table that leads to the
 * factor, which is compared. Immutable once built, until {@link #wipe()}.
 */
final class GramFilter {
    /** Takes a factor found at a position of the text. */
    interface Found {
        void factor(Factor factor, int at);
    }

    private static final int LONGEST_GRAM = 4;
    private static final int LONGEST_STRIDE = 8;

    private final Factor[] factors;
    private final int gram;
    private final int mask;
    private final int stride;
    private final long[] bits;
    private final int shift;
    /** By slot: a gram, and one plus the first entry of those that have it. */
    private final int[] grams;

    private final int[] firstEntries;
    private final int slotShift;
    /** By entry: the factor, where the gram stands in it, and one plus the next entry of the same gram. */
    private final int[] entryFactors;

    private final int[] entryOffsets;
    private final int[] nextEntries;
    private int entries;

    GramFilter(List<Factor> factors) {
        this.factors = factors.toArray(new Factor[0]);
        int shortest = LONGEST_STRIDE + LONGEST_GRAM - 1;
        for (Factor factor : this.factors) {
            shortest = Math.min(shortest, factor.length());
        }
        // A gram a byte shorter than it could be, where that lets the stride grow: most time goes into looking.
        gram = shortest >= Factors.LONG_ENOUGH ? LONGEST_GRAM : Math.min(3, shortest);
        mask = -1 >>> (Integer.SIZE - 8 * gram);
        int possible = shortest - gram + 1;
        stride = possible >= 8 ? 8 : possible >= 4 ? 4 : possible >= 2 ? 2 : 1;
        int count = Math.max(1, this.factors.length * stride);
        int bitCountLog = Math.min(26, Math.max(14, log2(count) + 5));
        bits = new long[1 << (bitCountLog - 6)];
        shift = 32 - bitCountLog + 6;
        int slotLog = log2(count) + 1;
        slotShift = 32 - slotLog;
        grams = new int[1 << slotLog];
        firstEntries = new int[1 << slotLog];
        entryFactors = new int[count];
        entryOffsets = new int[count];
        nextEntries = new int[count];
        for (int i = 0; i < this.factors.length; i++) {
            for (int offset = 0; offset < stride; offset++) {
                insert(i, offset);
            }
        }
    }

    private static int log2(int count) {
        return 32 - Integer.numberOfLeadingZeros(Math.max(1, count - 1));
    }

    private void insert(int index, int offset) {
        Factor factor = factors[index];
        int gram = gram(factor.pattern().bytes(), factor.offset() + offset);
        int hash = hash(gram);
        bits[hash >>> shift] |= 1L << (hash >>> 5) | 1L << (hash >>> 11);
        int slot = hash >>> slotShift;
        while (firstEntries[slot] != 0 && grams[slot] != gram) {
            slot = (slot + 1) & (grams.length - 1);
        }
        grams[slot] = gram;
        entryFactors[entries] = index;
        entryOffsets[entries] = offset;
        nextEntries[entries] = firstEntries[slot];
        firstEntries[slot] = ++entries;
    }

    /** Reports every factor that stands in {@code text[from, to)}, some more than once. */
    void scan(byte[] text, int from, int to, Found found) {
        int fast = Math.min(to - gram, text.length - LONGEST_GRAM);
        int at = from;
        while (true) {
            at = switch (stride) {
                case 8 -> suspect(text, at, fast, 8);
                case 4 -> suspect(text, at, fast, 4);
                case 2 -> suspect(text, at, fast, 2);
                default -> suspect(text, at, fast, 1);
            };
            if (at > fast) {
                break;
            }
            check(text, at, from, to, found);
            at += stride;
        }
        for (; at <= to - gram; at += stride) {
            check(text, at, from, to, found);
        }
    }

    /** The first position whose gram may be one of a factor's. Small and without calls, to be compiled for each stride. */
    private int suspect(byte[] text, int from, int last, int stride) {
        long[] bits = this.bits;
        int shift = this.shift;
        int mask = this.mask;
        int at = from;
        for (; at <= last; at += stride) {
            int hash = hash(Words.four(text, at) & mask);
            long word = bits[hash >>> shift];
            if (((word >>> (hash >>> 5)) & (word >>> (hash >>> 11)) & 1) != 0) {
                break;
            }
        }
        return at;
    }

    private int gram(byte[] bytes, int at) {
        int gram = 0;
        for (int i = 0; i < this.gram; i++) {
            gram |= (bytes[at + i] & 0xFF) << (8 * i);
        }
        return gram;
    }

    private void check(byte[] text, int at, int from, int to, Found found) {
        int gram = gram(text, at);
        int slot = hash(gram) >>> slotShift;
        while (firstEntries[slot] != 0) {
            if (grams[slot] == gram) {
                for (int entry = firstEntries[slot]; entry != 0; entry = nextEntries[entry - 1]) {
                    Factor factor = factors[entryFactors[entry - 1]];
                    int start = at - entryOffsets[entry - 1];
                    int end = start + factor.length();
                    int offset = factor.offset();
                    if (start >= from
                            && end <= to
                            && Arrays.equals(
                                    text, start, end, factor.pattern().bytes(), offset, offset + factor.length())) {
                        found.factor(factor, start);
                    }
                }
                return;
            }
            slot = (slot + 1) & (grams.length - 1);
        }
    }

    private static int hash(int gram) {
        return gram * 0x9E3779B1;
    }

    void wipe() {
        Arrays.fill(grams, 0);
        Arrays.fill(bits, 0);
    }
}
