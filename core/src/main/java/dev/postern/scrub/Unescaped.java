package dev.postern.scrub;

import java.util.Arrays;

/**
 * The text of one or more JSON strings, their escapes resolved, with the way back: each position of the text knows
 * where in the message it came from.
 */
final class Unescaped {
    private byte[] text = new byte[256];
    private int[] origins = new int[257];
    private int length;
    /** Where each string's text starts, and where its content starts and ends in the message. */
    private int[] pieces = new int[12];

    private int pieceCount;

    void clear() {
        length = 0;
        pieceCount = 0;
    }

    byte[] text() {
        return text;
    }

    int length() {
        return length;
    }

    /** Appends the content {@code json[start, end)} of a well-formed string token, quotes excluded. */
    void append(byte[] json, int start, int end) {
        if (3 * pieceCount == pieces.length) {
            pieces = Arrays.copyOf(pieces, 2 * pieces.length);
        }
        pieces[3 * pieceCount] = length;
        pieces[3 * pieceCount + 1] = start;
        pieces[3 * pieceCount + 2] = end;
        pieceCount++;
        int needed = length + end - start + 1;
        if (text.length < needed) {
            int capacity = Math.max(needed, 2 * text.length);
            text = Arrays.copyOf(text, capacity);
            origins = Arrays.copyOf(origins, capacity + 1);
        }
        int at = start;
        while (at < end) {
            byte b = json[at];
            if (b != '\\') {
                put(b, at++);
            } else if (json[at + 1] == 'u') {
                at = unit(json, at, end);
            } else {
                put(simple(json[at + 1]), at);
                at += 2;
            }
        }
        origins[length] = end;
    }

    private int unit(byte[] json, int at, int end) {
        int character = hex(json, at + 2);
        int next = at + 6;
        if (Character.isHighSurrogate((char) character)
                && next + 6 <= end
                && json[next] == '\\'
                && json[next + 1] == 'u'
                && Character.isLowSurrogate((char) hex(json, next + 2))) {
            character = Character.toCodePoint((char) character, (char) hex(json, next + 2));
            next += 6;
        }
        if (character < 0x80) {
            put((byte) character, at);
        } else if (character < 0x800) {
            put((byte) (0xC0 | character >> 6), at);
            put(continuation(character), at);
        } else if (character < 0x10000) {
            put((byte) (0xE0 | character >> 12), at);
            put(continuation(character >> 6), at);
            put(continuation(character), at);
        } else {
            put((byte) (0xF0 | character >> 18), at);
            put(continuation(character >> 12), at);
            put(continuation(character >> 6), at);
            put(continuation(character), at);
        }
        return next;
    }

    private static byte continuation(int bits) {
        return (byte) (0x80 | (bits & 0x3F));
    }

    private void put(byte b, int origin) {
        text[length] = b;
        origins[length++] = origin;
    }

    /** Enters a place of the text as the place or places of the message it came from. */
    void found(int start, int end, Target target, Occurrences occurrences) {
        boolean named = false;
        for (int piece = 0; piece < pieceCount; piece++) {
            int pieceStart = pieces[3 * piece];
            int pieceEnd = piece + 1 < pieceCount ? pieces[3 * piece + 3] : length;
            if (start < pieceEnd && end > pieceStart) {
                int from = start <= pieceStart ? pieces[3 * piece + 1] : origins[start];
                int to = end >= pieceEnd ? pieces[3 * piece + 2] : origins[end];
                occurrences.add(from, to, named ? null : target);
                named = true;
            }
        }
    }

    void wipe() {
        Arrays.fill(text, (byte) 0);
    }

    private static byte simple(byte kind) {
        return switch (kind) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> kind;
        };
    }

    private static int hex(byte[] json, int at) {
        int value = 0;
        for (int i = at; i < at + 4; i++) {
            value = value << 4 | Character.digit(json[i], 16);
        }
        return value;
    }
}
