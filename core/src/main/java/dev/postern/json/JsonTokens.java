package dev.postern.json;

import java.util.Arrays;

/**
 * A walk over everything inside one value, in document order and in one pass: each step costs the bytes it moves over,
 * whatever the depth. Knows at every step where in the tree it stands ({@link #pointer()}). For a reader that must see
 * every token; who looks for one member asks {@link JsonValue#member}. Not thread-safe.
 */
public final class JsonTokens {
    /** What {@link #next()} has stepped on. */
    public enum Token {
        OBJECT_START,
        OBJECT_END,
        ARRAY_START,
        ARRAY_END,
        /** A member's name: a string token followed by its value. */
        NAME,
        STRING,
        /** A number, boolean or null. */
        SCALAR,
        /** Past the value; every further step gives it again. */
        END
    }

    private final byte[] text;
    private final int end;
    private int start;
    private int at;
    private int depth;
    private boolean nameRead;

    /** A level of the tree: for an object where the current name stands, for an array {@code -1 - index}. */
    private int[] levels = new int[16];

    /** Starts before {@code value}, itself the first token. */
    public JsonTokens(JsonValue value) {
        this.text = value.text();
        this.at = value.start();
        this.start = value.start();
        this.end = value.end();
    }

    /** Steps on the next token. */
    public Token next() {
        // The text was checked: between two tokens stand only white space, commas and colons.
        while (at < end && isBetween(text[at])) {
            at++;
        }
        start = at;
        if (at >= end) {
            return Token.END;
        }
        byte first = text[at];
        if (first == '}' || first == ']') {
            at++;
            depth--;
            return first == '}' ? Token.OBJECT_END : Token.ARRAY_END;
        }
        if (depth > 0) {
            if (levels[depth - 1] < 0) {
                levels[depth - 1]--;
            } else if (!nameRead) {
                nameRead = true;
                levels[depth - 1] = at;
                at = JsonParser.skip(text, at);
                return Token.NAME;
            }
        }
        nameRead = false;
        if (first == '{' || first == '[') {
            if (depth == levels.length) {
                levels = Arrays.copyOf(levels, depth * 2);
            }
            levels[depth++] = first == '{' ? 0 : -1;
            at++;
            return first == '{' ? Token.OBJECT_START : Token.ARRAY_START;
        }
        at = JsonParser.skip(text, at);
        return first == '"' ? Token.STRING : Token.SCALAR;
    }

    private static boolean isBetween(byte b) {
        return b == ',' || b == ':' || JsonParser.isSpace(b);
    }

    /** Offset of the token's first byte in the text. */
    public int start() {
        return start;
    }

    /** Offset just past the token's last byte; after a start token, just past the bracket. */
    public int end() {
        return at;
    }

    /** The value that starts with this token: not for end tokens. */
    public JsonValue value() {
        return JsonValue.at(text, start);
    }

    /** How many objects and arrays are open around what comes next; just after a start token its own counts. */
    public int depth() {
        return depth;
    }

    /** Whether the container at {@code level} (0 is the outermost) is an object, not an array. */
    public boolean isObject(int level) {
        return levels[level] >= 0;
    }

    /** The decoded name that the walk stands at, or in, in the object at {@code level}. */
    public String name(int level) {
        int name = levels[level];
        return JsonStrings.decode(text, name + 1, JsonParser.skip(text, name) - 1);
    }

    /** The index, from 0, that the walk stands at, or in, in the array at {@code level}. */
    public int index(int level) {
        return -2 - levels[level];
    }

    /** JSON Pointer (RFC 6901) of the current {@link Token#STRING} or {@link Token#SCALAR}, or of a name's value. */
    public String pointer() {
        return pointer(depth);
    }

    /** JSON Pointer of the innermost container that is open, the empty string for the outermost. */
    public String parentPointer() {
        return pointer(Math.max(0, depth - 1));
    }

    private String pointer(int levelCount) {
        StringBuilder pointer = new StringBuilder();
        for (int level = 0; level < levelCount; level++) {
            pointer.append('/');
            if (isObject(level)) {
                pointer.append(name(level).replace("~", "~0").replace("/", "~1"));
            } else {
                pointer.append(index(level));
            }
        }
        return pointer.toString();
    }

    @Override
    public String toString() {
        return "JsonTokens[" + start + ".." + at + " of " + end + "]";
    }
}
