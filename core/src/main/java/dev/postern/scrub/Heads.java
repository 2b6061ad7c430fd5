package dev.postern.scrub;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.stream.LongStream;

/**
 * Finds at the very start of a text, or behind the {@link Remnants} of an escape there, the last part of a value whose first
 * part was cut off (S15). The first {@link #KEY} bytes of every such part are indexed; a hit is followed to the value's end.
 */
final class Heads {
    private static final int KEY = 8;
    private static final int BEGINNING = 2;
    /** Ways to read the first bytes of a text that are tried. */
    private static final int MAX_WAYS = 256;

    private record Part(Pattern pattern, int start) {}

    private final Map<Long, List<Part>> parts = new HashMap<>();
    /** The first two bytes of every part, since most texts differ by then. */
    private final BitSet beginnings = new BitSet(1 << 16);
    /** The keys, in the order of unsigned numbers, so that no way is followed that leads to none. */
    private final long[] sorted;

    Heads(List<Pattern> patterns) {
        LongStream.Builder keys = LongStream.builder();
        for (Pattern pattern : patterns) {
            if (pattern.part() == Pattern.NEVER || pattern.target().reach() != Target.Reach.ANYWHERE) {
                continue;
            }
            for (int start = 1; start <= pattern.length() - Math.max(KEY, pattern.part()); start++) {
                long key = 0;
                for (int i = 0; i < KEY; i++) {
                    key = (key << 8) | (pattern.bytes()[start + i] & 0xFF);
                }
                beginnings.set((int) (key >>> ((KEY - BEGINNING) * Byte.SIZE)));
                parts.computeIfAbsent(key, any -> new ArrayList<>(1)).add(new Part(pattern, start));
                keys.add(key ^ Long.MIN_VALUE);
            }
        }
        sorted = keys.build().sorted().toArray();
    }

    /** Whether a part may begin with the {@code length} bytes of {@code key}. */
    private boolean isBeginning(long key, int length) {
        if (length < BEGINNING) {
            return true;
        }
        if (length == BEGINNING) {
            return beginnings.get((int) key);
        }
        int missing = (KEY - length) * Byte.SIZE;
        long first = key << missing ^ Long.MIN_VALUE;
        int found = Arrays.binarySearch(sorted, first);
        int place = found < 0 ? -found - 1 : found;
        return place < sorted.length && sorted[place] >>> missing == first >>> missing;
    }

    /**
     * Matches {@code text[from, to)}.
     *
     * @param within the positions, counted from {@code from}, of values found already: a value that is there as a
     *     whole is no remnant and a last part
     */
    void match(byte[] text, int from, int to, BitSet within, Readings readings, Matcher.Sink sink) {
        if (!parts.isEmpty()) {
            Remnants.behind(text, from, to, readings, start -> {
                if (start == from || !within.get(start - from)) {
                    new Walk(text, from, start, to, readings, sink).run();
                }
            });
        }
    }

    void wipe() {
        parts.clear();
        beginnings.clear();
        Arrays.fill(sorted, 0);
    }

    /** Where a walk goes on behind decoration, with what was read before it. */
    private record Ahead(int at, int length, long key) {}

    private final class Walk {
        private final byte[] text;
        private final int from;
        private final int start;
        private final int to;
        private final Readings readings;
        private final Matcher.Sink sink;
        private int ways;
        private final Deque<Ahead> ahead = new ArrayDeque<>(0);
        private final Set<Ahead> seen = new HashSet<>(0);

        /** @param start where the part may start, behind what is left of an escape */
        Walk(byte[] text, int from, int start, int to, Readings readings, Matcher.Sink sink) {
            this.text = text;
            this.from = from;
            this.start = start;
            this.to = to;
            this.readings = readings;
            this.sink = sink;
        }

        /** Reads {@link #KEY} bytes every way there is and looks them up. A text may begin with any amount of decoration. */
        void run() {
            keys(start, 0, 0L);
            for (Ahead next = ahead.poll(); next != null; next = ahead.poll()) {
                keys(next.at, next.length, next.key);
            }
        }

