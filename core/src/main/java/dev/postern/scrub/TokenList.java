package dev.postern.scrub;

import java.util.Arrays;

/** The tokens of a message in order, each as a kind and a range. */
final class TokenList {
    static final byte OBJECT = 0;
    static final byte OBJECT_END = 1;
    static final byte ARRAY = 2;
    static final byte ARRAY_END = 3;
    static final byte NAME = 4;
    static final byte STRING = 5;
    static final byte SCALAR = 6;

    private byte[] kinds = new byte[256];
    private int[] starts = new int[256];
    private int[] ends = new int[256];
    private int size;

    void add(byte kind, int start, int end) {
        if (size == kinds.length) {
            kinds = Arrays.copyOf(kinds, 2 * size);
            starts = Arrays.copyOf(starts, 2 * size);
            ends = Arrays.copyOf(ends, 2 * size);
        }
        kinds[size] = kind;
        starts[size] = start;
        ends[size++] = end;
    }

    int size() {
        return size;
    }

    /** The last token that starts at or before {@code position}; -1 if none does. */
    int at(int position) {
        int found = Arrays.binarySearch(starts, 0, size, position);
        return found >= 0 ? found : -found - 2;
    }

    byte kind(int token) {
        return kinds[token];
    }

    /** Offset of its first byte, the quote of a string included. */
    int start(int token) {
        return starts[token];
    }

    /** Offset just past its last byte. */
    int end(int token) {
        return ends[token];
    }

    /** Whether a string or name token is exactly this ASCII text, spelled without escapes. */
    boolean is(int token, byte[] json, String text) {
        if (ends[token] - starts[token] - 2 != text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (json[starts[token] + 1 + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
