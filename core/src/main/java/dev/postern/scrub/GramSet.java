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

    /** How many of a hash's low bits {@link #next} has no use for. */
    int unused();

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
        public int unused() {
            return shift;
        }

        /** Eight at a time, since it hardly ever stops; and masked, so that no look needs a check of its bounds. */
        @Override
        public int next(int[] hashes, int from, int to) {
            byte[] present = this.present;
            int mask = present.length - 1;
            int at = from;
            while (at <= to - 8) {
                int any = present[hashes[at] & mask]
                        | present[hashes[at + 1] & mask]
                        | present[hashes[at + 2] & mask]
                        | present[hashes[at + 3] & mask]
                        | present[hashes[at + 4] & mask]
                        | present[hashes[at + 5] & mask]
                        | present[hashes[at + 6] & mask]
                        | present[hashes[at + 7] & mask];
                if (any != 0) {
                    break;
                }
                at += 8;
            }
            while (at < to && present[hashes[at] & mask] == 0) {
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
        public int unused() {
            return 0;
        }

        @Override
        public int next(int[] hashes, int from, int to) {
            long[] words = this.words;
            int shift = this.shift;
            int mask = words.length - 1;
            int at = from;
            while (at < to && (both(words[hashes[at] >>> shift & mask], hashes[at]) & 1) == 0) {
                at++;
            }
            return at;
        }

        /** In the lowest bit whether a word has both bits of a hash. */
        private static long both(long word, int hash) {
            return word >>> (hash >>> 5) & word >>> (hash >>> 11);
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
