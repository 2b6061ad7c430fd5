package dev.postern.scrub;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Tells where a text that starts within an escape goes on behind what a cut has left of it: some of its digits, the character
 * after a backslash, the end of a reference or of a control sequence (S15). What was cut may have been a character of a further
 * escape, of which then all the rest is there, and so on; it may have been a part of a character, of which the rest is behind;
 * and each character may be escaped itself.
 *
 * <p>A small automaton, of which a set of states stands at each position for the escape that was cut, one for the escape of
 * which that was a character, and so on, {@link EscapeReader#DEPTH} in all. A letter behind a cut backslash is of no further
 * escape, or else it would be the next set's to read: so words that end as a value does stay words.
 */
final class Remnants {
    /** A remnant is followed for so many bytes: a character escaped by six, of which each is escaped by six, four times over. */
    static final int LONGEST = 1_300;

    /** Most are not followed farther than this. */
    private static final int EVERYDAY = 32;

    // States, of which a set has a bit each.
    /** So many hex digits may follow, or none: a bit each for none to eight. */
    private static final int MOST_DIGITS = 8;
    /** Behind what needs no more. */
    private static final long BEHIND = 1;

    private static final long DIGITS = (1L << (MOST_DIGITS + 1)) - 1;
    /** In the name or number of a reference. */
    private static final long NAME = DIGITS + 1;
    /** In the parameters of a control sequence. */
    private static final long PARAMETERS = NAME << 1;
    /** Behind what may have stood for a character of a further escape. */
    private static final long OPEN = PARAMETERS << 1;
    /** Where the cut is. */
    private static final long START = OPEN << 1;

    private static final int STATES = MOST_DIGITS + 5;
    /** Where an escape may have ended. */
    private static final long ENDED = DIGITS | START;
    /** Times a state: that state in the sets of all levels. */
    private static final long EACH = 1L | (1L << STATES) | (1L << (2 * STATES)) | (1L << (3 * STATES));

    private Remnants() {}

    /** Gives every position where {@code text[from, to)} may go on, {@code from} first. */
    static void behind(byte[] text, int from, int to, Readings readings, IntConsumer goesOn) {
        int most = Math.min(LONGEST, to - from);
        // By position the sets of states, that of the escape that was cut in the lowest bits.
        long[] states = new long[Math.min(most, EVERYDAY) + 1];
        states[0] = START;
        int last = 0;
        for (int place = 0; place <= last; place++) {
            if (states.length <= most && place + Math.max(1, readings.longest()) >= states.length) {
                states = Arrays.copyOf(states, most + 1);
            }
            long here = states[place];
            for (int level = 1; level < EscapeReader.DEPTH; level++) {
                if ((here & ((OPEN | START) << ((level - 1) * STATES))) != 0) {
                    here |= START << (level * STATES);
                }
            }
            if ((here & (ENDED * EACH)) != 0) {
                goesOn.accept(from + place);
            }
            if (here == 0 || place == most) {
                continue;
            }
            last = Math.max(last, lead(states, here, text[from + place], place + 1));
            for (int reading = readings.first(from + place);
                    reading != Readings.NONE;
                    reading = readings.next(reading)) {
                last = Math.max(last, lead(states, here, readings.code(reading), readings.end(reading) - from));
            }
        }
    }

    /** Enters where a character leads to; returns that place, or 0 if it leads nowhere. */
    private static int lead(long[] states, long here, int character, int end) {
        if (end >= states.length) {
            return 0;
        }
        long next = character >= 0 && character < 128 ? next((char) character, here) : other(character, here);
        states[end] |= next;
        return next == 0 ? 0 : end;
    }

    /** The states that an ASCII character leads to, on all levels. */
    private static long next(char c, long here) {
        boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        long start = of(START, here);
        // A backslash stood before it: then it is what was escaped.
        long next = start * (Escapes.isMarker(c) || c == 0x1B ? BEHIND | OPEN : BEHIND);
        if (Character.digit(c, 16) >= 0) {
            long digits = ((here & ((DIGITS - BEHIND) * EACH)) >>> 1) | (start << (MOST_DIGITS - 1));
            next |= digits;
            for (int bit = 0; bit < MOST_DIGITS; bit++) {
                next |= ((digits >>> bit) & EACH) * OPEN;
            }
        }
        if (c == 'u' || c == 'x' || c == 'U') {
            next |= start << MOST_DIGITS;
        }
        if (letter || (c >= '0' && c <= '9') || c == '#') {
            next |= (of(NAME, here) | start) * NAME;
        }
        if (c == ';') {
            next |= (of(NAME, here) | start) * (BEHIND | OPEN);
        }
        if (c == '[' || (c >= '0' && c < '@')) {
            next |= (of(PARAMETERS, here) | start) * PARAMETERS;
        }
        if (letter) {
            next |= of(PARAMETERS, here) * BEHIND;
        }
        return next;
    }

    /** A bit for each level whose set has a state, where the level's sets start. */
    private static long of(long state, long here) {
        return (here & (state * EACH)) / state;
    }

    /** What any other character leads to: a backslash may have stood before it. */
    private static long other(int character, long here) {
        long next = of(START, here) * BEHIND;
        if (isRestOfCharacter(character)) {
            for (int bit = 0; bit <= MOST_DIGITS; bit++) {
                next |= ((here >>> bit) & EACH) * BEHIND;
            }
        }
        return next;
    }

    /** Whether it is the second half of a surrogate pair, or a byte that continues a character. */
    private static boolean isRestOfCharacter(int code) {
        return (code & ~0xFF) == Readings.BYTE
                ? (code & 0xC0) == 0x80
                : code >= Character.MIN_LOW_SURROGATE && code <= Character.MAX_LOW_SURROGATE;
    }
}
