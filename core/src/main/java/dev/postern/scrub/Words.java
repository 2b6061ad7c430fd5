package dev.postern.scrub;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Bytes eight at a time. A {@code long} read from an array holds its first byte lowest. The tests set the high bit of each
 * byte that passes; the lowest bit set is exact, those above it may be echoes of a borrow, so only the lowest is used.
 */
final class Words {
    static final long ONES = 0x0101010101010101L;
    static final long HIGH = 0x8080808080808080L;
    static final long LOW = ~HIGH;

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

    /** Marks the bytes below {@code limit}, itself at most 0x80, that are no more than 0x7F. */
    static long below(long word, int limit) {
        return (word - ONES * limit) & ~word & HIGH;
    }

    /** The index of the first marked byte. */
    static int first(long marks) {
        return Long.numberOfTrailingZeros(marks) >>> 3;
    }
}
