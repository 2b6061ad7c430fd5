package dev.postern.scrub;

/**
 * White space of a text, escaped or not: line ends of a value may come back as any of it, and lines of base64 and hex are
 * joined over it.
 *
 * <p>Not thread-safe; reused from text to text.
 */
final class WhiteSpace {
    private final EscapedText text;
    private final boolean lineEndsVary;
    /** By position: where white space that starts there ends (0 if none does). */
    private int[] ends = new int[64];
    /** The same, without escapes. */
    private int[] rawEnds = new int[64];

    /** @param lineEndsVary whether a live value has several lines */
    WhiteSpace(EscapedText text, boolean lineEndsVary) {
        this.text = text;
        this.lineEndsVary = lineEndsVary;
    }

    /** Begins the text anew, at its end. */
    void start() {
        int length = text.to() - text.from();
        if (ends.length <= length) {
            ends = new int[length + 64];
            rawEnds = new int[length + 64];
        }
        ends[length] = 0;
        rawEnds[length] = 0;
    }

    /** Notes whether white space stands at {@code at} as it is. To be called for each position before the readings there. */
    void note(int at, byte b) {
        int place = at - text.from();
        ends[place] = 0;
        rawEnds[place] = isSpace(b) ? Math.max(at + 1, rawEnds[place + 1]) : 0;
    }

    /** Enters what white space at {@code at} can be read as, once its escapes were read. */
    void read(int at, byte b) {
        if (isSpace(b)) {
            space(at, b, at + 1);
        }
        Readings readings = text.readings();
        for (int reading = readings.first(at); reading != Readings.NONE; reading = readings.next(reading)) {
            if (isSpace(readings.code(reading))) {
                space(at, readings.code(reading), readings.end(reading));
            }
        }
    }

    private void space(int at, int code, int end) {
        int from = text.from();
        int all = Math.max(end, ends[end - from]);
        ends[at - from] = Math.max(ends[at - from], all);
        if (code == '\n' || code == '\r') {
            text.add(at, Readings.WRAP, all, 1);
            // What was read as white space from an escape may be the next line's first character: \&#x74; is a tab or a
            // t.
            text.add(at, Readings.WRAP, Math.max(end, rawEnds[end - from]), 1);
        }
        if (lineEndsVary) {
            text.add(at, '\n', end, 1);
            text.add(at, '\n', all, 1);
        }
    }

    private static boolean isSpace(int code) {
        return code == ' ' || code == '\n' || code == '\r' || code == '\t';
    }
}
