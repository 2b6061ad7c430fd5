package dev.postern.scrub;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;

/**
 * Runs the automaton along every path of readings through a text at once.
 *
 * <p>One thread of matching follows the bytes as they stand. Wherever a position has another reading, a second thread
 * takes it and goes on where the reading ends. Where threads meet whose states stand for ends of the same bytes, that with the
 * most bytes goes on for all; a thread back at the root is dropped, since the first thread stands for it. So text without
 * escapes costs one step a byte, and text full of them a small multiple.
 *
 * <p>Not thread-safe; reused from text to text.
 */
final class Matcher {
    /** Takes what is found, as positions of the text that was matched. */
    interface Sink {
        void found(int start, int end, Target target);
    }

    /**
     * More threads than this at one position need a value of that many escape characters in a row, met by a text of the
     * same. It is not delivered.
     */
    private static final int MAX_THREADS = 512;
    /** A base64 pattern of fewer characters counts only where its neighbours fit too. */
    private static final int SURE_BASE64 = 10;

    private static final int NONE = -1;

    private final Automaton automaton;
    private final Heads heads;
    private final EscapeReader reader;
    private final Readings readings;

    /** By position: the threads that wait there. */
    private int[] waiting = new int[64];

    private int[] states = new int[64];
    private int[] consumed = new int[64];
    private int[] paths = new int[64];
    /** Bytes consumed since a line break of base64 was skipped; {@link #NONE} where none was. */
    private int[] sinceWrap = new int[64];

    private int[] next = new int[64];
    private int count;
    private final Paths path = new Paths();

    private byte[] text = new byte[0];
    private int from;
    private int to;
    /** Positions of values found near the start, counted from there. */
    private final BitSet within = new BitSet();

    /** Whether what is matched is a whole text, not a stretch of one. */
    private boolean whole;

    Matcher(Automaton automaton, Heads heads, EscapeReader reader) {
        this.automaton = automaton;
        this.heads = heads;
        this.reader = reader;
        this.readings = reader.readings();
    }

    /**
     * Matches {@code text[from, to)}.
     *
     * @param head whether a value may have lost its first part before {@code from} (S15)
     * @param tail whether a value may have lost its last part after {@code to}
     */
    void match(byte[] text, int from, int to, boolean head, boolean tail, Sink found) {
        this.text = text;
        this.from = from;
        this.to = to;
        this.whole = head && tail;
        count = 0;
        path.clear();
        if (waiting.length <= to - from) {
            waiting = new int[to - from + 64];
        }
        Arrays.fill(waiting, 0, to - from + 1, NONE);
        reader.read(text, from, to);
        if (tail) {
            reader.readCuts();
        }
        within.clear();
        Sink sink = !head
                ? found
                : (start, end, target) -> {
                    if (start - from < Remnants.LONGEST && end > start) {
                        within.set(start - from, end - from);
                    }
                    found.found(start, end, target);
                };
        int state = Automaton.ROOT;
        for (int at = from; at < to; at++) {
            int reading = readings.first(at);
            if (tail && reader.isCut(at)) {
                partials(at, state, sink);
            }
            for (int thread = waiting[at - from]; thread != NONE; thread = next[thread]) {
                if (sinceWrap[thread] != NONE || !automaton.isEnd(states[thread], state)) {
                    advance(thread, at, reading, sink);
                }
            }
            if (reading != Readings.NONE) {
                fork(state, at - from, NONE, NONE, at, reading, sink);
            }
            state = automaton.next(state, text[at] & 0xFF);
            report(state, at - from + 1, NONE, NONE, at + 1, sink);
        }
        if (tail) {
            partials(to, state, sink);
        }
        if (head) {
            heads.match(text, from, to, within, readings, found);
        }
    }

    private void partials(int at, int state, Sink sink) {
        partial(state, at - from, NONE, sink);
        for (int thread = waiting[at - from]; thread != NONE; thread = next[thread]) {
            partial(states[thread], consumed[thread], paths[thread], sink);
        }
    }

