package dev.postern.scrub;

import java.util.Arrays;

/**
 * Which bytes of a text are of a kind, a bit each, found out a block at a time. One look at 64 bits then tells what a loop
 * over bytes would, and most strings and words end within it, so that the processor has little to guess.
 */
final class Marks {
    /** Marks bytes of so many words of a text: the high bit of each. */
    interface Kind {
        void mark(byte[] text, int from, long[] marks, int count);
    }

    /** How many bits {@link #from} gives at least. */
    static final int KNOWN = Long.SIZE - Byte.SIZE + 1;

    private static final int BLOCK = 512;

    private final byte[] text;
    private final int to;
    private final Kind kind;
    private final long[] words;
    /** A bit a byte of the block; what lies beyond it counts as marked. */
    private final byte[] bits;

    private int start;
    private int end;

    /** Marks of that kind in {@code text[.., to)}, of which {@code length} bytes will be looked at. */
    Marks(byte[] text, int to, int length, Kind kind) {
        this.text = text;
        this.to = to;
        this.kind = kind;
        this.words = new long[Math.min(BLOCK, (length >>> 3) + 1)];
        this.bits = new byte[words.length + Long.BYTES];
    }

    /** Moves on to the block that starts at {@code at}. */
    void look(int at) {
        start = at;
        int length = Math.min(words.length << 3, to - at);
        int count = length >>> 3;
        kind.mark(text, at, words, count);
        Words.pack(words, bits, count);
        int padding = count;
        if ((length & 7) != 0) {
            bits[padding++] = last(at + (count << 3), length & 7);
        }
        Arrays.fill(bits, padding, Math.min(bits.length, padding + Long.BYTES), (byte) -1);
        end = at + length;
    }

    /** The marks of the last bytes, fewer than eight. */
    private byte last(int from, int length) {
        byte[] last = new byte[Long.BYTES];
        System.arraycopy(text, from, last, 0, length);
        long[] word = new long[1];
        kind.mark(last, 0, word, 1);
        byte[] marks = new byte[1];
        Words.pack(word, marks, 1);
        Arrays.fill(last, (byte) 0);
        return (byte) (marks[0] | -1 << length);
    }

    /** Where the block ends. */
    int end() {
        return end;
    }

    /**
     * The marks from {@code at} on, in the block, the first in the lowest bit; {@value #KNOWN} of them or more, and 0 above.
     * The bytes past the block are marked.
     */
    long from(int at) {
        int offset = at - start;
        return Words.eight(bits, offset >>> 3) >>> (offset & 7);
    }
}
