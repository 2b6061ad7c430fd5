package dev.postern.scrub;

import java.util.Arrays;

/**
 * Tells which hashes of grams may be among those it was given. It errs on the side of yes, for three other grams in a hundred
 * or fewer, unless there are millions. Few are kept a byte each, which is quickest to ask; many share bits, so that they stay
 * within the processor's caches.
 */
sealed interface GramSet {
    /** The most entries of the first kind. */
    int FEW = 1 << 12;

    /** Room for so many. */
    static GramSet of(int count) {
        return count <= FEW ? new Few(count) : new Many(count);
    }

    /** Puts a hash in. */
    void add(int hash);

    /** The index of the first hash of {@code [from, to)} that may be in the set; {@code to} if none may. */
    int next(int[] hashes, int from, int to);

    /** Forgets all. */
    void wipe();

    /** The smallest power of two that is no smaller, as an exponent. */
    static int log2(int count) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, count - 1));
    }

    /** A byte a gram, of thirty-two. */
    final class Few implements GramSet {
        private final byte[] present;
        private final int shift;

        private Few(int count) {
            int log = Math.max(10, log2(count) + 5);
            present = new byte[1 << log];
            shift = Integer.SIZE - log;
        }

        @Override
        public void add(int hash) {
            present[hash >>> shift] = 1;
        }

        @Override
        public int next(int[] hashes, int from, int to) {
            byte[] present = this.present;
            int shift = this.shift;
            int at = from;
            while (at < to && present[hashes[at] >>> shift] == 0) {
                at++;
            }
            return at;
        }

        @Override
        public void wipe() {
            Arrays.fill(present, (byte) 0);
        }
    }

    /** Two bits a gram, of sixteen. */
    final class Many implements GramSet {
        private final long[] words;
        private final int shift;

        private Many(int count) {
            int log = Math.min(26, log2(count) + 4) - 6;
            words = new long[1 << log];
            shift = Integer.SIZE - log;
        }

        @Override
        public void add(int hash) {
            words[hash >>> shift] |= bits(hash);
        }

        @Override
        public int next(int[] hashes, int from, int to) {
            long[] words = this.words;
            int shift = this.shift;
            int at = from;
            for (; at < to; at++) {
                int hash = hashes[at];
                long word = words[hash >>> shift];
                if (((word >>> (hash >>> 5)) & (word >>> (hash >>> 11)) & 1) != 0) {
                    break;
                }
            }
            return at;
        }

        private static long bits(int hash) {
            return 1L << (hash >>> 5) | 1L << (hash >>> 11);
        }

        @Override
        public void wipe() {
            Arrays.fill(words, 0);
        }
    }
}