    private void advance(int thread, int at, int reading, Sink sink) {
        int state = states[thread];
        if (reading != Readings.NONE) {
            fork(state, consumed[thread], paths[thread], sinceWrap[thread], at, reading, sink);
        }
        int after = automaton.next(state, text[at] & 0xFF);
        int wrap = sinceWrap[thread] == NONE ? NONE : sinceWrap[thread] + 1;
        report(after, consumed[thread] + 1, paths[thread], wrap, at + 1, sink);
        push(after, consumed[thread] + 1, paths[thread], wrap, at + 1);
    }

    /** Takes every other reading of a position. */
    private void fork(int state, int consumed, int pathBefore, int wrap, int at, int firstReading, Sink sink) {
        for (int reading = firstReading; reading != Readings.NONE; reading = readings.next(reading)) {
            int code = readings.code(reading);
            int end = readings.end(reading);
            if (code == Readings.SKIP || code == Readings.WRAP) {
                if (state != Automaton.ROOT && (code == Readings.SKIP || automaton.wraps(state))) {
                    int node = path.add(pathBefore, consumed, at, consumed, end);
                    push(state, consumed, node, code == Readings.WRAP ? 0 : wrap, end);
                }
                continue;
            }
            byte[] decomposition = readings.decomposition(code);
            if (decomposition != null) {
                take(state, decomposition, consumed, pathBefore, wrap, at, end, sink);
            }
            if (code >= Readings.BYTE || code < 0x80) {
                int after = automaton.next(state, code & 0xFF);
                arrive(after, 1, consumed, pathBefore, wrap, at, end, sink);
            } else if (!Character.isSurrogate((char) code) || code > 0xFFFF) {
                take(
                        state,
                        Character.toString(code).getBytes(StandardCharsets.UTF_8),
                        consumed,
                        pathBefore,
                        wrap,
                        at,
                        end,
                        sink);
            }
        }
    }

    private void take(int state, byte[] bytes, int consumed, int pathBefore, int wrap, int at, int end, Sink sink) {
        int after = state;
        for (byte b : bytes) {
            after = automaton.next(after, b & 0xFF);
        }
        arrive(after, bytes.length, consumed, pathBefore, wrap, at, end, sink);
    }

    private void arrive(int after, int length, int consumed, int pathBefore, int wrap, int at, int end, Sink sink) {
        if (after != Automaton.ROOT) {
            int node = path.add(pathBefore, consumed, at, consumed + length, end);
            int sinceWrap = wrap == NONE ? NONE : wrap + length;
            report(after, consumed + length, node, sinceWrap, end, sink);
            push(after, consumed + length, node, sinceWrap, end);
        }
    }

    private void push(int state, int consumed, int path, int wrap, int at) {
        if (state == Automaton.ROOT || (wrap != NONE && automaton.depth(state) <= wrap)) {
            return;
        }
        int waitingThere = 0;
        for (int thread = waiting[at - from]; thread != NONE; thread = next[thread]) {
            if (sinceWrap[thread] == NONE == (wrap == NONE)) {
                if (wrap == NONE ? automaton.isEnd(state, states[thread]) : state == states[thread]) {
                    return;
                }
                if (wrap == NONE && automaton.isEnd(states[thread], state)) {
                    put(thread, state, consumed, path, wrap);
                    return;
                }
            }
            waitingThere++;
        }
        if (waitingThere > MAX_THREADS) {
            throw new ScrubFailedException("the text can be read in too many ways");
        }
        if (count == states.length) {
            states = Arrays.copyOf(states, 2 * count);
            this.consumed = Arrays.copyOf(this.consumed, 2 * count);
            paths = Arrays.copyOf(paths, 2 * count);
            sinceWrap = Arrays.copyOf(sinceWrap, 2 * count);
            next = Arrays.copyOf(next, 2 * count);
        }
        put(count, state, consumed, path, wrap);
        next[count] = waiting[at - from];
        waiting[at - from] = count++;
    }

