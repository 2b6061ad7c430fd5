package dev.postern.scrub;

/**
 * Tokens of a text: runs of letters, digits and underscores, or runs of other visible characters. A value of one to
 * three characters counts only where it is a whole token (S8).
 */
final class Tokens {
    /** The longest escape that is recognised as the character before a token. */
    private static final int LONGEST_ESCAPE = 12;

    private enum Kind {
        WORD,
        SYMBOL,
        BREAK
    }

    private Tokens() {}

    /** Whether no character of the same kind stands before {@code start} or after {@code end}. */
    static boolean isWhole(byte[] text, int from, int to, int start, int end, Readings readings) {
        return (start == from
                        || parted(text[start - 1], text[start])
                        || partedByEscape(from, start, text[start], readings))
                && (end == to || parted(text[end - 1], text[end]) || partedByEscape(end, text[end - 1], readings));
    }

    private static boolean parted(int left, int right) {
        Kind kind = kind(left);
        return kind == Kind.BREAK || kind(right) != kind;
    }

    private static boolean partedByEscape(int from, int start, byte inside, Readings readings) {
        for (int at = Math.max(from, start - LONGEST_ESCAPE); at < start; at++) {
            for (int reading = readings.first(at); reading != Readings.NONE; reading = readings.next(reading)) {
                if (readings.end(reading) == start
                        && (readings.code(reading) < 0 || parted(readings.code(reading), inside))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean partedByEscape(int end, byte inside, Readings readings) {
        for (int reading = readings.first(end); reading != Readings.NONE; reading = readings.next(reading)) {
            if (readings.code(reading) < 0 || parted(inside, readings.code(reading))) {
                return true;
            }
        }
        return false;
    }

    private static Kind kind(int c) {
        if (c < 0 || c >= 0x80 || c == '_' || Character.isLetterOrDigit(c)) {
            return Kind.WORD;
        }
        return c <= ' ' ? Kind.BREAK : Kind.SYMBOL;
    }
}
