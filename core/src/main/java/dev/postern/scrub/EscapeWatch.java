package dev.postern.scrub;

import java.util.List;

/**
 * Knows the escapes that could hide a factor: those that stand for a letter or digit, for another character of a factor, or
 * for the marker of a further escape. The everyday ones (a line feed, a quote, a space) do not, which is
 * why a text full of them can pass without being decoded.
 */
final class EscapeWatch {
    /** An escape whose own characters are escaped is taken to have no more bytes than this. */
    static final int LONGEST = 72;

    /**
     * Of more markers that stand for markers than any reader follows, a closer look tells: else each of a long chain of them would
     * be followed to its end from each of its places (S12).
     */
    private static final int MOST_CHAINED = 16;

    private final boolean[] hides = new boolean[128];
    private boolean hidesWide;
    private boolean alone;
    /** Pairs of neighbours in factors: what a backslash before a plain letter would have to stand between. */
    private final long[] pairs = new long[1 << 10];

    EscapeWatch(List<Factor> factors) {
        for (char c = '0'; c <= 'z'; c++) {
            hides[c] = Character.isLetterOrDigit(c);
        }
        hides[0x1B] = true;
        for (Factor factor : factors) {
            if (factor.pattern().kind() == Pattern.Kind.PLAIN) {
                learnPairs(factor);
            }
            for (int i = factor.offset(); i < factor.offset() + factor.length(); i++) {
                byte b = factor.pattern().bytes()[i];
                if (b < 0) {
                    hidesWide = true;
                } else {
                    hides[b] = true;
                }
            }
        }
    }

    private void learnPairs(Factor factor) {
        byte[] bytes = factor.pattern().bytes();
        for (int i = factor.offset(); i < factor.offset() + factor.length() - 1; i++) {
            int pair = (bytes[i] & 0xFF) << 8 | (bytes[i + 1] & 0xFF);
            pairs[pair >>> 6] |= 1L << pair;
        }
        alone |= factor.length() == 1;
    }

    /** Whether two bytes can be neighbours in a factor; a byte that is escaped or marks an escape can be any. */
    private boolean mayAdjoin(int first, int second) {
        if (alone || !isLetterOrDigit(first) || !isLetterOrDigit(second)) {
            return true;
        }
        int pair = first << 8 | second;
        return (pairs[pair >>> 6] >>> pair & 1) != 0;
    }

    private static boolean isLetterOrDigit(int b) {
        return (b >= '0' && b <= '9') || (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z');
    }

    /** Whether the escape whose marker stands at {@code at} could hide part of a factor. */
    boolean hides(byte[] text, int at, int to) {
        int marker = text[at];
        int rest = at + 1;
        for (int chained = 0; chained < MOST_CHAINED; chained++) {
            long read = Escapes.after(marker, text, rest, to);
            if (read < 0) {
                return read == Escapes.MAYBE;
            }
            int character = Escapes.character(read);
            if (!Escapes.isMarker(character)) {
                int end = Escapes.end(read);
                if (marker == '\\' && end == rest + 1 && isLetterOrDigit(character)) {
                    // Rarely an escape: paths and regular expressions are full of these.
                    return (at == 0 || mayAdjoin(text[at - 1], character))
                            && (end == to || mayAdjoin(character, text[end]));
                }
                return character < 128 ? hides[character] : hidesWide;
            }
            if (hides[character]) {
                return true;
            }
            marker = character;
            rest = Escapes.end(read);
        }
        return true;
    }

    /** How many bytes at {@code at} may stand for one character: 1 where no escape starts, a bound where one does. */
    int span(byte[] text, int at, int to) {
        byte b = text[at];
        if (!Escapes.isMarker(b)) {
            return b == 0x1B ? LONGEST : 1;
        }
        long read = Escapes.after(b, text, at + 1, to);
        if (read == Escapes.NOTHING) {
            return b == '\\' ? 2 : 1;
        }
        int character = Escapes.character(read);
        boolean chained = read == Escapes.MAYBE || Escapes.isMarker(character) || character == 0x1B;
        boolean pair = b == '\\' && character == '\\' && Escapes.end(read) == at + 2 && !isNumbered(text, at + 2, to);
        return chained && !pair ? LONGEST : Escapes.end(read) - at;
    }

    /** Whether what follows a backslash makes it the start of a number in digits, which may be escaped themselves. */
    private static boolean isNumbered(byte[] text, int at, int to) {
        return at >= to || "uUx01234567\\%&".indexOf(text[at]) >= 0;
    }
}
