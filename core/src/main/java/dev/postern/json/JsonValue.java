package dev.postern.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One value inside a JSON text, known by where its bytes stand. Reading is lazy: a member is found by walking past its
 * elder siblings, so a message costs one check and as much reading as its reader asks for. The view shares the array
 * it was made from; whoever makes one must not change the array afterwards. Thread-safe under that condition.
 *
 * <p>{@code toString} shows kind and range only.
 */
public final class JsonValue {
    /** The deepest nesting {@link #parse(byte[])} accepts; rule R7. */
    public static final int DEFAULT_MAX_DEPTH = 512;

    /** The seven kinds of RFC 8259. */
    public enum Kind {
        OBJECT,
        ARRAY,
        STRING,
        NUMBER,
        TRUE,
        FALSE,
        NULL
    }

    private final byte[] text;
    private final int start;
    private final int end;

    private JsonValue(byte[] text, int start, int end) {
        this.text = text;
        this.start = start;
        this.end = end;
    }

    /**
     * Checks a whole text, to {@link #DEFAULT_MAX_DEPTH} levels.
     *
     * @throws JsonException if it is not one well-formed JSON value in UTF-8
     */
    public static JsonValue parse(byte[] text) {
        return parse(text, DEFAULT_MAX_DEPTH);
    }

    /** As {@link #parse(byte[])}, to {@code maxDepth} levels. */
    public static JsonValue parse(byte[] text, int maxDepth) {
        int root = JsonParser.check(text, 0, text.length, maxDepth);
        return at(text, root);
    }

    /** Whether {@code text[start, end)} is exactly one JSON value, white space around it allowed. */
    public static boolean isValid(byte[] text, int start, int end, int maxDepth) {
        try {
            JsonParser.check(text, start, end, maxDepth);
            return true;
        } catch (JsonException e) {
            return false;
        }
    }

    /** The value that starts at {@code start} of a text that was checked before. */
    static JsonValue at(byte[] text, int start) {
        return new JsonValue(text, start, JsonParser.skip(text, start));
    }

    public Kind kind() {
        return switch (text[start]) {
            case '{' -> Kind.OBJECT;
            case '[' -> Kind.ARRAY;
            case '"' -> Kind.STRING;
            case 't' -> Kind.TRUE;
            case 'f' -> Kind.FALSE;
            case 'n' -> Kind.NULL;
            default -> Kind.NUMBER;
        };
    }

    public boolean is(Kind kind) {
        return kind() == kind;
    }

    /** Offset of the value's first byte in the text it was parsed from. */
    public int start() {
        return start;
    }

    /** Offset just past the value's last byte. */
    public int end() {
        return end;
    }

    /** A copy of the value's own bytes, exactly as they stand. */
    public byte[] bytes() {
        return Arrays.copyOfRange(text, start, end);
    }

    /** The whole text this value stands in. Shared, not copied: read only. */
    public byte[] text() {
        return text;
    }

    /**
     * The value of the first member with this name, or null if there is none or this is no object. Names are compared
     * decoded.
     */
    public @Nullable JsonValue member(String name) {
        if (!is(Kind.OBJECT)) {
            return null;
        }
        for (Members members = new Members(); members.next(); ) {
            if (members.nameEquals(name)) {
                return members.value();
            }
        }
        return null;
    }

    /** The value found by following member names, or null where one is missing. */
    public @Nullable JsonValue path(String... names) {
        JsonValue value = this;
        for (String name : names) {
            value = value.member(name);
            if (value == null) {
                return null;
            }
        }
        return value;
    }

    /** The decoded string of a member, or null if it is absent or no string. */
    public @Nullable String string(String name) {
        JsonValue value = member(name);
        return value != null && value.is(Kind.STRING) ? value.string() : null;
    }

    /** How many members have this name; more than one is legal JSON and a way to be read differently by two readers. */
    public int count(String name) {
        int count = 0;
        if (is(Kind.OBJECT)) {
            for (Members members = new Members(); members.next(); ) {
                if (members.nameEquals(name)) {
                    count++;
                }
            }
        }
        return count;
    }

    /** Visits the members of an object in order, duplicates included: (the name's token, the value). */
    public void forEachMember(BiConsumer<JsonValue, JsonValue> visitor) {
        if (is(Kind.OBJECT)) {
            for (Members members = new Members(); members.next(); ) {
                visitor.accept(members.name(), members.value());
            }
        }
    }

    /** The elements of an array in order; empty if this is no array. */
    public List<JsonValue> elements() {
        List<JsonValue> elements = new ArrayList<>();
        if (is(Kind.ARRAY)) {
            int at = JsonParser.skipSpace(text, start + 1);
            while (text[at] != ']') {
                JsonValue element = at(text, at);
                elements.add(element);
                at = JsonParser.skipSpace(text, element.end);
                if (text[at] == ',') {
                    at = JsonParser.skipSpace(text, at + 1);
                }
            }
        }
        return elements;
    }

    /**
     * The decoded text of a string. For routing and our own documents: never call it on what may hold a secret value,
     * since a {@code String} cannot be wiped.
     *
     * @throws IllegalStateException if this is no string
     */
    public String string() {
        if (!is(Kind.STRING)) {
            throw new IllegalStateException("not a JSON string");
        }
        return JsonStrings.decode(text, start + 1, end - 1);
    }

    /** The spelling of a number, boolean or null, or a string with its quotes and escapes. */
    public String spelling() {
        return new String(text, start, end - start, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return "JsonValue[" + kind() + " " + start + ".." + end + "]";
    }

    /** Walks the members of this object. */
    private final class Members {
        private int at = JsonParser.skipSpace(text, start + 1);
        private int nameStart;
        private int nameEnd;
        private int valueStart;

        boolean next() {
            if (valueStart != 0) {
                at = JsonParser.skipSpace(text, JsonParser.skip(text, valueStart));
                if (text[at] == ',') {
                    at = JsonParser.skipSpace(text, at + 1);
                }
            }
            if (text[at] == '}') {
                return false;
            }
            nameStart = at;
            nameEnd = JsonParser.skip(text, at);
            int colon = JsonParser.skipSpace(text, nameEnd);
            valueStart = JsonParser.skipSpace(text, colon + 1);
            return true;
        }

        boolean nameEquals(String name) {
            return JsonStrings.equal(text, nameStart + 1, nameEnd - 1, name);
        }

        JsonValue name() {
            return new JsonValue(text, nameStart, nameEnd);
        }

        JsonValue value() {
            return at(text, valueStart);
        }
    }
}
