package dev.postern.scrub;

import java.util.Arrays;
import java.util.List;

/**
 * Finds where a text shows a factor: a short stretch of a pattern that stands there as it is, whatever was escaped around
 * it. Looks at one gram in every {@link #stride} bytes only, since a factor of length f shows one of its grams of length
 * g at any multiple of f - g + 1; so every gram of a factor that can fall on a multiple is in the table.
 *
 * <p>A gram first meets a {@link GramSet}, which few grams of other texts pass, then a table that leads to the factor, which
 * is compared. Immutable once built, until {@link #wipe()}.
 */
final class GramFilter {
    /** Takes a factor found at a position of the text. */
    interface Found {
        void factor(Factor factor, int at);
    }

    private static final int LONGEST_GRAM = 4;
    private static final int LONGEST_STRIDE = 8;
    private static final int BLOCK = 512;

    private final Factor[] factors;
    private final int gram;
    private final int mask;
    private final int stride;
    private final GramSet set;
    /** By slot: a gram. Its entries are those from {@code starts[slot]} to {@code starts[slot + 1]}; a slot without is free. */
    private final int[] grams;

    private final int[] starts;
    private final int slotShift;
    /**
     * By entry: the factor, where the gram stands in it, and how it begins. Addresses of one kind have much in common, so that a
     * gram may have very many entries; their beginnings tell them apart without a look at each factor.
     */
    private final int[] entryFactors;

    private final byte[] entryOffsets;
    private final long[] entryHeads;
    /** The bytes of a beginning that every factor has, up to eight. */
    private final long headMask;

    GramFilter(List<Factor> factors) {
        this.factors = factors.toArray(new Factor[0]);
        int shortest = LONGEST_STRIDE + LONGEST_GRAM - 1;
        for (Factor factor : this.factors) {
            shortest = Math.min(shortest, factor.length());
        }
        // A gram a byte shorter than it could be, where that lets the stride grow: most time goes into looking.
        gram = shortest >= Factors.LONG_ENOUGH ? LONGEST_GRAM : Math.min(3, shortest);
        mask = -1 >>> (Integer.SIZE - 8 * gram);
        headMask = -1L >>> (Long.SIZE - Byte.SIZE * Math.min(Long.BYTES, shortest));
        int possible = shortest - gram + 1;
        stride = possible >= 8 ? 8 : possible >= 4 ? 4 : possible >= 2 ? 2 : 1;
        int count = Math.max(1, this.factors.length * stride);
        set = GramSet.of(count);
        int slotLog = GramSet.log2(count) + 1;
        slotShift = 32 - slotLog;
        grams = new int[1 << slotLog];
        starts = new int[(1 << slotLog) + 1];
        entryFactors = new int[count];
        entryOffsets = new byte[count];
        entryHeads = new long[count];
        int[] next = places();
        for (int i = 0; i < this.factors.length; i++) {
            for (int offset = 0; offset < stride; offset++) {
                int entry = next[slot(gram(this.factors[i], offset))]++;
                entryFactors[entry] = i;
                entryOffsets[entry] = (byte) offset;
                entryHeads[entry] = head(this.factors[i].pattern().bytes(), this.factors[i].offset());
            }
        }
    }

    /** Gives each gram a slot, and each slot room for its entries; returns where the entries of each begin. */
    private int[] places() {
        int[] sizes = new int[grams.length];
        for (Factor factor : factors) {
            for (int offset = 0; offset < stride; offset++) {
                int gram = gram(factor, offset);
                int hash = hash(gram);
                set.add(hash);
                int slot = hash >>> slotShift;
                while (sizes[slot] != 0 && grams[slot] != gram) {
                    slot = (slot + 1) & (grams.length - 1);
                }
                grams[slot] = gram;
                sizes[slot]++;
            }
        }
        for (int slot = 0; slot < sizes.length; slot++) {
            starts[slot + 1] = starts[slot] + sizes[slot];
        }
        return Arrays.copyOf(starts, sizes.length);
    }

    private int gram(Factor factor, int offset) {
        return gram(factor.pattern().bytes(), factor.offset() + offset);
    }

    private long head(byte[] bytes, int at) {
        if (at <= bytes.length - Long.BYTES) {
            return Words.eight(bytes, at) & headMask;
        }
        long head = 0;
        for (int i = bytes.length - 1; i >= at; i--) {
            head = (head << 8) | (bytes[i] & 0xFF);
        }
        return head & headMask;
    }

    /** The slot of a gram, or the free one that tells that there is none. */
    private int slot(int gram) {
        int slot = hash(gram) >>> slotShift;
        while (starts[slot] != starts[slot + 1] && grams[slot] != gram) {
            slot = (slot + 1) & (grams.length - 1);
        }
        return slot;
    }

    /** Reports every factor that stands in {@code text[from, to)}, some more than once. */
    void scan(byte[] text, int from, int to, Found found) {
        int last = Math.min(to - gram, text.length - LONGEST_GRAM);
        int at = from;
        if (at <= last) {
            int[] hashes = new int[Math.min(BLOCK, (last - at) / stride + 1)];
            do {
                int count = Math.min(hashes.length, (last - at) / stride + 1);
                hash(text, at, hashes, count);
                check(text, at, from, to, hashes, count, found);
                at += count * stride;
            } while (at <= last);
        }
        for (; at <= to - gram; at += stride) {
            check(text, at, from, to, found);
        }
    }

    /**
     * Looks closer at the grams of a block whose hashes are in the set. Kept apart from the hashing, which is compiled to vector
     * instructions only by itself: in one method both were half as fast.
     */
    private void check(byte[] text, int at, int from, int to, int[] hashes, int count, Found found) {
        for (int i = set.next(hashes, 0, count); i < count; i = set.next(hashes, i + 1, count)) {
            check(text, at + i * stride, from, to, found);
        }
    }

    private void hash(byte[] text, int from, int[] hashes, int count) {
        switch (stride) {
            case 8 -> hash(text, from, hashes, count, 8);
            case 4 -> hash(text, from, hashes, count, 4);
            case 2 -> hash(text, from, hashes, count, 2);
            default -> hash(text, from, hashes, count, 1);
        }
    }

    /** Small and without calls or branches, so that it is compiled for each stride, to vector instructions where it can be. */
    private void hash(byte[] text, int from, int[] hashes, int count, int stride) {
        int mask = this.mask;
        int unused = set.unused();
        for (int i = 0; i < count; i++) {
            hashes[i] = hash(Words.four(text, from + i * stride) & mask) >>> unused;
        }
    }

    private int gram(byte[] bytes, int at) {
        int gram = 0;
        for (int i = 0; i < this.gram; i++) {
            gram |= (bytes[at + i] & 0xFF) << (8 * i);
        }
        return gram;
    }

    private void check(byte[] text, int at, int from, int to, Found found) {
        int slot = slot(gram(text, at));
        for (int entry = starts[slot]; entry < starts[slot + 1]; entry++) {
            int start = at - entryOffsets[entry];
            if (start >= from && head(text, start) == entryHeads[entry]) {
                report(factors[entryFactors[entry]], text, start, to, found);
            }
        }
    }

    private static void report(Factor factor, byte[] text, int start, int to, Found found) {
        int end = start + factor.length();
        int offset = factor.offset();
        if (end <= to && Arrays.equals(text, start, end, factor.pattern().bytes(), offset, offset + factor.length())) {
            found.factor(factor, start);
        }
    }

    private static int hash(int gram) {
        return gram * 0x9E3779B1;
    }

    void wipe() {
        Arrays.fill(grams, 0);
        Arrays.fill(entryHeads, 0);
        set.wipe();
    }
}
