package dev.postern.scrub;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Bytes eight at a time. A {@code long} read from an array holds its first byte lowest. The tests set the high bit of each
 * byte that passes. Of {@link #zeros} only the lowest bit set is exact, those above it may be echoes of a borrow; the other
 * tests are exact throughout.
 */
final class Words {
    static final long ONES = 0x0101010101010101L;
    static final long HIGH = 0x8080808080808080L;
    static final long LOW = ~HIGH;

    /** Multiplied by this, the high bits of eight bytes meet in the highest byte. */
    private static final long GATHER = 0x0002040810204081L;

    private static final long QUOTE_OR_AMPERSAND = all('"');
    private static final long ALL_BUT_BIT_2 = all(0xFB);
    private static final long BACKSLASH = all('\\');
    private static final long PERCENT = all('%');
    private static final long NO_CONTROL = all(0x80 - 0x20);
    private static final long CASE = all(0x20);
    private static final long PLUS = all('+');
    private static final long MINUS = all('-');
    private static final long UNDERSCORE = all('_');

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private Words() {}

    /** Eight bytes from {@code at} on. */
    static long eight(byte[] bytes, int at) {
        return (long) LONGS.get(bytes, at);
    }

    /** Four bytes from {@code at} on. */
    static int four(byte[] bytes, int at) {
        return (int) INTS.get(bytes, at);
    }

    /** A word of one byte eight times over. */
    static long all(int b) {
        return ONES * b;
    }

    /** Marks the bytes that are 0. */
    static long zeros(long word) {
        return (word - ONES) & ~word & HIGH;
    }

    /**
     * Marks exactly the characters of base64, of either alphabet. Every sum stays within its byte, because all bytes are
     * below 0x80 once the others are struck out.
     */
    static long base64(long word) {
        long ascii = word & LOW;
        long folded = ascii | CASE;
        long letters = (folded + ONES * (0x80 - 'a')) & ~(folded + ONES * (0x7F - 'z'));
        // The slash is the neighbour of the digits.
        long digits = (ascii + ONES * (0x80 - '/')) & ~(ascii + ONES * (0x7F - '9'));
        long others = ((ascii ^ PLUS) + LOW) & ((ascii ^ MINUS) + LOW) & ((ascii ^ UNDERSCORE) + LOW);
        return (letters | digits | ~others) & ~word & HIGH;
    }

    /**
     * Marks, exactly, what a string of JSON cannot simply pass over: quotes, backslashes, control characters, what is not
     * ASCII; and the markers of escapes, {@code %} and {@code &}.
     */
    static long marked(long word) {
        long ascii = word & LOW;
        // A quote and an ampersand differ in one bit, so one test serves both.
        long passed = (((ascii & ALL_BUT_BIT_2) ^ QUOTE_OR_AMPERSAND) + LOW)
                & ((ascii ^ BACKSLASH) + LOW)
                & ((ascii ^ PERCENT) + LOW)
                & (ascii + NO_CONTROL);
        return (~passed | word) & HIGH;
    }

    /**
     * {@link #marked(long)} of {@code count} words from {@code from} on. A loop without a branch, which the virtual machine
     * turns into vector instructions: an order of magnitude faster than a word at a time.
     */
    static void marked(byte[] text, int from, long[] marks, int count) {
        for (int i = 0; i < count; i++) {
            marks[i] = marked(eight(text, from + (i << 3)));
        }
    }

    /** Packs the marks of {@code count} words to one bit a byte, the first in the lowest bit. */
    static void pack(long[] marks, byte[] bits, int count) {
        for (int i = 0; i < count; i++) {
            bits[i] = (byte) ((marks[i] * GATHER) >>> 56);
        }
    }

    /** Marks what is not {@link #base64}, as {@link #marked(byte[], int, long[], int)} does. */
    static void notBase64(byte[] text, int from, long[] marks, int count) {
        for (int i = 0; i < count; i++) {
            marks[i] = base64(eight(text, from + (i << 3))) ^ HIGH;
        }
    }

    /** Whether {@code count} words from {@code from} on are base64 throughout. */
    static boolean areBase64(byte[] text, int from, int count) {
        long others = 0;
        for (int i = 0; i < count; i++) {
            others |= base64(eight(text, from + (i << 3))) ^ HIGH;
        }
        return others == 0;
    }

    /** The index of the first marked byte. */
    static int first(long marks) {
        return Long.numberOfTrailingZeros(marks) >>> 3;
    }

    /** The index of the last marked byte; only of marks that are exact throughout. */
    static int last(long marks) {
        return 7 - (Long.numberOfLeadingZeros(marks) >>> 3);
    }
}
