package dev.postern.scrub;

import java.util.Arrays;
import java.util.List;

/**
 * All patterns as one automaton over bytes (Aho and Corasick 1975): a state stands for the longest beginning of any
 * pattern that the bytes so far end in. Edges are kept in one open-addressed table, since a dense row a state would take
 * 256 entries for the one or two that exist.
 *
 * <p>Immutable once built, so safe to share between threads, until {@link #wipe()}.
 */
final class Automaton {
    static final int ROOT = 0;
    private static final int NONE = -1;

    private final Pattern[] patterns;
    private final int[] rootRow = new int[256];
    /** Edges: {@code state << 8 | byte} plus 1, so that 0 is free. */
    private final int[] edgeKeys;

    private final int[] edgeTargets;
    private final int[] fail;
    private final int[] depth;
    private final byte[] lastByte;
    /** First of the patterns that end in a state, and per pattern the next one with the same bytes. */
    private final int[] ends;

    private final int[] sameBytes;
    /** The nearest state on the failure path, itself included, in which a pattern ends. */
    private final int[] ending;
    /** The same for states deep enough to betray a value by its first part, and whose value that is. */
    private final int[] partial;

    private final int[] partialPattern;
    private final boolean[] wraps;
    /** The states as a walk through the tree of failure links meets them, and how many are below each, itself included. */
    private final int[] place;

    private final int[] below;
    private int states = 1;

    Automaton(List<Pattern> patterns) {
        this.patterns = patterns.toArray(new Pattern[0]);
        int bytes = 1;
        for (Pattern pattern : patterns) {
            bytes += pattern.length();
        }
        int capacity = Integer.highestOneBit(Math.max(16, bytes * 2)) << 1;
        edgeKeys = new int[capacity];
        edgeTargets = new int[capacity];
        fail = new int[bytes];
        depth = new int[bytes];
        lastByte = new byte[bytes];
        ends = new int[bytes];
        ending = new int[bytes];
        partial = new int[bytes];
        partialPattern = new int[bytes];
        wraps = new boolean[bytes];
        place = new int[bytes];
        below = new int[bytes];
        sameBytes = new int[this.patterns.length];
        Arrays.fill(ends, NONE);
        Arrays.fill(partialPattern, NONE);
        int[] parents = new int[bytes];
        for (int i = 0; i < this.patterns.length; i++) {
            insert(i, parents);
        }
        link(parents);
    }

    private void insert(int index, int[] parents) {
        Pattern pattern = patterns[index];
        int state = ROOT;
        for (byte b : pattern.bytes()) {
            int next = child(state, b & 0xFF);
            if (next == NONE) {
                next = states++;
                depth[next] = depth[state] + 1;
                parents[next] = state;
                lastByte[next] = b;
                if (state == ROOT) {
                    rootRow[b & 0xFF] = next;
                } else {
                    put(state, b & 0xFF, next);
                }
            }
            state = next;
            wraps[state] |= pattern.kind() != Pattern.Kind.PLAIN;
            if (depth[state] >= pattern.part()) {
                int known = partialPattern[state];
                if (known == NONE
                        || patterns[known].target().characters()
                                < pattern.target().characters()) {
                    partialPattern[state] = index;
                }
            }
        }
        sameBytes[index] = ends[state];
        ends[state] = index;
    }

    private void link(int[] parents) {
        // States are numbered as they were inserted; failure links need them by depth.
        int deepest = 0;
        for (int state = 0; state < states; state++) {
            deepest = Math.max(deepest, depth[state]);
        }
        int[] starts = new int[deepest + 2];
        for (int state = 0; state < states; state++) {
            starts[depth[state] + 1]++;
        }
        for (int i = 1; i < starts.length; i++) {
            starts[i] += starts[i - 1];
        }
        int[] byDepth = new int[states];
        for (int state = 0; state < states; state++) {
            byDepth[starts[depth[state]]++] = state;
        }
        for (int state : byDepth) {
            if (depth[state] > 1) {
                fail[state] = next(fail[parents[state]], lastByte[state] & 0xFF);
            }
            ending[state] = ends[state] != NONE ? state : ending[fail[state]];
            partial[state] = partialPattern[state] != NONE ? state : partial[fail[state]];
            wraps[state] |= wraps[fail[state]];
        }
        number(byDepth);
    }

    private void number(int[] byDepth) {
        for (int i = byDepth.length - 1; i > 0; i--) {
            below[byDepth[i]]++;
            below[fail[byDepth[i]]] += below[byDepth[i]];
        }
        below[ROOT]++;
        int[] free = new int[states];
        free[ROOT] = 1;
        for (int i = 1; i < byDepth.length; i++) {
            int state = byDepth[i];
            place[state] = free[fail[state]];
            free[state] = place[state] + 1;
            free[fail[state]] += below[state];
        }
    }

    /** Whether a state stands for the end, or all, of what another stands for: then that one sees all that it would. */
    boolean isEnd(int state, int of) {
        return place[of] >= place[state] && place[of] - place[state] < below[state];
    }

    /** The state after one more byte. */
    int next(int state, int b) {
        int at = state;
        while (at != ROOT) {
            int next = child(at, b);
            if (next != NONE) {
                return next;
            }
            at = fail[at];
        }
        return rootRow[b];
    }

    /** How many bytes of a pattern the state stands for. */
    int depth(int state) {
        return depth[state];
    }

    /** The longest end of this state, itself included, that is a whole pattern; {@link #ROOT} if none is. */
    int ending(int state) {
        return ending[state];
    }

    /** The next shorter one. */
    int shorterEnding(int state) {
        return ending[fail[state]];
    }

    /** The longest end of this state that is enough of a pattern's beginning to betray it (S15). */
    int partial(int state) {
        return partial[state];
    }

    Pattern partialPattern(int partialState) {
        return patterns[partialPattern[partialState]];
    }

    /** Whether a base64 or hex pattern goes through this state, or an end of it, so that a line break may stand here. */
    boolean wraps(int state) {
        return wraps[state];
    }

    /** The first pattern that ends in this very state; then {@link #samePattern} for more. */
    int endsHere(int state) {
        return ends[state];
    }

    int samePattern(int pattern) {
        return sameBytes[pattern];
    }

    Pattern pattern(int index) {
        return patterns[index];
    }

    void wipe() {
        Arrays.fill(edgeKeys, 0);
        Arrays.fill(lastByte, (byte) 0);
        Arrays.fill(rootRow, 0);
    }

    private int child(int state, int b) {
        if (state == ROOT) {
            return rootRow[b] == 0 ? NONE : rootRow[b];
        }
        int key = ((state << 8) | b) + 1;
        int mask = edgeKeys.length - 1;
        for (int slot = slot(key); edgeKeys[slot & mask] != 0; slot++) {
            if (edgeKeys[slot & mask] == key) {
                return edgeTargets[slot & mask];
            }
        }
        return NONE;
    }

    private void put(int state, int b, int target) {
        int key = ((state << 8) | b) + 1;
        int mask = edgeKeys.length - 1;
        int slot = slot(key);
        while (edgeKeys[slot & mask] != 0) {
            slot++;
        }
        edgeKeys[slot & mask] = key;
        edgeTargets[slot & mask] = target;
    }

    private static int slot(int key) {
        return (key * 0x9E3779B1) >>> 8;
    }
}
