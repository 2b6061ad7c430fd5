package dev.postern.scrub;

import java.util.Arrays;

/**
 * Watches for base64 and hex that could hold an escaped value. Every word is a run of base64 characters; what tells a real
 * one is that its bytes, at one of four alignments, are text. So runs are found by looking at eight bytes at a time, and
 * of each run only the stretches that open to text are opened.
 */
final class RunWatch {
    /** Takes the range of a run that may hold a value. */
    interface Found {
        void run(int start, int end);
    }

    private static final int NESTING = 4;
    /** No line of base64 is shorter than this and seven, so a run over several lines is met as well. */
    private static final int LONGEST_STRIDE = 32;

    private static final byte NO_CHARACTER = 1;
    private static final byte HEX_DIGIT = 2;
    private static final byte[] KINDS = new byte[256];

    static {
        for (int c = 0; c < 256; c++) {
            KINDS[c] = (byte)
                    ((Sextets.of((byte) c) < 0 ? NO_CHARACTER : 0) | (Character.digit(c, 16) >= 0 ? HEX_DIGIT : 0));
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
        if (depth >= NESTING) {
            return;
        }
        // Every run that is long enough covers a window of eight bytes, or of as many as it has, that is looked at.
        int window = Math.min(Long.BYTES, shortestRun);
        int stride = Math.max(1, Math.min(LONGEST_STRIDE, shortestRun - window + 1));
        int last = to - window;
        int done = from;
        for (int at = from; at <= last; at += stride) {
            if (!isRun(text, at, window)) {
                continue;
            }
            int start = Runs.start(text, done, at);
            int end = Runs.end(text, at + window, to);
            int unescaped = Runs.startPastEscape(text, done, at);
            if (Runs.isBroken(text, unescaped, end, from, to)) {
                Runs whole = new Runs();
                whole.collect(text, done, unescaped, to);
                if (whole.length() >= shortestRun && isSuspicious(whole.characters(), 0, whole.length(), depth)) {
                    found.run(whole.start(), whole.end());
                }
                whole.wipe();
                end = Math.max(end, whole.end());
            } else if (end - start >= shortestRun && isSuspicious(text, start, end, depth)) {
                found.run(start, end);
            }
            done = end;
            at = Math.max(at, end - stride);
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
        Runs whole = new Runs();
        whole.collect(text, from, Runs.startPastEscape(text, from, marker), to);
        if (whole.length() >= shortestRun && isSuspicious(whole.characters(), 0, whole.length(), 0)) {
            found.run(whole.start(), whole.end());
        }
        whole.wipe();
        return whole.end();
    }

    private static boolean isRun(byte[] text, int at, int length) {
        if (length == Long.BYTES) {
            long word = Words.eight(text, at);
            if (((Words.below(word, '+') | word) & Words.HIGH) != 0) {
                return false;
            }
            // All eight without a branch between: which of them ends a run is hard to foretell.
            byte[] kinds = KINDS;
            int kind = kinds[text[at]]
                    | kinds[text[at + 1]]
                    | kinds[text[at + 2]]
                    | kinds[text[at + 3]]
                    | kinds[text[at + 4]]
                    | kinds[text[at + 5]]
                    | kinds[text[at + 6]]
                    | kinds[text[at + 7]];
            return (kind & NO_CHARACTER) == 0;
        }
        for (int i = at; i < at + length; i++) {
            if ((KINDS[text[i] & 0xFF] & NO_CHARACTER) != 0) {
                return false;
            }
        }
        return true;
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
        return (KINDS[b & 0xFF] & HEX_DIGIT) != 0;
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
