package dev.postern.detect;

import java.nio.charset.StandardCharsets;

/** Bytes read as ASCII. Letters of other scripts are no letters here: no provider's format uses them. */
final class Ascii {
    private Ascii() {}

    static boolean isLetter(byte b) {
        int lower = b | 0x20;
        return lower >= 'a' && lower <= 'z';
    }

    static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    static boolean isAlphanumeric(byte b) {
        return isLetter(b) || isDigit(b);
    }

    static boolean isHex(byte b) {
        int lower = b | 0x20;
        return isDigit(b) || (lower >= 'a' && lower <= 'f');
    }

    static boolean isSpace(byte b) {
        return b == ' ' || (b >= '\t' && b <= '\r');
    }

    static byte lower(byte b) {
        return b >= 'A' && b <= 'Z' ? (byte) (b + 32) : b;
    }

    static byte[] lower(byte[] bytes) {
        byte[] lower = bytes.clone();
        for (int i = 0; i < lower.length; i++) {
            lower[i] = lower(lower[i]);
        }
        return lower;
    }

    static byte[] upper(byte[] bytes) {
        byte[] upper = bytes.clone();
        for (int i = 0; i < upper.length; i++) {
            if (upper[i] >= 'a' && upper[i] <= 'z') {
                upper[i] = (byte) (upper[i] - 32);
            }
        }
        return upper;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String string(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Whether {@code word}, in lower case, stands at {@code at} in any case. */
    static boolean regionMatches(byte[] text, int at, int limit, byte[] word) {
        if (at < 0 || at + word.length > limit) {
            return false;
        }
        for (int i = 0; i < word.length; i++) {
            if (lower(text[at + i]) != word[i]) {
                return false;
            }
        }
        return true;
    }
}
