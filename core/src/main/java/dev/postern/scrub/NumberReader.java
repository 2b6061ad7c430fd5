package dev.postern.scrub;

/**
 * Reads escapes that are numbers, of a character, of half of a surrogate pair, or of a byte of UTF-8 or of an older charset.
 * Where it is known how many hex digits there are, each may be escaped itself; octal digits and those in braces stand as they are.
 *
 * <p>Not thread-safe; reused from text to text.
 */
final class NumberReader {
    private final EscapedText text;
    private final Readings readings;

    NumberReader(EscapedText text) {
        this.text = text;
        this.readings = text.readings();
    }

    /** Up to three octal digits, the first of them read already. */
    void octal(int at, int firstDigit, int rest, int depth) {
        int value = firstDigit;
        int end = rest;
        for (int digits = 1; digits < 3 && end < text.to() && text.at(end) >= '0' && text.at(end) <= '7'; digits++) {
            value = (value << 3) + text.at(end++) - '0';
        }
        addByte(at, value & 0xFF, end, depth);
    }

    /** What a run of hex digits stands for. */
    private enum Hex {
        BYTE,
        BYTE_OR_CHARACTER,
        UNIT
    }

    /** A byte: two hex digits. */
    void octet(int at, int rest, int depth) {
        hexadecimal(at, rest, 2, 0, depth, Hex.BYTE);
    }

    /** A byte, or a character by its number: two hex digits. */
    void byteOrCharacter(int at, int rest, int depth) {
        hexadecimal(at, rest, 2, 0, depth, Hex.BYTE_OR_CHARACTER);
    }

    /** A character, or half of a surrogate pair, by its number: so many hex digits. */
    void unit(int at, int rest, int digits, int depth) {
        hexadecimal(at, rest, digits, 0, depth, Hex.UNIT);
    }

    private void hexadecimal(int at, int start, int digits, int value, int depth, Hex meaning) {
        if (digits == 0) {
            switch (meaning) {
                case BYTE -> addByte(at, value, start, depth);
                case BYTE_OR_CHARACTER -> {
                    addByte(at, value, start, depth);
                    text.add(at, value, start, depth);
                }
                case UNIT -> addUnit(at, value, start, depth);
            }
            return;
        }
        int rest = text.pastSkips(start, depth);
        if (rest >= text.to()) {
            return;
        }
        int digit = Character.digit(text.at(rest), 16);
        if (digit >= 0) {
            hexadecimal(at, rest + 1, digits - 1, value << 4 | digit, depth, meaning);
        }
        for (int reading = readings.first(rest); reading != Readings.NONE; reading = readings.next(reading)) {
            int read = readings.code(reading) > 0 && readings.code(reading) < 0x80
                    ? Character.digit(readings.code(reading), 16)
                    : -1;
            if (read >= 0 && readings.depth(reading) < depth) {
                hexadecimal(at, readings.end(reading), digits - 1, value << 4 | read, depth, meaning);
            }
        }
    }

    /** A character by its number: hex digits in braces. */
    void braced(int at, int rest, int depth) {
        if (rest >= text.to() || text.at(rest) != '{') {
            return;
        }
        int value = 0;
        for (int end = rest + 1; end < text.to() && end < rest + 10; end++) {
            if (text.at(end) == '}') {
                text.add(at, value, end + 1, depth);
                return;
            }
            int digit = Character.digit(text.at(end), 16);
            if (digit < 0) {
                return;
            }
            value = value << 4 | digit;
        }
    }

    private void addUnit(int at, int unit, int end, int depth) {
        if (unit >= 0xD800 && unit < 0xDC00) {
            int rest = text.pastSkips(end, depth);
            for (int reading = readings.first(rest); reading != Readings.NONE; reading = readings.next(reading)) {
                int low = readings.code(reading);
                if (low >= 0xDC00 && low < 0xE000 && readings.depth(reading) <= depth) {
                    text.add(at, Character.toCodePoint((char) unit, (char) low), readings.end(reading), depth);
                }
            }
        }
        text.add(at, unit, end, depth);
    }

    private void addByte(int at, int value, int end, int depth) {
        if (value < 0x80) {
            text.add(at, value, end, depth);
            return;
        }
        text.add(at, Readings.BYTE | value, end, depth);
        int length = value >= 0xF0 ? 4 : value >= 0xE0 ? 3 : 2;
        if (value >= 0xC2 && value < 0xF5) {
            character(at, end, length - 1, value & 0x7F >> length, depth);
        }
    }

    /** The rest of a character of several bytes, each escaped on its own. */
    private void character(int at, int rest, int missing, int bits, int depth) {
        if (missing == 0) {
            if (bits >= 0x80 && bits <= Character.MAX_CODE_POINT) {
                text.add(at, bits, rest, depth);
            }
            return;
        }
        int continued = text.pastSkips(rest, depth);
        for (int reading = readings.first(continued); reading != Readings.NONE; reading = readings.next(reading)) {
            if ((readings.code(reading) & (Readings.BYTE | 0xC0)) == (Readings.BYTE | 0x80)
                    && readings.code(reading) > 0) {
                character(at, readings.end(reading), missing - 1, (bits << 6) | (readings.code(reading) & 0x3F), depth);
            }
        }
    }
}