        private void keys(int at, int length, long key) {
            if (length >= KEY) {
                ways++;
                for (Part part : parts.getOrDefault(key, List.of())) {
                    int end = follow(part.pattern.bytes(), part.start);
                    if (end >= 0) {
                        sink.found(from, end, part.pattern.target());
                    }
                }
                return;
            }
            if (at >= to || ways > MAX_WAYS || !isBeginning(key, length)) {
                return;
            }
            keys(at + 1, length + 1, (key << 8) | (text[at] & 0xFF));
            for (int r = readings.first(at); r != Readings.NONE; r = readings.next(r)) {
                byte[] bytes = bytes(r);
                if (bytes.length == 0) {
                    Ahead behind = new Ahead(readings.end(r), length, key);
                    if (seen.add(behind)) {
                        ahead.add(behind);
                    }
                } else {
                    int taken = Math.min(bytes.length, KEY - length);
                    long longer = key;
                    for (int i = 0; i < taken; i++) {
                        longer = (longer << 8) | (bytes[i] & 0xFF);
                    }
                    keys(readings.end(r), length + taken, longer);
                }
            }
        }

        private byte[] bytes(int reading) {
            int code = readings.code(reading);
            if (code < 0) {
                return new byte[0];
            }
            byte[] decomposition = readings.decomposition(code);
            if (decomposition != null) {
                return decomposition;
            }
            return code >= Readings.BYTE
                    ? new byte[] {(byte) code}
                    : Character.toString(code).getBytes(StandardCharsets.UTF_8);
        }

        /** Where {@code pattern[first, …)} ends in the text if the text starts with it, or -1. */
        private int follow(byte[] pattern, int first) {
            int length = pattern.length - first;
            if (length <= to - start && Arrays.equals(pattern, first, pattern.length, text, start, start + length)) {
                return start + length;
            }
            List<Set<Integer>> reached = new ArrayList<>();
            for (int i = first; i <= pattern.length; i++) {
                reached.add(new HashSet<>());
            }
            reached.get(0).add(start);
            for (int i = first; i < pattern.length; i++) {
                int index = i;
                Set<Integer> here = reached.get(i - first);
                skips(here);
                for (int at : here) {
                    step(pattern, i, at, end -> reached.get(index + 1 - first).add(end));
                    for (int r = at < to ? readings.first(at) : Readings.NONE;
                            r != Readings.NONE;
                            r = readings.next(r)) {
                        byte[] bytes = bytes(r);
                        if (bytes.length > 1
                                && i + bytes.length <= pattern.length
                                && Arrays.equals(pattern, i, i + bytes.length, bytes, 0, bytes.length)) {
                            reached.get(i + bytes.length - first).add(readings.end(r));
                        }
                    }
                }
            }
            return reached.get(pattern.length - first).stream()
                    .mapToInt(at -> at)
                    .max()
                    .orElse(-1);
        }

        private void skips(Set<Integer> here) {
            List<Integer> open = new ArrayList<>(here);
            for (int i = 0; i < open.size(); i++) {
                int at = open.get(i);
                for (int r = at < to ? readings.first(at) : Readings.NONE; r != Readings.NONE; r = readings.next(r)) {
                    if (readings.code(r) < 0 && here.add(readings.end(r))) {
                        open.add(readings.end(r));
                    }
                }
            }
        }

        private void step(byte[] pattern, int i, int at, IntConsumer next) {
            if (at >= to) {
                return;
            }
            if (text[at] == pattern[i]) {
                next.accept(at + 1);
            }
            for (int r = readings.first(at); r != Readings.NONE; r = readings.next(r)) {
                int code = readings.code(r);
                if ((code < 0x80 || code >= Readings.BYTE) && code >= 0 && (byte) code == pattern[i]) {
                    next.accept(readings.end(r));
                }
            }
        }
    }
}
