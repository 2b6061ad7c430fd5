package dev.postern.detect;

import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Text to scan, and where it came from: the text as given, or the decoded content of a string token inside another
 * buffer. Offsets of a decoded buffer lead back, level by level, to offsets of the text as given.
 */
final class Buffer {
    private final byte[] bytes;
    private final int length;
    private final @Nullable Buffer parent;
    private final int parentStart;
    private final int parentEnd;
    /** Made when the first finding asks for it. */
    private int @Nullable [] offsets;

    private Buffer(byte[] bytes, int length, @Nullable Buffer parent, int parentStart, int parentEnd) {
        this.bytes = bytes;
        this.length = length;
        this.parent = parent;
        this.parentStart = parentStart;
        this.parentEnd = parentEnd;
    }

    /** The text as given; shared, not copied. */
    static Buffer of(byte[] text) {
        return new Buffer(text, text.length, null, 0, text.length);
    }

    /** Decodes the well-formed content {@code [start, end)} of a JSON string token that stands in {@code parent}. */
    static Buffer decode(Buffer parent, int start, int end) {
        byte[] raw = parent.bytes;
        byte[] decoded = new byte[end - start];
        int length = JsonStrings.unescape(raw, start, end, decoded, null);
        return new Buffer(decoded, length, parent, start, end);
    }

    private int parentOffset(Buffer parent, int offset) {
        int[] known = offsets;
        if (known == null) {
            known = new int[parentEnd - parentStart + 1];
            byte[] again = new byte[parentEnd - parentStart];
            JsonStrings.unescape(parent.bytes, parentStart, parentEnd, again, known);
            Arrays.fill(again, (byte) 0);
            offsets = known;
        }
        return known[offset];
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /** The place in the text as given that {@code offset} of this buffer came from. */
    int original(int offset) {
        return offsetIn(null, offset);
    }

    /** Whether this buffer was decoded, in one step or more, out of {@code other}, or is it. */
    boolean isWithin(Buffer other) {
        Buffer buffer = this;
        while (buffer != other && buffer.parent != null) {
            buffer = buffer.parent;
        }
        return buffer == other;
    }

    /** The place in {@code ancestor}, or in the text as given, that {@code offset} of this buffer came from. */
    int offsetIn(@Nullable Buffer ancestor, int offset) {
        int at = offset;
        Buffer buffer = this;
        while (buffer != ancestor && buffer.parent != null) {
            at = buffer.parentOffset(buffer.parent, at);
            buffer = buffer.parent;
        }
        return at;
    }

    /** Whether {@code [start, end)}, white space around it allowed, is a JSON object, array or string. */
    boolean isJson(int start, int end) {
        int first = start;
        while (first < end && Ascii.isSpace(bytes[first])) {
            first++;
        }
        return first < end
                && (bytes[first] == '{' || bytes[first] == '[' || bytes[first] == '"')
                && JsonValue.isValid(bytes, first, end, JsonValue.DEFAULT_MAX_DEPTH);
    }

    /** Wipes a decoded buffer: it may hold a secret. The text as given is the caller's. */
    void wipe() {
        if (parent != null) {
            Arrays.fill(bytes, (byte) 0);
        }
    }
}
