package dev.postern.scrub;

/**
 * Tokens of a text: runs of letters, digits and underscores, or runs of other visible characters. A value of one to
 * three characters counts only where it is a whole token (S8).
 */
final class Tokens {
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
                        || readings.startOf(start, c -> c < 0 || parted(c, text[start])) >= 0)
                && (end == to
                        || parted(text[end - 1], text[end])
                        || readings.endOf(end, c -> c < 0 || parted(text[end - 1], c)) >= 0);
    }

    private static boolean parted(int left, int right) {
        Kind kind = kind(left);
        return kind == Kind.BREAK || kind(right) != kind;
    }

    private static Kind kind(int c) {
        if (c < 0 || c >= 0x80 || c == '_' || Character.isLetterOrDigit(c)) {
            return Kind.WORD;
        }
        return c <= ' ' ? Kind.BREAK : Kind.SYMBOL;
    }
}
