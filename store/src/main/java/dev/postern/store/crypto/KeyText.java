package dev.postern.store.crypto;

import java.util.Arrays;
import java.util.Base64;

/** Keys as people pass them on: 32 bytes as 64 hex digits, or as base64 or base64url with or without padding. */
final class KeyText {
    private static final int HEX_DIGITS = 2 * AesKey.BYTES;

    private KeyText() {}

    /**
     * Reads a key; white space around it is ignored.
     *
     * @param origin names the place it came from, for the sentence
     * @throws KeyException if it is no key
     */
    static RootKey decode(byte[] text, String origin) {
        byte[] trimmed = trim(text);
        byte[] key = new byte[0];
        try {
            key = trimmed.length == HEX_DIGITS ? hex(trimmed) : base64(trimmed);
            return new RootKey(AesKey.of(key));
        } catch (IllegalArgumentException e) {
            throw new KeyException(origin + " does not hold a key: 32 bytes are needed, in base64 or hex.");
        } finally {
            Arrays.fill(trimmed, (byte) 0);
            Arrays.fill(key, (byte) 0);
        }
    }

    static byte[] encode(byte[] key) {
        return Base64.getEncoder().encode(key);
    }

    private static byte[] trim(byte[] text) {
        int start = 0;
        int end = text.length;
        while (start < end && text[start] <= ' ' && text[start] >= 0) {
            start++;
        }
        while (end > start && text[end - 1] <= ' ' && text[end - 1] >= 0) {
            end--;
        }
        return Arrays.copyOfRange(text, start, end);
    }

    private static byte[] hex(byte[] digits) {
        byte[] bytes = new byte[AesKey.BYTES];
        for (int i = 0; i < bytes.length; i++) {
            int high = Character.digit(digits[2 * i], 16);
            int low = Character.digit(digits[2 * i + 1], 16);
            if (high < 0 || low < 0) {
                Arrays.fill(bytes, (byte) 0);
                throw new IllegalArgumentException("not hex");
            }
            bytes[i] = (byte) (high << 4 | low);
        }
        return bytes;
    }

    private static byte[] base64(byte[] text) {
        byte[] standard = text.clone();
        try {
            for (int i = 0; i < standard.length; i++) {
                standard[i] = switch (standard[i]) {
                    case '-' -> '+';
                    case '_' -> '/';
                    default -> standard[i];
                };
            }
            return Base64.getDecoder().decode(standard);
        } finally {
            Arrays.fill(standard, (byte) 0);
        }
    }
}
