package dev.postern.scrub;

import java.util.Arrays;

/**
 * Opens what stands in a text as base64 or hex, so that a value escaped first and encoded then is found too. (A value
 * encoded as it is needs no opening: the automaton knows its base64 and hex.)
 */
final class Blocks {
    /** Shorter runs hold nothing that the automaton's own patterns miss. */
    private static final int SHORTEST_BASE64 = 12;

    private static final int SHORTEST_HEX = 16;
    /** What is opened is looked at only if so many bytes of it in a row are text. */
    private static final int TEXT_RUN = 6;

    /** Takes a block's bytes. */
    interface Opened {
        /**
         * Takes one.
         *
         * @param sink translates positions of {@code bytes} back to the text the block stands in
         */
        void scan(byte[] bytes, int length, Matcher.Sink sink);
    }

    private Blocks() {}

    static void open(byte[] text, int from, int to, Readings readings, Matcher.Sink sink, Opened opened) {
        Run run = new Run();
        for (int at = from; at < to; ) {
            if (Sextets.of(text[at]) < 0 && other(at, readings) == Readings.NONE) {
                at++;
                continue;
            }
            at = run.collect(text, at, to, readings);
            if (run.length >= SHORTEST_BASE64) {
                run.base64(sink, opened);
            }
            if (run.length >= SHORTEST_HEX) {
                run.hex(sink, opened);
            }
        }
    }

    /** A reading of this position that goes on with a run: a base64 character, or the end of a line of it. */
    private static int other(int at, Readings readings) {
        for (int r = readings.first(at); r != Readings.NONE; r = readings.next(r)) {
            if (Sextets.of(readings.code(r)) >= 0) {
                return r;
            }
        }
        return Readings.NONE;
    }

    /** A run of base64 characters, each known by where it stands. */
    private static final class Run {
        private byte[] characters = new byte[64];
        private int[] starts = new int[64];
        private int[] ends = new int[64];
        private int length;

        int collect(byte[] text, int start, int to, Readings readings) {
            length = 0;
            int at = start;
            while (at < to) {
                int end;
                int character = text[at];
                if (Sextets.of(character) >= 0) {
                    end = at + 1;
                } else {
                    int reading = other(at, readings);
                    if (reading == Readings.NONE) {
                        reading = wrap(at, readings);
                        if (reading == Readings.NONE) {
                            break;
                        }
                        at = readings.end(reading);
                        continue;
                    }
                    character = readings.code(reading);
                    end = readings.end(reading);
                }
                if (length == characters.length) {
                    characters = Arrays.copyOf(characters, 2 * length);
                    starts = Arrays.copyOf(starts, 2 * length);
                    ends = Arrays.copyOf(ends, 2 * length);
                }
                characters[length] = (byte) character;
                starts[length] = at;
                ends[length++] = end;
                at = end;
            }
            return Math.max(at, start + 1);
        }

        private static int wrap(int at, Readings readings) {
            for (int r = readings.first(at); r != Readings.NONE; r = readings.next(r)) {
                if (readings.code(r) == Readings.WRAP) {
                    return r;
                }
            }
            return Readings.NONE;
        }

        void base64(Matcher.Sink sink, Opened opened) {
            for (int phase = 0; phase < 4; phase++) {
                int count = (length - phase) * 6 / 8;
                byte[] bytes = new byte[count];
                int bits = 0;
                int held = 0;
                int filled = 0;
                for (int i = phase; i < length && filled < count; i++) {
                    bits = bits << 6 | Sextets.of(characters[i]);
                    held += 6;
                    if (held >= 8) {
                        held -= 8;
                        bytes[filled++] = (byte) (bits >> held);
                    }
                }
                int first = phase;
                if (isText(bytes)) {
                    opened.scan(
                            bytes,
                            count,
                            (start, end, target) ->
                                    sink.found(starts[first + start * 8 / 6], ends[first + (end * 8 - 1) / 6], target));
                }
                Arrays.fill(bytes, (byte) 0);
            }
        }

        void hex(Matcher.Sink sink, Opened opened) {
            for (int i = 0; i < length; ) {
                int end = i;
                while (end < length && Character.digit(characters[end], 16) >= 0) {
                    end++;
                }
                if (end - i >= SHORTEST_HEX) {
                    hex(i, end, sink, opened);
                    hex(i + 1, end, sink, opened);
                }
                i = Math.max(end, i + 1);
            }
        }

        private void hex(int from, int to, Matcher.Sink sink, Opened opened) {
            byte[] bytes = new byte[(to - from) / 2];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (Character.digit(characters[from + 2 * i], 16) << 4
                        | Character.digit(characters[from + 2 * i + 1], 16));
            }
            if (isText(bytes)) {
                opened.scan(
                        bytes,
                        bytes.length,
                        (start, end, target) -> sink.found(starts[from + 2 * start], ends[from + 2 * end - 1], target));
            }
            Arrays.fill(bytes, (byte) 0);
        }

        private static boolean isText(byte[] bytes) {
            int run = 0;
            for (byte b : bytes) {
                run = (b >= ' ' && b != 0x7F) || b == '\n' || b == '\r' || b == '\t' || b < 0 ? run + 1 : 0;
                if (run >= TEXT_RUN) {
                    return true;
                }
            }
            return false;
        }
    }
}
