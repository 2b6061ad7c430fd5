package dev.postern.scrub;

/** The characters of values in UTF-8, or of bytes that may be none. */
final class Characters {
    private Characters() {}

    /** Where the character that starts at {@code at} ends; a byte that starts none is one by itself. */
    static int next(byte[] bytes, int at) {
        int next = at + 1;
        while (bytes[at] < 0 && next < bytes.length && (bytes[next] & 0xC0) == 0x80) {
            next++;
        }
        return next;
    }

    /** The character of {@code bytes[start, end)}, or 0 if that is none. */
    static int at(byte[] bytes, int start, int end) {
        if (bytes[start] >= 0) {
            return bytes[start];
        }
        int bits = bytes[start] & 0x7F >> Math.min(7, end - start);
        for (int at = start + 1; at < end; at++) {
            bits = bits << 6 | (bytes[at] & 0x3F);
        }
        return end - start > 1 && end - start < 5 && Character.isValidCodePoint(bits) ? bits : 0;
    }

    /** Whether it is put on the character before it. */
    static boolean isMark(int character) {
        return switch (Character.getType(character)) {
            case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK -> true;
            default -> false;
        };
    }
}
