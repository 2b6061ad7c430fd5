package dev.postern.app.config;

/**
 * JSON with comments and trailing commas, turned into plain JSON of the same length: what is not JSON becomes spaces, so
 * every offset, line and column stays what it was in the file.
 */
final class Jsonc {
    private Jsonc() {}

    /** A copy with comments, trailing commas and a leading byte order mark blanked. What is wrong is left to the parser. */
    static byte[] blank(byte[] source) {
        return blank(source, true);
    }

    /** A copy with only comments and a leading byte order mark blanked: for edits, which must see every comma. */
    static byte[] blankComments(byte[] source) {
        return blank(source, false);
    }

    private static byte[] blank(byte[] source, boolean trailingCommas) {
        byte[] text = source.clone();
        if (text.length >= 3 && text[0] == (byte) 0xEF && text[1] == (byte) 0xBB && text[2] == (byte) 0xBF) {
            erase(text, 0, 3);
        }
        int comma = -1;
        int at = 0;
        while (at < text.length) {
            byte b = text[at];
            if (b == '"') {
                comma = -1;
                at = endOfString(text, at);
            } else if (b == '/' && at + 1 < text.length && (text[at + 1] == '/' || text[at + 1] == '*')) {
                int end = text[at + 1] == '/' ? endOfLine(text, at) : endOfBlock(text, at);
                erase(text, at, end);
                at = end;
            } else {
                if (trailingCommas && (b == '}' || b == ']') && comma >= 0) {
                    text[comma] = ' ';
                }
                if (b != ' ' && b != '\t' && b != '\n' && b != '\r') {
                    comma = b == ',' ? at : -1;
                }
                at++;
            }
        }
        return text;
    }

    private static int endOfString(byte[] text, int quote) {
        int at = quote + 1;
        while (at < text.length && text[at] != '"' && text[at] != '\n') {
            at += text[at] == '\\' ? 2 : 1;
        }
        return Math.min(at + 1, text.length);
    }

    private static int endOfLine(byte[] text, int start) {
        int at = start;
        while (at < text.length && text[at] != '\n') {
            at++;
        }
        return at;
    }

    private static int endOfBlock(byte[] text, int start) {
        int at = start + 2;
        while (at + 1 < text.length && !(text[at] == '*' && text[at + 1] == '/')) {
            at++;
        }
        return Math.min(at + 2, text.length);
    }

    private static void erase(byte[] text, int start, int end) {
        for (int at = start; at < end; at++) {
            if (text[at] != '\n' && text[at] != '\r') {
                text[at] = ' ';
            }
        }
    }
}
