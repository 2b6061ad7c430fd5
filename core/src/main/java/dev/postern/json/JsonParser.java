package dev.postern.json;

/**
 * One pass over a JSON text (RFC 8259) that accepts it or names the byte where it fails. Iterative, so that depth
 * costs no stack; linear, one look at each byte.
 */
final class JsonParser {
    private final byte[] bytes;
    private final int end;
    private int at;

    private JsonParser(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.at = start;
        this.end = end;
    }

    /**
     * Checks that {@code bytes[start, end)} is exactly one JSON value, white space around it allowed.
     *
     * @return where the value itself starts
     * @throws JsonException if it is not, or nests deeper than {@code maxDepth}
     */
    static int check(byte[] bytes, int start, int end, int maxDepth) {
        JsonParser parser = new JsonParser(bytes, start, end);
        parser.space();
        int root = parser.at;
        parser.document(maxDepth);
        parser.space();
        if (parser.at != end) {
            throw parser.fail("there is more after the value");
        }
        return root;
    }

    /** Where the well-formed value at {@code start} ends. Trusts the text: it was checked before. */
    static int skip(byte[] bytes, int start) {
        return switch (bytes[start]) {
            case '"' -> skipString(bytes, start);
            case '{', '[' -> skipContainer(bytes, start);
            default -> {
                int at = start;
                while (at < bytes.length && !isDelimiter(bytes[at])) {
                    at++;
                }
                yield at;
            }
        };
    }

    private static int skipContainer(byte[] bytes, int start) {
        int depth = 0;
        int at = start;
        while (true) {
            switch (bytes[at]) {
                case '"' -> at = skipString(bytes, at) - 1;
                case '{', '[' -> depth++;
                case '}', ']' -> {
                    if (--depth == 0) {
                        return at + 1;
                    }
                }
                default -> {}
            }
            at++;
        }
    }

    private static int skipString(byte[] bytes, int quote) {
        int at = quote + 1;
        while (true) {
            at = JsonStrings.plainEnd(bytes, at, bytes.length);
            if (bytes[at] == '"') {
                return at + 1;
            }
            at += bytes[at] == '\\' ? 2 : 1;
        }
    }

    static int skipSpace(byte[] bytes, int start) {
        int at = start;
        while (at < bytes.length && isSpace(bytes[at])) {
            at++;
        }
        return at;
    }

    static boolean isSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    private static boolean isDelimiter(byte b) {
        return b == ',' || b == '}' || b == ']' || isSpace(b);
    }

    private void document(int maxDepth) {
        // One bit a level: set while inside an object.
        java.util.BitSet objects = new java.util.BitSet();
        int depth = 0;
        while (true) {
            byte b = peek("a value is missing");
            if (b == '{' || b == '[') {
                if (depth == maxDepth) {
                    throw fail("it nests deeper than " + maxDepth + " levels");
                }
                objects.set(depth++, b == '{');
                at++;
                space();
                byte next = peek(b == '{' ? "an object is not closed" : "an array is not closed");
                if (next != (b == '{' ? '}' : ']')) {
                    if (b == '{') {
                        name();
                    }
                    continue;
                }
            } else {
                scalar(b);
            }
            // A value has ended; close what it completes.
            while (true) {
                if (depth == 0) {
                    return;
                }
                boolean object = objects.get(depth - 1);
                space();
                byte next = peek(object ? "an object is not closed" : "an array is not closed");
                if (next == ',') {
                    at++;
                    space();
                    if (object) {
                        name();
                    }
                    break;
                }
                if (next != (object ? '}' : ']')) {
                    throw fail("a comma or a closing bracket is missing");
                }
                at++;
                depth--;
                if (depth == 0) {
                    return;
                }
            }
        }
    }

    private void name() {
        if (peek("an object is not closed") != '"') {
            throw fail("a member name is missing");
        }
        string();
        space();
        if (peek("a colon is missing") != ':') {
            throw fail("a colon is missing");
        }
        at++;
        space();
    }

    private void scalar(byte first) {
        switch (first) {
            case '"' -> string();
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        }
    }

    private void word(String word) {
        for (int i = 0; i < word.length(); i++, at++) {
            if (at == end || bytes[at] != word.charAt(i)) {
                throw fail("a value is misspelt");
            }
        }
    }

    private void number() {
        if (at < end && bytes[at] == '-') {
            at++;
        }
        if (at < end && bytes[at] == '0') {
            at++;
        } else {
            digits();
        }
        if (at < end && bytes[at] == '.') {
            at++;
            digits();
        }
        if (at < end && (bytes[at] == 'e' || bytes[at] == 'E')) {
            at++;
            if (at < end && (bytes[at] == '+' || bytes[at] == '-')) {
                at++;
            }
            digits();
        }
    }

    private void digits() {
        int from = at;
        while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
            at++;
        }
        if (at == from) {
            throw fail("a value is misspelt");
        }
    }

    private void string() {
        int open = at++;
        while (true) {
            at = JsonStrings.plainEnd(bytes, at, end);
            if (at == end) {
                break;
            }
            byte b = bytes[at];
            if (b == '"') {
                at++;
                return;
            }
            if (b == '\\') {
                escape();
            } else if (b < 0) {
                character();
            } else {
                throw fail("a control character stands unescaped in a string");
            }
        }
        at = open;
        throw fail("a string is not closed");
    }

    private void escape() {
        if (at + 1 >= end) {
            throw fail("a string is not closed");
        }
        switch (bytes[at + 1]) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> at += 2;
            case 'u' -> {
                for (int i = 2; i < 6; i++) {
                    if (at + i >= end || Character.digit(bytes[at + i], 16) < 0) {
                        throw fail("an escape is misspelt");
                    }
                }
                at += 6;
            }
            default -> throw fail("an escape is misspelt");
        }
    }

    /** One multi-byte UTF-8 character (RFC 3629): shortest form, no surrogates, at most U+10FFFF. */
    private void character() {
        int lead = bytes[at] & 0xFF;
        int length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
        if (lead < 0xC2 || lead > 0xF4 || at + length > end) {
            throw fail("a string is not UTF-8");
        }
        int second = bytes[at + 1] & 0xFF;
        int low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        int high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (second < low || second > high) {
            throw fail("a string is not UTF-8");
        }
        for (int i = 2; i < length; i++) {
            if ((bytes[at + i] & 0xC0) != 0x80) {
                throw fail("a string is not UTF-8");
            }
        }
        at += length;
    }

    private void space() {
        while (at < end && isSpace(bytes[at])) {
            at++;
        }
    }

    private byte peek(String reason) {
        if (at == end) {
            throw fail(reason);
        }
        return bytes[at];
    }

    private JsonException fail(String reason) {
        return new JsonException(at, reason);
    }
}
