package dev.postern.reference;

/**
 * Looks for the marker of a reference in raw JSON bytes, escapes and all (R5, R8). Says yes too often rather than too
 * rarely: a backslash that is itself escaped is taken for an escape.
 */
final class MarkerScan {
    private static final byte[][] KINDS = {{'v', 'a', 'u', 'l', 't'}, {'s', 'e', 'c', 'r', 'e', 't'}};

    private MarkerScan() {}

    static boolean find(byte[] text, int start, int end) {
        for (int at = start; at < end; at++) {
            byte b = text[at];
            if ((b == '{' || b == '\\') && isMarker(text, start, at, end)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the second brace of a marker, raw or escaped, starts at {@code at}. */
    static boolean isMarker(byte[] text, int start, int at, int end) {
        if (unit(text, at, end) != '{' || !isBraceBefore(text, start, at)) {
            return false;
        }
        int first = at + width(text, at);
        for (byte[] kind : KINDS) {
            int next = first;
            int matched = 0;
            while (matched < kind.length && (unit(text, next, end) | 0x20) == kind[matched]) {
                next += width(text, next);
                matched++;
            }
            if (matched == kind.length && unit(text, next, end) == ':') {
                return true;
            }
        }
        return false;
    }

    private static boolean isBraceBefore(byte[] text, int start, int at) {
        return (at > start && text[at - 1] == '{') || (at - 6 >= start && unit(text, at - 6, at) == '{');
    }

    /** The character at {@code at} if it is ASCII, raw or as a \\u escape; else -1. */
    private static int unit(byte[] text, int at, int end) {
        if (at >= end) {
            return -1;
        }
        if (text[at] != '\\') {
            return text[at] < 0 ? -1 : text[at];
        }
        if (at + 6 > end || text[at + 1] != 'u' || text[at + 2] != '0' || text[at + 3] != '0') {
            return -1;
        }
        int high = Character.digit(text[at + 4], 16);
        int low = Character.digit(text[at + 5], 16);
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }

    private static int width(byte[] text, int at) {
        return text[at] == '\\' ? 6 : 1;
    }
}
