package dev.postern.detect;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.zip.CRC32;

/**
 * Check digits that providers build into their tokens, and structure that encoded values have: what tells a credential
 * from a look-alike without asking anybody. Each reads a bounded part of the value.
 */
enum Checksum {
    /**
     * The last six characters are the CRC-32 of what stands between the prefix's underscore and them, in base 62
     * ({@code 0-9A-Za-z}), padded with {@code 0}. GitHub and npm publish this form.
     */
    CRC32_BASE62 {
        @Override
        boolean holds(byte[] text, int start, int end) {
            int body = start;
            for (int at = start; at < Math.min(end, start + MAX_READ); at++) {
                if (text[at] == '_') {
                    body = at + 1;
                }
            }
            int digits = end - 6;
            return digits > body
                    && end - start <= MAX_READ
                    && hasDigits(text, digits, end, crc32(text, body, digits), BASE62);
        }
    },
    /** After the last underscore the CRC-32 of all before it, low byte first, in hex: Grafana's service accounts. */
    CRC32_HEX {
        @Override
        boolean holds(byte[] text, int start, int end) {
            int digits = end - 8;
            if (digits - 1 <= start || end - start > MAX_READ || text[digits - 1] != '_') {
                return false;
            }
            int crc = Integer.reverseBytes((int) crc32(text, start, digits - 1));
            return HexFormat.of().toHexDigits(crc).equals(string(text, digits, end));
        }
    },
    /** BIP 173: the last six characters make the polynomial over prefix and data come to one. age and Nostr keys. */
    BECH32 {
        @Override
        boolean holds(byte[] text, int start, int end) {
            if (end - start > MAX_READ) {
                return false;
            }
            String value = string(text, start, end).toLowerCase(Locale.ROOT);
            int separator = value.lastIndexOf('1');
            int sum = 1;
            for (int i = 0; i < separator; i++) {
                sum = bech32Step(sum, value.charAt(i) >> 5);
            }
            sum = bech32Step(sum, 0);
            for (int i = 0; i < separator; i++) {
                sum = bech32Step(sum, value.charAt(i) & 31);
            }
            for (int i = separator + 1; i < value.length(); i++) {
                int digit = BECH32_DIGITS.indexOf(value.charAt(i));
                if (digit < 0) {
                    return false;
                }
                sum = bech32Step(sum, digit);
            }
            return sum == 1;
        }
    },
    /** Base 58 whose last four bytes are the double SHA-256 of the others: Bitcoin's extended keys. */
    BASE58_CHECK {
        @Override
        boolean holds(byte[] text, int start, int end) {
            if (end - start > 128) {
                return false;
            }
            BigInteger number = BigInteger.ZERO;
            for (int at = start; at < end; at++) {
                int digit = BASE58.indexOf(text[at]);
                if (digit < 0) {
                    return false;
                }
                number = number.multiply(BigInteger.valueOf(58)).add(BigInteger.valueOf(digit));
            }
            byte[] bytes = number.toByteArray();
            int first = bytes[0] == 0 ? 1 : 0;
            int body = bytes.length - 4;
            if (body <= first) {
                return false;
            }
            byte[] digest = sha256(sha256(Arrays.copyOfRange(bytes, first, body)));
            return Arrays.equals(digest, 0, 4, bytes, body, bytes.length);
        }
    },
    /** Base 32 whose last two bytes, low one first, are the CRC-16 (XMODEM) of the others: keys of NATS. */
    CRC16_BASE32 {
        @Override
        boolean holds(byte[] text, int start, int end) {
            if (end - start > MAX_READ) {
                return false;
            }
            byte[] bytes = new byte[(end - start) * 5 / 8];
            int bits = 0;
            int held = 0;
            int length = 0;
            for (int at = start; at < end; at++) {
                int digit = BASE32.indexOf(text[at]);
                if (digit < 0) {
                    return false;
                }
                held = ((held << 5) | digit) & 0xFFF;
                bits += 5;
                if (bits >= 8) {
                    bits -= 8;
                    bytes[length++] = (byte) (held >> bits);
                }
            }
            int crc = 0;
            for (int at = 0; at < length - 2; at++) {
                crc = crc16Step(crc, bytes[at]);
            }
            return length > 2 && (byte) crc == bytes[length - 2] && (byte) (crc >> 8) == bytes[length - 1];
        }
    },
    /** The first part decodes to a JOSE header, which names an algorithm (RFC 7515). */
    JOSE_HEADER {
        @Override
        boolean holds(byte[] text, int start, int end) {
            int dot = start;
            while (dot < end && dot - start < MAX_READ && text[dot] != '.') {
                dot++;
            }
            byte[] header = decode(text, start, dot, Base64.getUrlDecoder());
            return string(header, 0, header.length).contains("\"alg\"");
        }
    },
    /** Decodes to {@code user:password}, both printable (RFC 7617). */
    BASE64_USERINFO {
        @Override
        boolean holds(byte[] text, int start, int end) {
            if (end - start > MAX_READ) {
                return false;
            }
            byte[] userinfo = decode(text, start, end, Base64.getDecoder());
            int colon = -1;
            for (int at = 0; at < userinfo.length; at++) {
                if (userinfo[at] >= 0 && userinfo[at] < ' ') {
                    return false;
                }
                if (colon < 0 && userinfo[at] == ':') {
                    colon = at;
                }
            }
            return colon >= 0 && colon + 1 < userinfo.length && !Placeholder.is(userinfo, colon + 1, userinfo.length);
        }
    },
    /** Somewhere in it stand 24 characters of base 64 in a row: the body of a key, not the words of an example. */
    BASE64_BODY {
        @Override
        boolean holds(byte[] text, int start, int end) {
            int run = 0;
            for (int at = start; at < end; at++) {
                run = Ascii.isAlphanumeric(text[at]) || text[at] == '+' || text[at] == '/' ? run + 1 : 0;
                if (run == 24) {
                    return true;
                }
            }
            return false;
        }
    };

