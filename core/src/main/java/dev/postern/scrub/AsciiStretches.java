package dev.postern.scrub;

/**
 * Finds the stretches of a run of base64 that open to ASCII, at each of the four characters a byte may start with.
 *
 * <p>One character in four bytes decides at each alignment whether a byte is ASCII, so a character rules out some of the
 * four. Of every stretch long enough a block of eight characters is looked at, all alignments at once; in what is no text
 * hardly a block leaves any over.
 */
final class AsciiStretches {
    /** Takes a stretch. */
    interface Stretch {
        /**
         * Takes one.
         *
         * @param from where a byte starts, and the stretch within the next three bytes
         * @return whether enough is known
         */
        boolean take(int from, int to);
    }

    private static final int BLOCK = 8;
    private static final int ALL = 0xF;

    /**
     * By place in a block, modulo four, and character: bit a is set if a byte that starts in the character is not ASCII where
     * bytes are counted from place a on.
     */
    private static final byte[] RULED_OUT = new byte[4 << 8];

    static {
        for (int place = 0; place < 4; place++) {
            for (int c = 0; c < 256; c++) {
                for (int alignment = 0; alignment < 4; alignment++) {
                    int bit = 5 - 2 * (place - alignment & 3);
                    if (bit > 0 && (Sextets.of((byte) c) >> bit & 1) != 0) {
                        RULED_OUT[place << 8 | c] |= (byte) (1 << alignment);
                    }
                }
            }
        }
    }

    private final byte[] run;
    private final int start;
    private final int end;
    private final int shortestBytes;
    private final Stretch stretch;
    /** By alignment: up to where it was looked at. */
    private final int[] done;

    private AsciiStretches(byte[] run, int start, int end, int shortestBytes, Stretch stretch) {
        this.run = run;
        this.start = start;
        this.end = end;
        this.shortestBytes = shortestBytes;
        this.stretch = stretch;
        this.done = new int[] {start, start + 1, start + 2, start + 3};
    }

    /**
     * Gives the stretches of at least so many bytes in {@code run[start, end)}, all base64 characters, until one is enough.
     *
     * @return whether one was
     */
    static boolean any(byte[] run, int start, int end, int shortestBytes, Stretch stretch) {
        int characters = shortestBytes * 8 / 6;
        if (characters < BLOCK) {
            return new AsciiStretches(run, start, end, shortestBytes, stretch).anyAt(start, end, 0);
        }
        AsciiStretches stretches = null;
        int stride = characters - BLOCK + 1;
        for (int at = start; at <= end - BLOCK; at += stride) {
            int out = ruledOut(run, at);
            if (out != ALL) {
                if (stretches == null) {
                    stretches = new AsciiStretches(run, start, end, shortestBytes, stretch);
                }
                if (stretches.anyAt(at, at + 1, out)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static int ruledOut(byte[] run, int at) {
        byte[] ruledOut = RULED_OUT;
        long word = Words.eight(run, at);
        int low = (int) word;
        int high = (int) (word >>> 32);
        return ruledOut[low & 0xFF]
                | ruledOut[0x100 | (low >>> 8 & 0xFF)]
                | ruledOut[0x200 | (low >>> 16 & 0xFF)]
                | ruledOut[0x300 | low >>> 24]
                | ruledOut[high & 0xFF]
                | ruledOut[0x100 | (high >>> 8 & 0xFF)]
                | ruledOut[0x200 | (high >>> 16 & 0xFF)]
                | ruledOut[0x300 | high >>> 24];
    }

    /** Looks at all stretches that go through a position of {@code [at, to)}, at the alignments that block leaves over. */
    private boolean anyAt(int from, int to, int ruledOut) {
        for (int at = from; at < to; at++) {
            for (int place = 0; place < 4; place++) {
                if ((ruledOut >> place & 1) == 0 && through(at, at + place - start & 3)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean through(int at, int alignment) {
        if (at < done[alignment] || !isGood(at, alignment)) {
            return false;
        }
        int first = at;
        while (first > done[alignment] && isGood(first - 1, alignment)) {
            first--;
        }
        int last = at + 1;
        while (last < end && isGood(last, alignment)) {
            last++;
        }
        done[alignment] = last;
        if ((last - first) * 6 / 8 + 1 < shortestBytes) {
            return false;
        }
        int origin = start + alignment;
        return stretch.take(origin + (first - origin) / 4 * 4, Math.min(end, last + 1));
    }

    private boolean isGood(int at, int alignment) {
        return (RULED_OUT[((at - start - alignment) & 3) << 8 | (run[at] & 0xFF)] & 1) == 0;
    }
}
