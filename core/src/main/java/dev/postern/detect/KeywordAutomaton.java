package dev.postern.detect;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Finds every keyword of every rule in one pass, in either case. Two stages: a filter asks of each place whether the four
 * bytes that stand there may begin a keyword, and only then a trie over byte classes is walked. The filter's questions do not
 * wait for each other, as the steps of an automaton with failure links do; a walk is at most as long as the longest keyword, so the whole stays linear. Immutable and
 * thread-safe.
 */
final class KeywordAutomaton {
    private static final int MAX_STATES = 1 << 16;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    /** Makes a letter lower case, and other bytes something that does not matter as long as it is always the same. */
    private static final int FOLD = 0x20202020;

    private static final int THREE_BYTES = 0xFFFFFF;
    private static final int SPREAD = 0x9E3779B1;
    private static final int FILTER_BITS = 14;
    private static final int NO_KEYWORD = -1;

    /** At the hash of three bytes: a bit for each letter that may follow them, by its last five bits. */
    private final int[] filter = new int[1 << FILTER_BITS];

    private final byte[] classes = new byte[256];
    private final int shift;
    private final char[] next;
    private final int firstEnding;
    private final int[] endings;

    /** Receives each keyword found. */
    interface Sink {
        /**
         * {@code keyword} is an index into the list the automaton was made of, {@code end} is one past the match. Called in
         * the order in which keywords begin; the shorter first where two begin at one place.
         */
        void keyword(int keyword, int end);
    }

    /** @param keywords ASCII, lower case, each once, none shorter than two bytes */
    KeywordAutomaton(List<byte[]> keywords) {
        int classCount = assignClasses(keywords);
        shift = 32 - Integer.numberOfLeadingZeros(classCount - 1);
        Trie trie = new Trie(classCount);
        for (int i = 0; i < keywords.size(); i++) {
            trie.add(keywords.get(i), i);
            admit(keywords.get(i));
        }
        int states = trie.next.size();
        if (states > MAX_STATES) {
            throw new RuleFileException("the keywords are too many");
        }
        int[] order = trie.orderEndingLast();
        int[] renumbered = new int[states];
        for (int i = 0; i < states; i++) {
            renumbered[order[i]] = i;
        }
        next = new char[states << shift];
        firstEnding = states - keywords.size();
        endings = new int[keywords.size()];
        for (int i = 0; i < states; i++) {
            for (int c = 0; c < classCount; c++) {
                next[(i << shift) | c] = (char) renumbered[trie.next.get(order[i])[c]];
            }
            if (i >= firstEnding) {
                endings[i - firstEnding] = trie.keywords.get(order[i]);
            }
        }
    }

    /** Reads {@code text[from, to)}. */
    void scan(byte[] text, int from, int to, Sink sink) {
        int last = Math.min(to, text.length - 3);
        int at = from;
        for (; at < last; at++) {
            int bytes = (int) INT.get(text, at) | FOLD;
            if ((filter[hash(bytes)] >>> (bytes >>> 24) & 1) != 0) {
                walk(text, at, to, sink);
            }
        }
        // Four bytes cannot be read at the very end of the array.
        for (; at < to; at++) {
            walk(text, at, to, sink);
        }
    }

    private void walk(byte[] text, int from, int to, Sink sink) {
        int state = 0;
        for (int at = from; at < to; at++) {
            state = next[(state << shift) | classes[text[at] & 0xFF]];
            if (state == 0) {
                return;
            }
            if (state >= firstEnding) {
                sink.keyword(endings[state - firstEnding], at + 1);
            }
        }
    }

    private static int hash(int bytes) {
        return ((bytes & THREE_BYTES) * SPREAD) >>> (32 - FILTER_BITS);
    }

    private void admit(byte[] keyword) {
        int firstTwo = keyword[0] | keyword[1] << 8;
        if (keyword.length > 2) {
            int hash = hash(firstTwo | keyword[2] << 16 | FOLD);
            filter[hash] |= keyword.length == 3 ? -1 : 1 << (keyword[3] | FOLD);
            return;
        }
        for (int any = 0; any < 256; any++) {
            filter[hash(firstTwo | any << 16 | FOLD)] = -1;
        }
    }

    /** Class 0 is every byte that no keyword holds. */
    private int assignClasses(Collection<byte[]> keywords) {
        int count = 1;
        for (byte[] keyword : keywords) {
            for (byte b : keyword) {
                if (classes[b & 0xFF] == 0) {
                    classes[b & 0xFF] = (byte) count++;
                }
            }
        }
        for (int upper = 'A'; upper <= 'Z'; upper++) {
            classes[upper] = classes[upper + 32];
        }
        return Math.max(count, 2);
    }

    /** The trie while it is built. State 0 is the root, which no step leads back to: 0 says that no keyword goes on. */
    private final class Trie {
        private final int classCount;
        private final List<int[]> next = new ArrayList<>();
        private final List<Integer> keywords = new ArrayList<>();

        Trie(int classCount) {
            this.classCount = classCount;
            state();
        }

        private int state() {
            next.add(new int[classCount]);
            keywords.add(NO_KEYWORD);
            return next.size() - 1;
        }

        void add(byte[] keyword, int index) {
            int state = 0;
            for (byte b : keyword) {
                int c = classes[b & 0xFF];
                if (next.get(state)[c] == 0) {
                    next.get(state)[c] = state();
                }
                state = next.get(state)[c];
            }
            keywords.set(state, index);
        }

        /** So that telling where a keyword ends is one comparison. The root stays first. */
        int[] orderEndingLast() {
            List<Integer> order = new ArrayList<>();
            for (int pass = 0; pass < 2; pass++) {
                for (int state = 0; state < next.size(); state++) {
                    if ((keywords.get(state) == NO_KEYWORD) == (pass == 0)) {
                        order.add(state);
                    }
                }
            }
            return order.stream().mapToInt(Integer::intValue).toArray();
        }
    }
}
