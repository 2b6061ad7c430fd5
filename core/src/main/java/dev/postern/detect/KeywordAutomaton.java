package dev.postern.detect;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * Finds every keyword of every rule in one pass, in either case. An Aho-Corasick automaton laid out as one dense table
 * of 16-bit states over byte classes, so that a step is two array reads; states where a keyword ends are numbered
 * last, so that telling them is one comparison. Immutable and thread-safe.
 *
 * <p>Source: A. Aho, M. Corasick, "Efficient string matching", 1975.
 */
final class KeywordAutomaton {
    private static final int MAX_STATES = 1 << 16;

    private final byte[] classes = new byte[256];
    private final int shift;
    private final char[] next;
    private final int firstEnding;
    private final int[][] endings;

    /** Receives each place where keywords end. */
    interface Sink {
        /** {@code keywords} are indexes into the list the automaton was made of; {@code end} is one past the match. */
        void keywords(int[] keywords, int end);
    }

    /** @param keywords ASCII, lower case, none empty */
    KeywordAutomaton(List<byte[]> keywords) {
        int classCount = assignClasses(keywords);
        shift = 32 - Integer.numberOfLeadingZeros(classCount - 1);
        Trie trie = new Trie(classCount);
        for (int i = 0; i < keywords.size(); i++) {
            trie.add(keywords.get(i), i);
        }
        trie.link();
        int[] order = trie.orderEndingLast();
        int states = order.length;
        if (states > MAX_STATES) {
            throw new RuleFileException("the keywords are too many");
        }
        int[] renumbered = new int[states];
        for (int i = 0; i < states; i++) {
            renumbered[order[i]] = i;
        }
        next = new char[states << shift];
        int ending = 0;
        while (ending < states && trie.outputs.get(order[ending]).isEmpty()) {
            ending++;
        }
        firstEnding = ending;
        endings = new int[states - ending][];
        for (int i = 0; i < states; i++) {
            for (int c = 0; c < classCount; c++) {
                next[(i << shift) | c] = (char) renumbered[trie.next.get(order[i])[c]];
            }
            if (i >= ending) {
                endings[i - ending] = trie.outputs.get(order[i]).stream()
                        .mapToInt(Integer::intValue)
                        .toArray();
            }
        }
    }

    /** Reads {@code text[from, to)}. */
    void scan(byte[] text, int from, int to, Sink sink) {
        int state = 0;
        for (int at = from; at < to; at++) {
            state = next[(state << shift) | classes[text[at] & 0xFF]];
            if (state >= firstEnding) {
                sink.keywords(endings[state - firstEnding], at + 1);
            }
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

    /** The automaton while it is built. State 0 is the root. */
    private final class Trie {
        private final int classCount;
        private final List<int[]> next = new ArrayList<>();
        private final List<List<Integer>> outputs = new ArrayList<>();

        Trie(int classCount) {
            this.classCount = classCount;
            state();
        }

        private int state() {
            int[] row = new int[classCount];
            Arrays.fill(row, -1);
            next.add(row);
            outputs.add(new ArrayList<>());
            return next.size() - 1;
        }

        void add(byte[] keyword, int index) {
            int state = 0;
            for (byte b : keyword) {
                int c = classes[b & 0xFF];
                int target = next.get(state)[c];
                if (target < 0) {
                    target = state();
                    next.get(state)[c] = target;
                }
                state = target;
            }
            outputs.get(state).add(index);
        }

        /** Fills in, breadth first, where each state goes when no keyword goes on. */
        void link() {
            int[] failure = new int[next.size()];
            ArrayDeque<Integer> queue = new ArrayDeque<>();
            queue.add(0);
            while (!queue.isEmpty()) {
                int state = queue.remove();
                int[] row = next.get(state);
                for (int c = 0; c < classCount; c++) {
                    int onFailure = state == 0 ? 0 : next.get(failure[state])[c];
                    if (row[c] < 0) {
                        row[c] = onFailure;
                    } else {
                        failure[row[c]] = onFailure;
                        outputs.get(row[c]).addAll(outputs.get(onFailure));
                        queue.add(row[c]);
                    }
                }
            }
        }

        int[] orderEndingLast() {
            List<Integer> order = new ArrayList<>();
            for (int pass = 0; pass < 2; pass++) {
                for (int state = 0; state < next.size(); state++) {
                    if (outputs.get(state).isEmpty() == (pass == 0)) {
                        order.add(state);
                    }
                }
            }
            return order.stream().mapToInt(Integer::intValue).toArray();
        }
    }
}
