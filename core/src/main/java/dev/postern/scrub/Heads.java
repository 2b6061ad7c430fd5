package dev.postern.scrub;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds at the very start of a text, or behind the {@link Remnants} of an escape there, the last part of a value whose first
 * part was cut off (S15). All such parts are kept in order (a suffix array): those that begin with what was read so far are
 * neighbours, and each byte more narrows them down, until none is left or one ends.
 */
final class Heads {
    /** A part has so many bytes at least. */
    private static final int SHORTEST = Long.BYTES;
    /** More ways than this, and than so many a byte, need a value that repeats itself, met by a text that does. It is not delivered. */
    private static final int MAX_WAYS = 1 << 16;

    private static final int MAX_WAYS_OF_BYTE = 8;

    /** @param beginning its first {@link #SHORTEST} bytes, which tell most parts from each other */
    private record Part(Pattern pattern, int start, long beginning) implements Comparable<Part> {
        static Part of(Pattern pattern, int start) {
            return new Part(pattern, start, ByteBuffer.wrap(pattern.bytes()).getLong(start));
        }

        int length() {
            return pattern.length() - start;
        }

        /** The byte at {@code index}, or -1 behind the end. */
        int at(int index) {
            return index < length() ? pattern.bytes()[start + index] & 0xFF : -1;
        }

        @Override
        public int compareTo(Part other) {
            if (beginning != other.beginning) {
                return Long.compareUnsigned(beginning, other.beginning);
            }
            return Arrays.compareUnsigned(
                    pattern.bytes(),
                    start,
                    pattern.length(),
                    other.pattern.bytes(),
                    other.start,
                    other.pattern.length());
        }
    }

    private final Part[] parts;
    /** By first byte: the first part that begins with it or a greater one. */
    private final int[] firsts = new int[257];

    Heads(List<Pattern> patterns) {
        List<Part> all = new ArrayList<>();
        for (Pattern pattern : patterns) {
            if (pattern.part() != Pattern.NEVER && pattern.target().reach() == Target.Reach.ANYWHERE) {
                for (int start = 1; start <= pattern.length() - Math.max(SHORTEST, pattern.part()); start++) {
                    all.add(Part.of(pattern, start));
                }
            }
        }
        parts = all.toArray(Part[]::new);
        Arrays.sort(parts);
        int part = 0;
        for (int first = 0; first < firsts.length; first++) {
            while (part < parts.length && parts[part].at(0) < first) {
                part++;
            }
            firsts[first] = part;
        }
    }

    /**
     * Matches {@code text[from, to)}.
     *
     * @param within the positions, counted from {@code from}, of values found already: a value that is there as a
     *     whole is no remnant and a last part
     */
    void match(byte[] text, int from, int to, BitSet within, Readings readings, Matcher.Sink sink) {
        if (parts.length > 0) {
            Walk walk = new Walk(text, from, to, readings, sink);
            Remnants.behind(text, from, to, readings, start -> {
                if (start == from || !within.get(start - from)) {
                    walk.start(start);
                }
            });
        }
    }

    void wipe() {
        Arrays.fill(parts, null);
    }

    /** The first of {@code parts[low, high)}, which agree before {@code index}, that has {@code least} there or more. */
    private int bound(int low, int high, int index, int least) {
        int below = low;
        int above = high;
        while (below < above) {
            int middle = (below + above) >>> 1;
            if (parts[middle].at(index) < least) {
                below = middle + 1;
            } else {
                above = middle;
            }
        }
        return below;
    }

    /** What was read up to a position: {@code length} bytes, with which {@code parts[low, high)} begin. */
    private record Way(int at, int low, int high, int length) {}

    /** All ways to read one text from its start, each followed once. */
    private final class Walk {
        private final byte[] text;
        private final int from;
        private final int to;
        private final Readings readings;
        private final Matcher.Sink sink;
        private final Deque<Way> open = new ArrayDeque<>(4);
        private final Set<Way> seen = new HashSet<>(4);

        Walk(byte[] text, int from, int to, Readings readings, Matcher.Sink sink) {
            this.text = text;
            this.from = from;
            this.to = to;
            this.readings = readings;
            this.sink = sink;
        }

        void start(int at) {
            step(new Way(at, 0, parts.length, 0));
            for (Way way = open.poll(); way != null; way = open.poll()) {
                step(way);
            }
        }

        private void step(Way way) {
            if (way.at >= to) {
                return;
            }
            read(way, text[way.at], way.at + 1);
            for (int r = readings.first(way.at); r != Readings.NONE; r = readings.next(r)) {
                int code = readings.code(r);
                int end = readings.end(r);
                if (code < 0) {
                    follow(end, way.low, way.high, way.length);
                } else if (code < 0x80 || code >= Readings.BYTE) {
                    read(way, (byte) code, end);
                } else {
                    byte[] decomposition = readings.decomposition(code);
                    if (decomposition != null) {
                        read(way, decomposition, end);
                    }
                    if (code > 0xFFFF || !Character.isSurrogate((char) code)) {
                        read(way, Character.toString(code).getBytes(StandardCharsets.UTF_8), end);
                    }
                }
            }
        }

        private void read(Way way, byte[] bytes, int end) {
            int low = way.low;
            int high = way.high;
            for (int i = 0; i < bytes.length && low < high; i++) {
                int index = way.length + i;
                int b = bytes[i] & 0xFF;
                low = lowest(low, high, index, b);
                high = lowest(low, high, index, b + 1);
            }
            arrive(end, low, high, way.length + bytes.length);
        }

        private void read(Way way, byte b, int end) {
            int low = lowest(way.low, way.high, way.length, b & 0xFF);
            arrive(end, low, lowest(low, way.high, way.length, (b & 0xFF) + 1), way.length + 1);
        }

        private int lowest(int low, int high, int index, int least) {
            return index == 0 ? firsts[least] : bound(low, high, index, least);
        }

        private void arrive(int end, int low, int high, int length) {
            int longer = low;
            // Of those that begin alike the shortest comes first.
            while (longer < high && parts[longer].length() == length) {
                sink.found(from, end, parts[longer++].pattern.target());
            }
            if (longer < high) {
                follow(end, longer, high, length);
            }
        }

        private void follow(int at, int low, int high, int length) {
            Way way = new Way(at, low, high, length);
            if (seen.add(way)) {
                if (seen.size() > MAX_WAYS + (long) MAX_WAYS_OF_BYTE * (to - from)) {
                    throw new ScrubFailedException("the text can be read in too many ways");
                }
                open.push(way);
            }
        }
    }
}