    private void put(int thread, int state, int consumed, int path, int wrap) {
        states[thread] = state;
        this.consumed[thread] = consumed;
        paths[thread] = path;
        sinceWrap[thread] = wrap;
    }

    private void report(int state, int consumed, int path, int wrap, int end, Sink sink) {
        for (int ending = automaton.ending(state); ending != Automaton.ROOT; ending = automaton.shorterEnding(ending)) {
            int start = this.path.start(path, consumed - automaton.depth(ending), from);
            boolean found = false;
            for (int i = automaton.endsHere(ending); i != NONE; i = automaton.samePattern(i)) {
                found |= report(automaton.pattern(i), start, wrap, end, sink);
            }
            if (found) {
                return;
            }
        }
    }

    private boolean report(Pattern pattern, int start, int wrap, int end, Sink sink) {
        if (pattern.kind() == Pattern.Kind.BASE64) {
            return base64(pattern, start, end, sink);
        }
        if (wrap != NONE && pattern.kind() == Pattern.Kind.PLAIN) {
            return false;
        }
        boolean counts = switch (pattern.target().reach()) {
            case ANYWHERE -> true;
            case TOKEN -> Tokens.isWhole(text, from, to, start, end, readings);
            case WHOLE -> whole && start == from && end == to;
        };
        if (counts) {
            sink.found(start, end, pattern.target());
        }
        return counts;
    }

    /** The characters before and after may carry bits of the value as well; they go too. */
    private boolean base64(Pattern pattern, int start, int end, Sink sink) {
        boolean sure = pattern.length() >= SURE_BASE64;
        int first = start;
        int last = end;
        if (pattern.leadBits() > 0) {
            IntPredicate fits = c -> Sextets.of(c) >= 0 && pattern.leadFits(Sextets.of(c));
            first = before(start, fits);
            if (first < 0) {
                // The first character itself may have been escaped, so that the match could as well start earlier.
                int escape = readings.startOf(start + 1, c -> c == text[start]);
                first = escape < 0 ? escape : before(escape, fits);
            }
            if (first < 0 && !sure) {
                return false;
            }
            first = first < 0 ? start : first;
        }
        if (pattern.trailBits() > 0) {
            last = after(end, c -> Sextets.of(c) >= 0 && pattern.trailFits(Sextets.of(c)));
            if (last < 0 && !sure) {
                return false;
            }
            last = last < 0 ? end : last;
            for (int padding = 0; padding < 2 && after(last, c -> c == '=') >= 0; padding++) {
                last = after(last, c -> c == '=');
            }
        }
        if (pattern.target().reach() == Target.Reach.WHOLE && (!whole || first != from || last != to)) {
            return false;
        }
        sink.found(first, last, pattern.target());
        return true;
    }

    /** Where the character that ends at {@code end} starts if it is a wanted one, however it is read; or -1. */
    private int before(int end, IntPredicate wanted) {
        return end > from && wanted.test(text[end - 1]) ? end - 1 : readings.startOf(end, wanted);
    }

    /** Where the character that starts at {@code start} ends if it is a wanted one, however it is read; or -1. */
    private int after(int start, IntPredicate wanted) {
        if (start >= to) {
            return -1;
        }
        return wanted.test(text[start]) ? start + 1 : readings.endOf(start, wanted);
    }

    private void partial(int state, int consumed, int path, Sink sink) {
        int partial = automaton.partial(state);
        if (partial != Automaton.ROOT) {
            int start = this.path.start(path, consumed - automaton.depth(partial), from);
            sink.found(start, to, automaton.partialPattern(partial).target());
        }
    }

    /** Forgets the text. */
    void clear() {
        text = new byte[0];
        reader.clear();
    }
}
