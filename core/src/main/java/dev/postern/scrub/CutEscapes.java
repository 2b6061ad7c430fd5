package dev.postern.scrub;

import java.util.function.IntPredicate;

/**
 * Tells which escapes at the end of a text are unfinished, as a tool leaves them that cuts what it returns: what stands before
 * such an escape is the end of the text as far as a value is concerned (S15). The characters of an escape may be escaped
 * themselves, and it may be one of those that was cut.
 *
 * <p>Goes from the end of the text backwards, so that what follows a position is known when it is its turn.
 *
 * <p>Not thread-safe; reused from text to text.
 */
final class CutEscapes {
    /** An unfinished escape starts no farther from the end. */
    private static final int LONGEST = Remnants.LONGEST;

    private final EscapedText text;
    private final Readings readings;
    private int first;
    /** By distance from the end: whether an escape that starts there is unfinished. */
    private final boolean[] cut = new boolean[LONGEST + 1];
    /** Whether what starts there and ends the text may be the beginning of a reference's name or number. */
    private final boolean[] names = new boolean[LONGEST + 1];
    /** Whether it may be the beginning of a control sequence. */
    private final boolean[] sequences = new boolean[LONGEST + 1];
    /** How many hex digits it may be: bit n for n of them. */
    private final int[] digits = new int[LONGEST + 1];

    CutEscapes(EscapedText text) {
        this.text = text;
        this.readings = text.readings();
    }

    /** Looks at the end of the text, once its escapes were read. */
    void read() {
        int to = text.to();
        int farthest = Math.max(text.from(), to - LONGEST);
        int step = Math.max(1, readings.longest());
        first = to;
        // What is part of none, and from where no reading leads to what is, ends the search.
        for (int at = to - 1, part = to; at >= farthest && part - at <= step; at--) {
            first = at;
            int distance = to - at;
            names[distance] = endsWith(at, CutEscapes::isOfName, names);
            sequences[distance] = endsWith(at, CutEscapes::isOfSequence, sequences);
            digits[distance] = digitsAt(at);
            cut[distance] = breaksOff(text.at(at), at + 1);
            for (int reading = readings.first(at); reading != Readings.NONE; reading = readings.next(reading)) {
                int code = readings.code(reading);
                int end = readings.end(reading);
                cut[distance] |= breaksOff(code, end) || (isHighSurrogate(code) && isEnd(end));
            }
            if (names[distance] || sequences[distance] || digits[distance] != 0 || cut[distance]) {
                part = at;
            }
        }
    }

    /** Whether an escape starts at {@code at} that the end of the text cuts short. */
    boolean isCut(int at) {
        return at >= first && at < text.to() && cut[text.to() - at];
    }

    /** Whether it is the first half of a character, which is nothing without the second. */
    private static boolean isHighSurrogate(int code) {
        return code >= Character.MIN_HIGH_SURROGATE && code <= Character.MAX_HIGH_SURROGATE;
    }

    /** Whether an escape whose marker was read, and which goes on at {@code rest}, ends unfinished. */
    private boolean breaksOff(int marker, int rest) {
        return switch (marker) {
            case '\\' -> backslash(rest);
            case '%' -> isEnd(rest) || hasDigits(rest, 1) || follows(rest, 'u', 3);
            case '&' -> isEnd(rest) || names[text.to() - rest];
            case 0x1B -> isEnd(rest) || sequences[text.to() - rest];
            default -> false;
        };
    }

    private boolean backslash(int rest) {
        int at = rest;
        while (at < text.to() && text.at(at) == '\\') {
            at++;
        }
        return isUnfinished(rest) || isUnfinished(at);
    }

    /** Whether what follows a backslash, or a run of them, is missing or cut. */
    private boolean isUnfinished(int at) {
        return isEnd(at) || follows(at, 'u', 3) || follows(at, 'x', 1) || follows(at, 'U', 7);
    }

    /** Whether nothing is left at {@code at}, or only what was cut itself. */
    private boolean isEnd(int at) {
        return at == text.to() || isCut(at);
    }

    /** Whether that character and then no or too few digits end the text. */
    private boolean follows(int at, char character, int mostDigits) {
        return any(at, c -> c == character, end -> isEnd(end) || hasDigits(end, mostDigits));
    }

    private boolean hasDigits(int at, int most) {
        return at < text.to() && (digits[text.to() - at] & ((1 << (most + 1)) - 1)) != 0;
    }

    private int digitsAt(int at) {
        int counts = Character.digit(text.at(at), 16) >= 0 ? oneMore(at + 1) : 0;
        for (int reading = readings.first(at); reading != Readings.NONE; reading = readings.next(reading)) {
            int code = readings.code(reading);
            if (code > 0 && code < 0x80 && Character.digit(code, 16) >= 0) {
                counts |= oneMore(readings.end(reading));
            }
        }
        return counts;
    }

    private int oneMore(int end) {
        return (isEnd(end) ? 1 << 1 : 0) | (end < text.to() ? digits[text.to() - end] << 1 : 0);
    }

    /** Whether wanted characters only are at {@code at} and behind, up to the end. */
    private boolean endsWith(int at, IntPredicate wanted, boolean[] behind) {
        return any(at, wanted, end -> isEnd(end) || behind[text.to() - end]);
    }

    private static boolean isOfName(int c) {
        return c == '#' || (c > 0 && c < 0x80 && Character.isLetterOrDigit(c));
    }

    private static boolean isOfSequence(int c) {
        return c == '[' || (c >= '0' && c < '@');
    }

    /** Whether a wanted character stands at {@code at}, read in any way, after which the rest is as it should be. */
    private boolean any(int at, IntPredicate wanted, IntPredicate rest) {
        if (at >= text.to()) {
            return false;
        }
        if (wanted.test(text.at(at)) && rest.test(at + 1)) {
            return true;
        }
        for (int reading = readings.first(at); reading != Readings.NONE; reading = readings.next(reading)) {
            if (wanted.test(readings.code(reading)) && rest.test(readings.end(reading))) {
                return true;
            }
        }
        return false;
    }
}
