package dev.postern.scrub;

import java.util.function.IntConsumer;

/**
 * Tells where a text that starts within an escape goes on behind what a cut has left of it: some of its digits, the character
 * after a backslash, the end of a reference or of a control sequence (S15). What was cut may have been the marker of a further
 * escape, of which then all the rest is there; and each character may be escaped itself.
 *
 * <p>A small automaton, of which a set of states stands at each position, once for the escape that was cut and once for the one
 * whose marker it may have been.
 */
final class Remnants {
    private static final int START = 1;
    /** Hex digits so far. */
    private static final int DIGITS = 2;
    /** Digits after {@code u}, {@code x} or {@code U}. */
    private static final int UNIT = 4;
    /** The name or number of a reference. */
    private static final int NAME = 8;
    /** The parameters of a control sequence. */
    private static final int PARAMETERS = 16;
    /** Behind what needs no more. */
    private static final int BEHIND = 32;

    private static final int STATES = 6;
    private static final int ALL = (1 << STATES) - 1;
    /** Where an escape may have ended. */
    private static final int ENDED = START | DIGITS | UNIT | BEHIND;
    /** A remnant is followed for so many bytes: the rest of an escape of an escape, and the whole escape it may stand for. */
    static final int LONGEST = 96;

    /** By ASCII character and set of states: the states it leads to. */
    private static final byte[] NEXT = new byte[128 << STATES];

    static {
        for (int c = 0; c < 128; c++) {
            for (int states = 0; states <= ALL; states++) {
                NEXT[c << STATES | states] = (byte) next((char) c, states);
            }
        }
    }

    private Remnants() {}

    private static int next(char c, int states) {
        boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        boolean digit = c >= '0' && c <= '9';
        int next = (states & START) != 0 ? BEHIND : 0;
        if (Character.digit(c, 16) >= 0) {
            next |= (states & (START | DIGITS)) != 0 ? DIGITS : 0;
            next |= states & UNIT;
        }
        if (c == 'u' || c == 'x' || c == 'U') {
            next |= (states & START) != 0 ? UNIT : 0;
        }
        if (letter || digit || c == '#') {
            next |= (states & (START | NAME)) != 0 ? NAME : 0;
        }
        if (c == ';') {
            next |= (states & (START | NAME)) != 0 ? BEHIND : 0;
        }
        if (c == '[' || (c >= '0' && c < '@')) {
            next |= (states & (START | PARAMETERS)) != 0 ? PARAMETERS : 0;
        }
        if (letter) {
            next |= (states & PARAMETERS) != 0 ? BEHIND : 0;
        }
        return next;
    }

    /** Gives every position where {@code text[from, to)} may go on, {@code from} first. */
    static void behind(byte[] text, int from, int to, Readings readings, IntConsumer goesOn) {
        int most = Math.min(LONGEST, to - from);
        // Both sets of states of a position, that of the second escape in the upper bits.
        short[] states = new short[most + 1];
        states[0] = START;
        int last = 0;
        for (int place = 0; place <= last; place++) {
            int here = states[place];
            if ((here & ENDED) != 0) {
                here |= START << STATES;
            }
            if ((here >> STATES & ENDED) != 0) {
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
    private static int lead(short[] states, int here, int character, int end) {
        if (end >= states.length) {
            return 0;
        }
        int next;
        if (character >= 0 && character < 128) {
            next = NEXT[character << STATES | (here & ALL)] | NEXT[character << STATES | here >> STATES] << STATES;
        } else {
            // Any character may be what a backslash stood before.
            next = (here & (START | (START << STATES))) * BEHIND;
        }
        states[end] |= (short) next;
        return next == 0 ? 0 : end;
    }
}
