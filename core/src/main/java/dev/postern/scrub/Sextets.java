package dev.postern.scrub;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The two alphabets of RFC 4648 sections 4 and 5, read as one. */
final class Sextets {
    private static final byte[] STANDARD =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] VALUES = new byte[256];

    static {
        Arrays.fill(VALUES, (byte) -1);
        for (int i = 0; i < 64; i++) {
            VALUES[STANDARD[i]] = (byte) i;
        }
        VALUES['-'] = 62;
        VALUES['_'] = 63;
    }

    private Sextets() {}

    /** What a character of either alphabet stands for, or -1. */
    static int of(int character) {
        return character >= 0 && character < 256 ? VALUES[character] : -1;
    }

    /** The character for six bits. */
    static byte character(int sextet, boolean url) {
        if (url && sextet >= 62) {
            return (byte) (sextet == 62 ? '-' : '_');
        }
        return STANDARD[sextet];
    }

    /**
     * Six bits of {@code bytes}, starting at bit {@code from}, which may be negative or run past the end: bits outside
     * are 0.
     */
    static int at(byte[] bytes, int from) {
        int sextet = 0;
        for (int bit = from; bit < from + 6; bit++) {
            int set = bit < 0 || bit >= bytes.length * 8 ? 0 : bytes[bit >> 3] >> (7 - (bit & 7)) & 1;
            sextet = sextet << 1 | set;
        }
        return sextet;
    }
}
