package dev.postern.scrub;

/**
 * Reads the control sequences of ECMA-48, such as colours, whose own characters may be escaped like any other.
 *
 * <p>Not thread-safe; reused from text to text.
 */
final class ControlSequences {
    /** How many ways to read one sequence are followed. */
    private static final int MAX_WAYS = 64;

    private final EscapedText text;
    private final Readings readings;
    private int ways;

    ControlSequences(EscapedText text) {
        this.text = text;
        this.readings = text.readings();
    }

    /** Enters the sequence whose escape character stands at {@code at}, as nothing at all; it goes on at {@code rest}. */
    void read(int at, int rest, int depth) {
        ways = 0;
        sequence(at, rest, false, depth);
    }

    private void sequence(int at, int start, boolean opened, int depth) {
        int rest = text.pastSkips(start, depth);
        if (rest >= text.to() || ++ways > MAX_WAYS) {
            return;
        }
        control(at, text.at(rest), rest + 1, opened, depth);
        for (int reading = readings.first(rest); reading != Readings.NONE; reading = readings.next(reading)) {
            if (readings.depth(reading) < depth) {
                control(at, readings.code(reading), readings.end(reading), opened, depth);
            }
        }
    }

    private void control(int at, int c, int end, boolean opened, int depth) {
        if (!opened) {
            if (c == '[') {
                sequence(at, end, true, depth);
            }
        } else if ((c >= '0' && c < '@') || c == ' ' || c == '!') {
            sequence(at, end, true, depth);
        } else if (c >= 0x40 && c < 0x7F && c != '\\') {
            text.add(at, Readings.SKIP, end, depth);
        }
    }
}
