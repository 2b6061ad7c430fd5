package dev.postern.store.sql;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.zip.CRC32;

/**
 * Agent keys: {@code pst_}, 43 base-62 digits of 256 random bits, 6 of a CRC-32 over what stands before them. The prefix lets
 * a secret scanner find a leaked key; the checksum lets it, and us, tell a mistyped one without asking the store.
 */
final class AgentKey {
    static final String PREFIX = "pst_";

    private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int RANDOM_BYTES = 32;
    private static final int RANDOM_DIGITS = 43;
    private static final int CHECK_DIGITS = 6;
    private static final int LENGTH = PREFIX.length() + RANDOM_DIGITS + CHECK_DIGITS;
    private static final int VISIBLE_DIGITS = 6;

    private AgentKey() {}

    static String random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(bytes);
        String unchecked = PREFIX + digits(new BigInteger(1, bytes), RANDOM_DIGITS);
        return unchecked + checksum(unchecked);
    }

    /** Whether the text can be a key at all. */
    static boolean wellFormed(String key) {
        if (key.length() != LENGTH || !key.startsWith(PREFIX)) {
            return false;
        }
        int split = LENGTH - CHECK_DIGITS;
        return key.substring(split).equals(checksum(key.substring(0, split)));
    }

    /** What people may see of a key, to tell it from others. */
    static String visible(String key) {
        return key.substring(0, PREFIX.length() + VISIBLE_DIGITS);
    }

    /** What is stored. A plain hash is enough for 256 random bits: there is nothing to guess. */
    static byte[] hash(String key) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256");
        }
    }

    private static String checksum(String text) {
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return digits(BigInteger.valueOf(crc.getValue()), CHECK_DIGITS);
    }

    private static String digits(BigInteger number, int length) {
        char[] digits = new char[length];
        BigInteger base = BigInteger.valueOf(DIGITS.length());
        for (int i = length - 1; i >= 0; i--) {
            BigInteger[] quotient = number.divideAndRemainder(base);
            digits[i] = DIGITS.charAt(quotient[1].intValue());
            number = quotient[0];
        }
        return new String(digits);
    }
}
