package dev.postern.detect;

/** Where words begin, in text that may be escaped. */
final class Boundary {
    private Boundary() {}

    /**
     * Whether a word may begin at {@code at}: the text begins there, no letter or digit stands before it, or what
     * stands before is the end of an escape (a line feed, a character by its number, a percent sign and two digits).
     */
    static boolean startsWord(Match match, int at) {
        byte[] text = match.text();
        int from = match.start();
        if (at == from || !Ascii.isAlphanumeric(text[at - 1])) {
            return true;
        }
        if (at - from >= 2 && "nrtbf".indexOf(text[at - 1]) >= 0 && match.backslashesBefore(at - 1) % 2 == 1) {
            return true;
        }
        if (at - from >= 3 && text[at - 3] == '%' && Ascii.isHex(text[at - 1]) && Ascii.isHex(text[at - 2])) {
            return true;
        }
        return at - from >= 6 && text[at - 5] == 'u' && text[at - 6] == '\\' && isHex(text, at - 4, at);
    }

    private static boolean isHex(byte[] text, int from, int to) {
        for (int at = from; at < to; at++) {
            if (!Ascii.isHex(text[at])) {
                return false;
            }
        }
        return true;
    }
}
