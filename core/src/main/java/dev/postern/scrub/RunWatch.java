package dev.postern.scrub;

import java.util.Arrays;

/**
 * Watches for base64 and hex that could hold an escaped value. Every word is a run of base64 characters; what tells a real
 * one is that its bytes, at one of four alignments, are text. So runs that are long enough are read off the {@link Marks} of
 * a block, and of each only the stretches that open to text are opened.
 */
final class RunWatch {
    /** Takes the range of a run that may hold a value. */
    interface Found {
        void run(int start, int end);
    }

    private static final int NESTING = 4;
    /** A run over several lines is met by any of them that is this long, as {@link Factors} counts on. */
    private static final int LONGEST_NEEDED = 13;

    private static final long KNOWN = (1L << Marks.KNOWN) - 1;
    private static final boolean[] HEX_DIGITS = new boolean[128];

    static {
        for (char c = 0; c < HEX_DIGITS.length; c++) {
            HEX_DIGITS[c] = Character.digit(c, 16) >= 0;
        }
    }

    private final Watch watch;
    private final int shortestBytes;
    private final int shortestRun;
    private final boolean ascii;

    /**
     * Watches.
     *
     * @param shortestBytes see {@link Forms#shortestEscaped()}
     * @param ascii whether all values are ASCII, so that what opens to anything else is noise
     */
    RunWatch(Watch watch, int shortestBytes, boolean ascii) {
        this.watch = watch;
        this.shortestBytes = shortestBytes;
        this.shortestRun = shortestBytes == Pattern.NEVER ? Pattern.NEVER : (8 * shortestBytes + 5) / 6;
        this.ascii = ascii;
    }

    /** Texts shorter than this hold no run worth opening. */
    int shortestRun() {
        return shortestRun;
    }

    /** Reports the runs in {@code text[from, to)} that may hold a value; {@code depth} levels were opened to get here. */
    void watch(byte[] text, int from, int to, int depth, Found found) {
        if (depth >= NESTING || to - from < shortestRun) {
            return;
        }
        Opened opened = new Opened(text, from, to, depth, found);
        int needed = Math.min(shortestRun, LONGEST_NEEDED);
        int toTwo = Math.min(1, needed - 1);
        int toFour = Math.min(2, needed - 1 - toTwo);
        int toEight = Math.min(4, needed - 1 - toTwo - toFour);
        int toSixteen = Math.min(8, needed - 1 - toTwo - toFour - toEight);
        int toAll = needed - 1 - toTwo - toFour - toEight - toSixteen;
        Marks others = new Marks(text, to, to - from, Words::notBase64);
        int at = from;
        int done = from;
        while (at <= to - needed) {
            others.look(at);
            // What may go on past the block is looked at in the next.
            int last = others.end() == to ? to - needed : others.end() - Marks.KNOWN;
            while (at <= last) {
                // Where so many bits that are set follow one another: twice as many at each step, until there are
                // enough.
                long starts = ~others.from(at) & KNOWN;
                starts &= starts >>> toTwo;
                starts &= starts >>> toFour;
                starts &= starts >>> toEight;
                starts &= starts >>> toSixteen;
                starts &= starts >>> toAll;
                if (starts == 0) {
                    // Of the bits that are known, only the last could start what is needed.
                    at += Marks.KNOWN - needed + 1;
                    continue;
                }
                int first = at + Long.numberOfTrailingZeros(starts);
                int start = first == at ? Runs.start(text, done, first) : first;
                done = opened.run(done, start, first, Runs.end(text, first + needed, to));
                at = done;
            }
        }
    }

    /** A text whose runs are opened. */
    private final class Opened {
        private final byte[] text;
        private final int from;
        private final int to;
        private final int depth;
        private final Found found;

        Opened(byte[] text, int from, int to, int depth, Found found) {
            this.from = from;
            this.text = text;
            this.to = to;
            this.depth = depth;
            this.found = found;
        }

        /**
         * Opens the run from {@code start} to {@code end} that goes through {@code at}, and reports it if it may hold a value.
         * Runs that end at {@code done} were opened before.
         *
         * @return where it ends
         */
        int run(int done, int start, int at, int end) {
            int unescaped = Runs.pastEscape(text, done, start, at);
            if (Runs.isBroken(text, unescaped, end, from, to)) {
                return Math.max(end, broken(text, done, unescaped, to, depth, found));
            }
            if (end - start >= shortestRun && isSuspicious(text, start, end, depth)) {
                found.run(start, end);
            }
            return end;
        }
    }

