package dev.postern.scrub;

/**
 * Reads the character references of HTML, by name and by number, whose own characters may be escaped like any other.
 *
 * <p>Not thread-safe; reused from text to text.
 */
final class EntityReader {
    /** Marks a numeric character reference. */
    private static final long NUMERIC = 1L << 40;

    private static final long HEXADECIMAL = 1L << 41;
    /** How many ways to read one reference are followed. */
    private static final int MAX_WAYS = 64;

    private final EscapedText text;
    private final Readings readings;
    private int ways;

    EntityReader(EscapedText text) {
        this.text = text;
        this.readings = text.readings();
    }

    /** Enters what the reference whose {@code &} stands at {@code at} stands for; it goes on at {@code rest}. */
    void read(int at, int rest, int depth) {
        ways = 0;
        entity(at, rest, 0, Entities.START, depth);
    }

    /** @param state what was read so far: of a name, see {@link Entities#next}; or, past a {@code #}, {@link #NUMERIC} and the number */
    private void entity(int at, int start, int length, long state, int depth) {
        int rest = text.pastSkips(start, depth);
        if (rest >= text.to() || length == Entities.LONGEST || ++ways > MAX_WAYS) {
            return;
        }
        entityCharacter(at, text.at(rest), rest + 1, length, state, depth);
        for (int reading = readings.first(rest); reading != Readings.NONE; reading = readings.next(reading)) {
            if (readings.depth(reading) < depth) {
                entityCharacter(at, readings.code(reading), readings.end(reading), length, state, depth);
            }
        }
    }

    private void entityCharacter(int at, int c, int end, int length, long state, int depth) {
        if (c == ';') {
            int number = (int) (state & 0xFFFFFFFFL);
            int character = (state & NUMERIC) == 0 ? Entities.character((int) state) : number;
            if (character > 0) {
                text.add(at, character, end, depth);
            }
            if (character == 0xA0) {
                text.add(at, ' ', end, depth);
            }
        } else if (c == '#' && length == 0) {
            entity(at, end, 1, NUMERIC, depth);
        } else if ((c == 'x' || c == 'X') && length == 1 && state == NUMERIC) {
            entity(at, end, 2, NUMERIC | HEXADECIMAL, depth);
        } else if ((state & NUMERIC) == 0) {
            int name = Entities.next((int) state, c);
            if (name != Entities.NONE) {
                entity(at, end, length + 1, name, depth);
            }
        } else {
            int radix = (state & HEXADECIMAL) == 0 ? 10 : 16;
            int digit = Character.digit(c, radix);
            long number = (state & 0xFFFFFFFFL) * radix + digit;
            if (digit >= 0 && number <= Character.MAX_CODE_POINT) {
                entity(at, end, length + 1, (state & (NUMERIC | HEXADECIMAL)) | number, depth);
            }
        }
    }
}
