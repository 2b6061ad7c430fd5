package dev.postern.reference;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Looks for the marker of a reference in raw JSON bytes, escapes and all (R5, R8). Says yes too often rather than too
 * rarely: a backslash that is itself escaped is taken for an escape.
 *
 * <p>Every call pays for this, so it works at the speed of memory. A marker, however it is spelt, holds one of two
 * pairs of bytes: two braces side by side, or the start of an escape, <code>&#92;u</code>. Outside strings JSON has
 * neither, and inside them both are rare. A block is first searched for the pairs without a single branch, eight
 * places at a time, in a loop that the JIT compiler turns into vector instructions; only in a block that has one are
 * the places looked at. Against an early exit from each word this is three to four times faster on a text without
 * pairs (MarkerScanBenchmark).
 *
 * <p>The compiler does so only where it compiles that loop by itself. Inlined into a loop of the caller it was left
 * scalar and took three times as long (JDK 25). Hence one long method instead of three short ones: past 325 bytes of
 * code it is not inlined.
 */
final class MarkerScan {
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int WORD_BYTES = Long.BYTES;
    private static final int BLOCK_BYTES = 1 << 13;

    private static final long LOW_BITS = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long BRACES = LOW_BITS * '{';
    private static final long BACKSLASHES = LOW_BITS * '\\';
    private static final long ESCAPE_LETTERS = LOW_BITS * 'u';

    private static final byte[][] KINDS = {{'v', 'a', 'u', 'l', 't'}, {'s', 'e', 'c', 'r', 'e', 't'}};

    private MarkerScan() {}

    /** Whether a marker starts in {@code [start, end)}. */
    static boolean find(byte[] text, int start, int end) {
        if (end - start <= WORD_BYTES) {
            // As long as the shortest marker, or shorter.
            return end - start == WORD_BYTES && isMarker(text, start, end);
        }
        // A pair at the last place of a word reaches one byte further. The last word overlaps the one before.
        int lastWord = end - WORD_BYTES - 1;
        for (int block = start; block <= lastWord; block += BLOCK_BYTES) {
            int blockEnd = Math.min(lastWord, block + BLOCK_BYTES);
            // 1. Is there a pair in the block? This is pairs(word, next), written out.
            long found = 0;
            for (int at = block; at < blockEnd; at += WORD_BYTES) {
                long word = (long) WORD.get(text, at);
                long next = (long) WORD.get(text, at + 1);
                long braces = (word ^ BRACES) | (next ^ BRACES);
                long escapes = (word ^ BACKSLASHES) | (next ^ ESCAPE_LETTERS);
                found |= ((braces - LOW_BITS) & ~braces) | ((escapes - LOW_BITS) & ~escapes);
            }
            found |= pairs((long) WORD.get(text, blockEnd), (long) WORD.get(text, blockEnd + 1));
            if ((found & HIGH_BITS) == 0) {
                continue;
            }
            // 2. Where are they, and does a marker start there?
            for (int at = block; at < blockEnd + WORD_BYTES; at += WORD_BYTES) {
                int from = Math.min(at, blockEnd);
                long pairs = pairs((long) WORD.get(text, from), (long) WORD.get(text, from + 1)) & HIGH_BITS;
                for (; pairs != 0; pairs &= pairs - 1) {
                    int pair = from + (Long.numberOfTrailingZeros(pairs) >>> 3);
                    // A raw brace before an escaped one is no pair by itself.
                    if (isMarker(text, pair, end)
                            || (pair > start && text[pair - 1] == '{' && isMarker(text, pair - 1, end))) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /**
     * The high bit of a byte is set in the outcome if a pair starts there; above one it may be set without.
     *
     * @param word eight bytes
     * @param next the eight bytes one further
     */
    private static long pairs(long word, long next) {
        long braces = (word ^ BRACES) | (next ^ BRACES);
        long escapes = (word ^ BACKSLASHES) | (next ^ ESCAPE_LETTERS);
        // A byte of zeros is a pair; it borrows from the next higher, which may then look like one.
        return ((braces - LOW_BITS) & ~braces) | ((escapes - LOW_BITS) & ~escapes);
    }

    /** Whether the first brace of a marker, raw or escaped, stands at {@code at}. */
    private static boolean isMarker(byte[] text, int at, int end) {
        if (character(text, at, end) != '{') {
            return false;
        }
        int second = at + width(text, at);
        if (character(text, second, end) != '{') {
            return false;
        }
        int label = second + width(text, second);
        for (byte[] kind : KINDS) {
            int next = label;
            int matched = 0;
            while (matched < kind.length && (character(text, next, end) | 0x20) == kind[matched]) {
                next += width(text, next);
                matched++;
            }
            if (matched == kind.length && character(text, next, end) == ':') {
                return true;
            }
        }
        return false;
    }

    /** The character at {@code at} if it is ASCII, raw or as an escape of six bytes; else -1. */
    private static int character(byte[] text, int at, int end) {
        if (at >= end) {
            return -1;
        }
        if (text[at] != '\\') {
            return text[at];
        }
        if (at + 6 > end || text[at + 1] != 'u' || text[at + 2] != '0' || text[at + 3] != '0') {
            return -1;
        }
        int high = Character.digit(text[at + 4], 16);
        int low = Character.digit(text[at + 5], 16);
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }

    private static int width(byte[] text, int at) {
        return text[at] == '\\' ? 6 : 1;
    }
}