    /**
     * Reports the run around an escape at {@code at} that may be one of its characters, if that run may hold a value.
     *
     * @return where the run ends; {@code from} if there is none
     */
    int around(byte[] text, int from, int at, int to, Found found) {
        if (shortestRun == Pattern.NEVER || !Runs.isEscaped(text, at, to)) {
            return from;
        }
        int marker = at;
        while (marker > from && text[marker - 1] == '\\') {
            marker--;
        }
        return broken(text, from, Runs.startPastEscape(text, from, marker), to, 0, found);
    }

    /** Puts the run together that goes through {@code at}, and reports it if it may hold a value; returns where it ends. */
    private int broken(byte[] text, int from, int at, int to, int depth, Found found) {
        Runs whole = new Runs();
        whole.collect(text, from, at, to);
        if (whole.length() >= shortestRun && isSuspicious(whole.characters(), 0, whole.length(), depth)) {
            found.run(whole.start(), whole.end());
        }
        whole.wipe();
        return whole.end();
    }

    private boolean isSuspicious(byte[] run, int start, int end, int depth) {
        return isSuspiciousBase64(run, start, end, depth) || isSuspiciousHex(run, start, end, depth);
    }

    private boolean isSuspiciousBase64(byte[] run, int start, int end, int depth) {
        if (ascii) {
            return AsciiStretches.any(run, start, end, shortestBytes, (from, to) -> opens(run, from, to, depth));
        }
        for (int alignment = 0; alignment < 4; alignment++) {
            if (opens(run, start + alignment, end, depth)) {
                return true;
            }
        }
        return false;
    }

    /** Whether base64 that starts with a whole byte at {@code from} opens to something suspicious. */
    private boolean opens(byte[] run, int from, int to, int depth) {
        byte[] bytes = new byte[Math.max(0, (to - from) * 6 / 8)];
        int bits = 0;
        int held = 0;
        int filled = 0;
        for (int at = from; filled < bytes.length; at++) {
            bits = (bits << 6) | Sextets.of(run[at]);
            held += 6;
            if (held >= 8) {
                held -= 8;
                bytes[filled++] = (byte) (bits >> held);
            }
        }
        return showsText(bytes, depth);
    }

    private boolean isSuspiciousHex(byte[] run, int start, int end, int depth) {
        int needed = 2 * shortestBytes;
        int first = start;
        int last = start + needed - 1;
        while (last < end) {
            int at = last;
            while (at >= first && isHexDigit(run[at])) {
                at--;
            }
            if (at >= first) {
                first = at + 1;
                last = at + needed;
                continue;
            }
            int digitsEnd = last + 1;
            while (digitsEnd < end && isHexDigit(run[digitsEnd])) {
                digitsEnd++;
            }
            if (opensHex(run, first, digitsEnd, depth) || opensHex(run, first + 1, digitsEnd, depth)) {
                return true;
            }
            first = digitsEnd + 1;
            last = digitsEnd + needed;
        }
        return false;
    }

    private static boolean isHexDigit(byte b) {
        return HEX_DIGITS[b];
    }

    private boolean opensHex(byte[] run, int from, int to, int depth) {
        byte[] bytes = new byte[(to - from) / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] =
                    (byte) ((Character.digit(run[from + 2 * i], 16) << 4) + Character.digit(run[from + 2 * i + 1], 16));
        }
        return showsText(bytes, depth);
    }

    /** Looks closer at each stretch of text in what was opened. */
    private boolean showsText(byte[] bytes, int depth) {
        int start = 0;
        boolean suspicious = false;
        for (int end = 0; end <= bytes.length && !suspicious; end++) {
            if (end < bytes.length && isText(bytes[end])) {
                continue;
            }
            suspicious = end - start >= shortestBytes && watch.isSuspicious(bytes, start, end, depth + 1);
            start = end + 1;
        }
        Arrays.fill(bytes, (byte) 0);
        return suspicious;
    }

    private boolean isText(byte b) {
        return (b >= ' ' && b != 0x7F) || (b < 0 && !ascii) || b == '\n' || b == '\r' || b == '\t' || b == 0x1B;
    }
}
