package dev.postern.detect;

import dev.postern.json.JsonValue;
import java.nio.charset.StandardCharsets;
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
    private final int[] offsets;

    private Buffer(byte[] bytes, int length, @Nullable Buffer parent, int[] offsets) {
        this.bytes = bytes;
        this.length = length;
        this.parent = parent;
        this.offsets = offsets;
    }

    /** The text as given; shared, not copied. */
    static Buffer of(byte[] text) {
        return new Buffer(text, text.length, null, new int[0]);
    }

    /** Decodes the well-formed content {@code [start, end)} of a JSON string token that stands in {@code parent}. */
    static Buffer decode(Buffer parent, int start, int end) {
        byte[] raw = parent.bytes;
        byte[] decoded = new byte[end - start];
        int[] offsets = new int[end - start + 1];
        int length = 0;
        int at = start;
        while (at < end) {
            int from = at;
            int codePoint = -1;
            if (raw[at] != '\\') {
                decoded[length] = raw[at++];
                offsets[length++] = from;
                continue;
            }
            if (raw[at + 1] == 'u') {
                codePoint = hex(raw, at + 2);
                at += 6;
                if (Character.isHighSurrogate((char) codePoint)
                        && at + 6 <= end
                        && raw[at] == '\\'
                        && raw[at + 1] == 'u'
                        && Character.isLowSurrogate((char) hex(raw, at + 2))) {
                    codePoint = Character.toCodePoint((char) codePoint, (char) hex(raw, at + 2));
                    at += 6;
                }
            } else {
                codePoint = unescape(raw[at + 1]);
                at += 2;
            }
            int before = length;
            length = append(decoded, length, codePoint);
            Arrays.fill(offsets, before, length, from);
        }
        offsets[length] = end;
        return new Buffer(decoded, length, parent, offsets);
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
        for (Buffer buffer = this; buffer != ancestor && buffer.parent != null; buffer = buffer.parent) {
            at = buffer.offsets[at];
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

    private static int hex(byte[] text, int at) {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            value = (value << 4) | Character.digit(text[at + i], 16);
        }
        return value;
    }

    private static int unescape(byte kind) {
        return switch (kind) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> kind;
        };
    }

    /** UTF-8; a lone surrogate becomes a question mark, as in {@link String#getBytes()}. */
    private static int append(byte[] target, int at, int codePoint) {
        if (codePoint < 0x80) {
            target[at] = (byte) codePoint;
            return at + 1;
        }
        byte[] utf8 = new String(Character.toChars(codePoint)).getBytes(StandardCharsets.UTF_8);
        System.arraycopy(utf8, 0, target, at, utf8.length);
        return at + utf8.length;
    }
}
