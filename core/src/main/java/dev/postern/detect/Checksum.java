package dev.postern.detect;

import java.util.Locale;
import java.util.zip.CRC32;

/** Check digits that providers build into their tokens, so that a typing slip, or a look-alike, can be told offline. */
enum Checksum {
    /**
     * The last six characters are the CRC-32 of what stands between the prefix's underscore and them, in base 62
     * ({@code 0-9A-Za-z}), padded with {@code 0}. GitHub and npm publish this form.
     */
    CRC32_BASE62 {
        @Override
        boolean holds(byte[] text, int start, int end) {
            int body = start;
            for (int at = start; at < end; at++) {
                if (text[at] == '_') {
                    body = at + 1;
                }
            }
            int digits = end - 6;
            if (digits <= body) {
                return false;
            }
            CRC32 crc = new CRC32();
            crc.update(text, body, digits - body);
            long value = crc.getValue();
            for (int at = end - 1; at >= digits; at--) {
                if (text[at] != BASE62.charAt((int) (value % 62))) {
                    return false;
                }
                value /= 62;
            }
            return true;
        }
    };

    private static final String BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    abstract boolean holds(byte[] text, int start, int end);

    static Checksum named(String name) {
        for (Checksum checksum : values()) {
            if (checksum.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(name)) {
                return checksum;
            }
        }
        throw new RuleFileException("the checksum is unknown");
    }
}
