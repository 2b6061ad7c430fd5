package dev.postern.scrub;

import java.util.Arrays;

/** A run of base64 characters in a text, each known by where it stands. Reused from run to run. */
final class EncodedRun {
    private byte[] characters = new byte[64];
    private int[] starts = new int[64];
    private int[] ends = new int[64];
    private int length;
    private boolean escaped;
    private boolean ambiguous;

    int length() {
        return length;
    }

    /** Whether a character of the run was read from an escape. */
    boolean isEscaped() {
        return escaped;
    }

    /** Whether an escape could be read in several ways that belong to a run. */
    boolean isAmbiguous() {
        return ambiguous;
    }

    /** What escapes in a run are taken for. */
    enum Escapes {
        /** The run ends at them. */
        IGNORED,
        /** Characters of the run, of several the one that takes most of the text; or else line ends. */
        AS_CHARACTERS,
        /** The same, but the one that takes least. */
        AS_SHORT_CHARACTERS,
        /** Line ends, or else characters. */
        AS_LINE_ENDS
    }

    /**
     * Collects the run at {@code start}, over line ends and colour codes.
     *
     * @return where it ends; {@code start} if no run is there
     */
    int collect(byte[] text, int start, int to, Readings readings, Escapes escapes) {
        length = 0;
        escaped = false;
        ambiguous = false;
        int at = start;
        while (at < to) {
            if (Sextets.of(text[at]) >= 0) {
                append(text[at], at, at + 1);
                at++;
                continue;
            }
            boolean raw = text[at] == '\n' || text[at] == '\r' || text[at] == 0x1B;
            int reading = escapes == Escapes.IGNORED ? Readings.NONE : character(at, readings, escapes);
            int gap = length > 0 && (raw || escapes != Escapes.IGNORED) ? pastGap(at, readings, escapes) : -1;
            ambiguous |= reading != Readings.NONE && gap >= 0;
            if (reading != Readings.NONE && (gap < 0 || escapes != Escapes.AS_LINE_ENDS)) {
                escaped = true;
                append((byte) readings.code(reading), at, readings.end(reading));
                at = readings.end(reading);
            } else if (gap >= 0) {
                escaped |= !raw;
                at = gap;
            } else {
                break;
            }
        }
        return at;
    }

    /** Where a line end or a colour code that starts here ends, at the farthest or the nearest; -1 if none does. */
    private int pastGap(int at, Readings readings, Escapes escapes) {
        int end = -1;
        for (int r = readings.first(at); r != Readings.NONE; r = readings.next(r)) {
            if (readings.code(r) == Readings.WRAP || readings.code(r) == Readings.SKIP) {
                int other = readings.end(r);
                ambiguous |= end >= 0 && end != other;
                boolean nearer = escapes != Escapes.AS_LINE_ENDS;
                end = end < 0 ? other : nearer ? Math.min(end, other) : Math.max(end, other);
            }
        }
        return end;
    }

    private int character(int at, Readings readings, Escapes escapes) {
        int chosen = Readings.NONE;
        for (int r = readings.first(at); r != Readings.NONE; r = readings.next(r)) {
            if (Sextets.of(readings.code(r)) < 0) {
                continue;
            }
            int longer = chosen == Readings.NONE ? 0 : readings.end(r) - readings.end(chosen);
            ambiguous |= longer != 0;
            if (chosen == Readings.NONE || (escapes == Escapes.AS_SHORT_CHARACTERS ? longer < 0 : longer > 0)) {
                chosen = r;
            }
        }
        return chosen;
    }

    private void append(byte character, int start, int end) {
        if (length == characters.length) {
            characters = Arrays.copyOf(characters, 2 * length);
            starts = Arrays.copyOf(starts, 2 * length);
            ends = Arrays.copyOf(ends, 2 * length);
        }
        characters[length] = character;
        starts[length] = start;
        ends[length++] = end;
    }

    /** Opens the run as base64 that begins with the character numbered {@code phase}. */
    void base64(int phase, int shortest, Matcher.Sink sink, Blocks.Opened opened) {
        int count = (length - phase) * 6 / 8;
        if (count < shortest) {
            return;
        }
        byte[] bytes = new byte[count];
        int bits = 0;
        int held = 0;
        int filled = 0;
        for (int i = phase; filled < count; i++) {
            bits = (bits << 6) | Sextets.of(characters[i]);
            held += 6;
            if (held >= 8) {
                held -= 8;
                bytes[filled++] = (byte) (bits >> held);
            }
        }
        if (hasText(bytes, shortest)) {
            opened.scan(
                    bytes,
                    count,
                    (start, end, target) ->
                            sink.found(starts[phase + start * 8 / 6], ends[phase + (end * 8 - 1) / 6], target));
        }
        Arrays.fill(bytes, (byte) 0);
    }

    /** Opens each stretch of hex digits in the run. */
    void hex(int shortest, Matcher.Sink sink, Blocks.Opened opened) {
        for (int i = 0; i < length; ) {
            int end = i;
            while (end < length && Character.digit(characters[end], 16) >= 0) {
                end++;
            }
            hex(i, end, shortest, sink, opened);
            hex(i + 1, end, shortest, sink, opened);
            i = Math.max(end, i + 1);
        }
    }

    private void hex(int from, int to, int shortest, Matcher.Sink sink, Blocks.Opened opened) {
        int count = (to - from) / 2;
        if (count < shortest) {
            return;
        }
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) ((Character.digit(characters[from + 2 * i], 16) << 4)
                    + Character.digit(characters[from + 2 * i + 1], 16));
        }
        if (hasText(bytes, shortest)) {
            opened.scan(
                    bytes,
                    count,
                    (start, end, target) -> sink.found(starts[from + 2 * start], ends[from + 2 * end - 1], target));
        }
        Arrays.fill(bytes, (byte) 0);
    }

    /** Whether so many bytes in a row can be text: what is opened by chance is noise, and noise soon shows. */
    private static boolean hasText(byte[] bytes, int length) {
        int run = 0;
        for (byte b : bytes) {
            boolean control = b == 0x7F || (b >= 0 && b < ' ' && b != '\n' && b != '\r' && b != '\t' && b != 0x1B);
            run = control ? 0 : run + 1;
            if (run >= length) {
                return true;
            }
        }
        return false;
    }
}
