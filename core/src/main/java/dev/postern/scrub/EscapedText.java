package dev.postern.scrub;

/**
 * A text whose escapes are being read, and what was read of it so far: what the readers of the several kinds of escapes
 * share. {@link EscapeReader} goes over it from right to left.
 *
 * <p>Not thread-safe; reused from text to text.
 */
final class EscapedText {
    private final Readings readings;
    private byte[] bytes = new byte[0];
    private int from;
    private int to;

    EscapedText(Readings readings) {
        this.readings = readings;
    }

    /** Begins {@code bytes[from, to)}, of which nothing is read yet. */
    void start(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.from = from;
        this.to = to;
        readings.start(from, to);
    }

    Readings readings() {
        return readings;
    }

    byte at(int position) {
        return bytes[position];
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }

    /** Past decoration between the characters of an escape, which is no part of it. */
    int pastSkips(int at, int depth) {
        int rest = at;
        while (rest < to) {
            int end = rest;
            for (int reading = readings.first(rest); reading != Readings.NONE; reading = readings.next(reading)) {
                if (readings.code(reading) == Readings.SKIP && readings.depth(reading) < depth) {
                    end = Math.max(end, readings.end(reading));
                }
            }
            if (end == rest) {
                break;
            }
            rest = end;
        }
        return rest;
    }

    /** Enters that {@code at} can be read as that character, after which the text goes on at {@code end}. */
    void add(int at, int code, int end, int depth) {
        if (end <= to && (code <= Character.MAX_CODE_POINT || code >= Readings.BYTE)) {
            readings.add(at, code, end, depth);
        }
    }

    /** Forgets the text. */
    void clear() {
        bytes = new byte[0];
    }
}
