package dev.postern.scrub;

import java.util.function.IntConsumer;

/**
 * Tells where a text that starts within an escape goes on behind what a cut has left of it: some of its digits, the character
 * after a backslash, the end of a reference or of a control sequence (S15). What was cut may have been a character of a further
 * escape, of which then all the rest is there, and so on; it may have been a part of a character, of which the rest is behind;
 * and each character may be escaped itself.
 *
 * <p>A small automaton, of which a set of states stands at each position for the escape that was cut, one for the escape of
 * which that was a character, and so on, {@link EscapeReader#DEPTH} in all.
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
    private static final int LAST_LEVEL = EscapeReader.DEPTH - 1;
    private static final int ALL = (1 << STATES) - 1;
    /** Where an escape may have ended. */
    private static final int ENDED = START | DIGITS | UNIT | BEHIND;
    /** A remnant is followed for so many bytes: a character escaped by six, of which each is escaped by six, four times over. */
    static final int LONGEST = 1_300;

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
        // The sets of states of a position, that of the escape that was cut in the lowest bits.
        int[] states = new int[most + 1];
        states[0] = START;
        int last = 0;
        for (int place = 0; place <= last; place++) {
            int here = states[place];
            for (int level = 0; level < LAST_LEVEL; level++) {
                if ((here >> level * STATES & ENDED) != 0) {
                    here |= START << (level + 1) * STATES;
                }
            }
            if ((here >> LAST_LEVEL * STATES & ENDED) != 0) {
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
    private static int lead(int[] states, int here, int character, int end) {
        if (end >= states.length) {
            return 0;
        }
        int next = 0;
        if (character >= 0 && character < 128) {
            for (int level = 0; level <= LAST_LEVEL; level++) {
                next |= NEXT[character << STATES | (here >> level * STATES & ALL)] << level * STATES;
            }
        } else {
            // Any character may be what a backslash stood before.
            int before = isRestOfCharacter(character) ? ENDED : START;
            for (int level = 0; level <= LAST_LEVEL; level++) {
                next |= (here >> level * STATES & before) != 0 ? BEHIND << level * STATES : 0;
            }
        }
        states[end] |= next;
        return next == 0 ? 0 : end;
    }

    /** Whether it is the second half of a surrogate pair, or a byte that continues a character. */
    private static boolean isRestOfCharacter(int code) {
        return (code & ~0xFF) == Readings.BYTE
                ? (code & 0xC0) == 0x80
                : code >= Character.MIN_LOW_SURROGATE && code <= Character.MAX_LOW_SURROGATE;
    }
}