    private static final int MAX_READ = 1024;
    private static final String BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    private static final String BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    private static final String BECH32_DIGITS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    private static final int[] BECH32_GENERATOR = {0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3};

    abstract boolean holds(byte[] text, int start, int end);

    static Checksum named(String name) {
        for (Checksum checksum : values()) {
            if (checksum.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(name)) {
                return checksum;
            }
        }
        throw new RuleFileException("the checksum is unknown");
    }

    private static long crc32(byte[] text, int from, int to) {
        CRC32 crc = new CRC32();
        crc.update(text, from, to - from);
        return crc.getValue();
    }

    private static boolean hasDigits(byte[] text, int from, int to, long number, String digits) {
        long rest = number;
        for (int at = to - 1; at >= from; at--) {
            if (text[at] != digits.charAt((int) (rest % digits.length()))) {
                return false;
            }
            rest /= digits.length();
        }
        return rest == 0;
    }

    private static int bech32Step(int sum, int value) {
        int top = sum >>> 25;
        int next = ((sum & 0x1ffffff) << 5) ^ value;
        for (int i = 0; i < 5; i++) {
            next ^= ((top >> i) & 1) == 1 ? BECH32_GENERATOR[i] : 0;
        }
        return next;
    }

    private static int crc16Step(int crc, byte next) {
        int sum = crc ^ ((next & 0xFF) << 8);
        for (int bit = 0; bit < 8; bit++) {
            sum = (sum & 0x8000) != 0 ? ((sum << 1) ^ 0x1021) & 0xFFFF : (sum << 1) & 0xFFFF;
        }
        return sum;
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-256", e);
        }
    }

    /** What {@code [start, end)} decodes to; nothing if it does not. */
    private static byte[] decode(byte[] text, int start, int end, Base64.Decoder decoder) {
        try {
            return decoder.decode(Arrays.copyOfRange(text, start, end));
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    private static String string(byte[] text, int start, int end) {
        return new String(text, start, end - start, StandardCharsets.ISO_8859_1);
    }
}
