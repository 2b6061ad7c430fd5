package dev.postern.detect;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.zip.CRC32;

/**
 * The recipe of a synthetic credential: {@code [A-Z0-9]{16}} stands for that many random characters of an alphabet,
 * {@code <name>} for check digits or an encoded part, the rest for itself. So no file of ours holds what a push filter
 * takes for somebody's key. Check digits are computed here anew, with no code of the detector.
 */
final class Template {
    private static final Map<String, BiFunction<String, Random, String>> PARTS = Map.of(
            "crc32-base62", (before, random) -> base62(crc32(before.substring(before.lastIndexOf('_') + 1))),
            "crc32-hex", (before, random) -> "_" + littleEndianHex(crc32(before)),
            "bech32", (before, random) -> bech32(before),
            "jose", (before, random) -> base64Url("{\"alg\":\"RSA-OAEP\",\"enc\":\"A256GCM\"}"),
            "jwt", Template::jsonWebToken,
            "nkey", Template::natsSeed,
            "xprv", Template::extendedPrivateKey);

    private final String source;

    Template(String source) {
        this.source = source;
    }

    /** One credential made after the recipe; the same for the same seed. */
    String fill(long seed) {
        Random random = new Random(seed);
        StringBuilder filled = new StringBuilder();
        int at = 0;
        while (at < source.length()) {
            char c = source.charAt(at);
            int close = source.indexOf('>', at);
            BiFunction<String, Random, String> part =
                    c == '<' && close > 0 ? PARTS.get(source.substring(at + 1, close)) : null;
            if (part != null) {
                filled.append(part.apply(filled.toString(), random));
                at = close + 1;
                continue;
            }
            String alphabet;
            if (c == '[') {
                int end = closingBracket(at);
                alphabet = alphabet(source.substring(at + 1, end));
                at = end + 1;
            } else {
                if (c == '\\') {
                    c = source.charAt(++at);
                    c = c == 'n' ? '\n' : c;
                }
                alphabet = String.valueOf(c);
                at++;
            }
            int count = 1;
            if (at < source.length() && source.charAt(at) == '{') {
                int end = source.indexOf('}', at);
                count = Integer.parseInt(source.substring(at + 1, end));
                at = end + 1;
            }
            for (int i = 0; i < count; i++) {
                filled.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
        }
        return filled.toString();
    }

    private int closingBracket(int open) {
        int at = open + 1;
        while (source.charAt(at) != ']') {
            at++;
        }
        return at;
    }

    private static String alphabet(String set) {
        StringBuilder characters = new StringBuilder();
        for (int at = 0; at < set.length(); at++) {
            if (at + 2 < set.length() && set.charAt(at + 1) == '-') {
                for (char c = set.charAt(at); c <= set.charAt(at + 2); c++) {
                    characters.append(c);
                }
                at += 2;
            } else {
                characters.append(set.charAt(at));
            }
        }
        return characters.toString();
    }

    private static long crc32(String text) {
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.US_ASCII));
        return crc.getValue();
    }

    private static String base62(long number) {
        String digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        StringBuilder reversed = new StringBuilder();
        for (int i = 0; i < 6; i++) {
            reversed.append(digits.charAt((int) (number % 62)));
            number /= 62;
        }
        return reversed.reverse().toString();
    }

    private static String littleEndianHex(long number) {
        String bigEndian = HexFormat.of().toHexDigits(number, 8);
        return bigEndian.substring(6)
                + bigEndian.substring(4, 6)
                + bigEndian.substring(2, 4)
                + bigEndian.substring(0, 2);
    }

    private static String base64Url(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String jsonWebToken(String before, Random random) {
        byte[] signature = new byte[32];
        random.nextBytes(signature);
        return base64Url("{\"alg\":\"HS256\",\"typ\":\"JWT\"}") + "."
                + base64Url("{\"iss\":\"tests\",\"jti\":" + random.nextInt(1_000_000_000) + "}") + "."
                + Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
    }

    /** A user's seed: two prefix bytes, 32 random ones, CRC-16 (XMODEM) low byte first; in base 32. */
    private static String natsSeed(String before, Random random) {
        byte[] seed = new byte[36];
        random.nextBytes(seed);
        seed[0] = (byte) (18 << 3 | 20 << 3 >> 5);
        seed[1] = 0;
        int crc = 0;
        for (int i = 0; i < 34; i++) {
            for (int bit = 7; bit >= 0; bit--) {
                boolean carry = ((crc >> 15) & 1) != ((seed[i] >> bit) & 1);
                crc = (crc << 1) & 0xFFFF;
                crc ^= carry ? 0x1021 : 0;
            }
        }
        seed[34] = (byte) crc;
        seed[35] = (byte) (crc >> 8);
        BigInteger number = new BigInteger(1, seed).shiftLeft(2);
        StringBuilder reversed = new StringBuilder();
        for (int i = 0; i < 58; i++) {
            reversed.append("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".charAt(number.intValue() & 31));
            number = number.shiftRight(5);
        }
        return reversed.reverse().toString();
    }

    private static String extendedPrivateKey(String before, Random random) {
        byte[] key = new byte[82];
        random.nextBytes(key);
        System.arraycopy(new byte[] {0x04, (byte) 0x88, (byte) 0xAD, (byte) 0xE4}, 0, key, 0, 4);
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            byte[] digest = sha256.digest(sha256.digest(Arrays.copyOf(key, 78)));
            System.arraycopy(digest, 0, key, 78, 4);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
        String digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
        BigInteger number = new BigInteger(1, key);
        StringBuilder reversed = new StringBuilder();
        while (number.signum() > 0) {
            BigInteger[] next = number.divideAndRemainder(BigInteger.valueOf(58));
            reversed.append(digits.charAt(next[1].intValue()));
            number = next[0];
        }
        return reversed.reverse().toString();
    }

    /** BIP 173, from its own description: six digits that bring the checksum of prefix and data to one. */
    private static String bech32(String before) {
        String digits = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
        boolean upper = before.chars().noneMatch(Character::isLowerCase);
        String text = before.toLowerCase(java.util.Locale.ROOT);
        int separator = text.lastIndexOf('1');
        int[] values = new int[separator * 2 + 1 + text.length() - separator - 1 + 6];
        int count = 0;
        for (int i = 0; i < separator; i++) {
            values[count++] = text.charAt(i) >> 5;
        }
        values[count++] = 0;
        for (int i = 0; i < separator; i++) {
            values[count++] = text.charAt(i) & 31;
        }
        for (int i = separator + 1; i < text.length(); i++) {
            values[count++] = digits.indexOf(text.charAt(i));
        }
        long remainder = 1;
        long[] generator = {0x3b6a57b2L, 0x26508e6dL, 0x1ea119faL, 0x3d4233ddL, 0x2a1462b3L};
        for (int value : values) {
            long top = remainder >> 25;
            remainder = ((remainder & 0x1ffffff) << 5) ^ value;
            for (int bit = 0; bit < 5; bit++) {
                if (((top >> bit) & 1) != 0) {
                    remainder ^= generator[bit];
                }
            }
        }
        remainder ^= 1;
        StringBuilder checksum = new StringBuilder();
        for (int i = 0; i < 6; i++) {
            checksum.append(digits.charAt((int) ((remainder >> (5 * (5 - i))) & 31)));
        }
        return upper ? checksum.toString().toUpperCase(java.util.Locale.ROOT) : checksum.toString();
    }
}
