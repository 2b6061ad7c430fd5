package dev.postern.scrub;

/**
 * Reads the escapes of a text in every way they can be read.
 *
 * <p>A text may be escaped, and its escapes escaped again, by rules that nobody names: {@code \"} may stand for a quote or
 * for itself, {@code %2522} for a quote, for {@code %22} or for itself. Instead of decoding the whole text once for each
 * chain of rules, each position gets its own short list of {@link Readings}: a reading is a character and where the text goes
 * on after it. A match is then a path through positions. So each character may be escaped by another chain, up to
 * {@link #DEPTH} rules long, and a chain costs no more than the escapes it is made of.
 *
 * <p>Readings are made from right to left: a reading of depth d is an escape whose own characters are read with depth
 * at most d - 1, and those stand to the right. Depth bounds the readings of a position, so the whole is linear.
 *
 * <p>Not thread-safe; reused from text to text.
 */
final class EscapeReader {
    /** How many rules a chain may have. */
    static final int DEPTH = 4;
    /** Marks a numeric character reference. */
    private static final long NUMERIC = 1L << 40;

    private static final long HEXADECIMAL = 1L << 41;
    /** How many ways to read one long escape are followed. */
    private static final int MAX_WAYS = 64;

    private final boolean lineEndsVary;
    private final Decompositions decompositions;
    private final Readings readings;
    private byte[] text = new byte[0];
    private int from;
    private int to;
    /** By position: where white space that starts there ends (0 if none does). */
    private int[] spaceEnd = new int[64];
    /** The same, without escapes. */
    private int[] rawSpaceEnd = new int[64];

    private int ways;

    /** @param lineEndsVary whether a live value has several lines */
    EscapeReader(boolean lineEndsVary, Decompositions decompositions) {
        this.lineEndsVary = lineEndsVary;
        this.decompositions = decompositions;
        this.readings = new Readings(decompositions);
    }

    /** What was read last. */
    Readings readings() {
        return readings;
    }

    /** Reads {@code text[from, to)}, which must not change while the readings are in use. */
    void read(byte[] text, int from, int to) {
        this.text = text;
        this.from = from;
        this.to = to;
        readings.start(from, to);
        if (spaceEnd.length <= to - from) {
            spaceEnd = new int[to - from + 64];
            rawSpaceEnd = new int[to - from + 64];
        }
        spaceEnd[to - from] = 0;
        rawSpaceEnd[to - from] = 0;
        for (int at = to - 1; at >= from; at--) {
            spaceEnd[at - from] = 0;
            byte b = text[at];
            rawSpaceEnd[at - from] = isSpace(b) ? Math.max(at + 1, rawSpaceEnd[at + 1 - from]) : 0;
            if (b < 0) {
                composed(at);
            } else if (b < '@' || b == '\\') {
                readAt(at, b);
            }
        }
    }

    private void readAt(int at, byte b) {
        switch (b) {
            case '\\', '%', '&', '+', '\'', '"', 0x1B -> {
                for (int depth = 1; depth <= DEPTH; depth++) {
                    escape(at, b, at + 1, 0, depth);
                    for (int reading = readings.first(at); reading != Readings.NONE; reading = readings.next(reading)) {
                        if (readings.depth(reading) < depth
                                && readings.code(reading) > 0
                                && readings.code(reading) < 0x80) {
                            escape(at, readings.code(reading), readings.end(reading), readings.depth(reading), depth);
                        }
                    }
                }
            }
            default -> {}
        }
        spaces(at, b);
    }

    /** An escape whose first character is {@code marker}, read with depth {@code markerDepth} and ending at {@code rest}. */
    private void escape(int at, int marker, int rest, int markerDepth, int depth) {
        switch (marker) {
            case '\\' -> backslash(at, rest, markerDepth, depth);
            case '%' -> percent(at, rest, depth);
            case '&' -> entity(at, rest, depth);
            case '+' -> add(at, ' ', rest, depth);
            case '\'' -> quoted(at, rest, depth);
            case '"' -> {
                // CSV and SQL double the quote they stand in.
                expect(at, rest, "\"", 0, depth, '"');
            }
            case 0x1B -> controlSequence(at, rest, depth);
            default -> {}
        }
    }

    private void backslash(int at, int afterMarker, int markerDepth, int depth) {
        int rest = pastSkips(afterMarker, depth);
        if (rest >= to) {
            return;
        }
        if (text[rest] < 0) {
            // Shells escape what is not ASCII like any other character.
            add(at, Readings.SKIP, rest, depth);
            return;
        }
        // A rule reads a run of backslashes in pairs from its start: so the first backslash of one that follows the
        // marker was read when the marker was, and halves of a run that is one backslash were read equally often.
        boolean run = text[rest] == '\\' && isRun(at, rest);
        if (!run || markerDepth == 0) {
            backslashed(at, text[rest], rest + 1, true, depth);
        }
        for (int reading = readings.first(rest); reading != Readings.NONE; reading = readings.next(reading)) {
            if (readings.depth(reading) >= depth || (run && markerDepth == 0)) {
                continue;
            }
            if (!run
                    || readings.code(reading) != '\\'
                    || readings.depth(reading) == markerDepth
                    || !isRun(rest, readings.end(reading))) {
                backslashed(at, readings.code(reading), readings.end(reading), markerDepth > 0, depth);
            }
        }
    }

    /** @param alike whether both the marker and what follows it were escaped, or neither */
    private void backslashed(int at, int code, int end, boolean alike, int depth) {
        switch (code) {
            case 'b' -> add(at, '\b', end, depth);
            case 'f' -> add(at, '\f', end, depth);
            case 'n' -> add(at, '\n', end, depth);
            case 'r' -> add(at, '\r', end, depth);
            case 't' -> add(at, '\t', end, depth);
            case 'e', 'E' -> add(at, 0x1B, end, depth);
            case 'u' -> {
                hexadecimal(at, end, 4, 0, depth, Hex.UNIT);
                braced(at, end, depth);
            }
            case 'U' -> hexadecimal(at, end, 8, 0, depth, Hex.UNIT);
            case 'x' -> {
                hexadecimal(at, end, 2, 0, depth, Hex.BYTE_OR_CHARACTER);
                braced(at, end, depth);
            }
            case '0', '1', '2', '3', '4', '5', '6', '7' -> {
                // A backslash before an escaped digit is rather an escape of that escape's marker.
                if (alike) {
                    octal(at, code - '0', end, depth);
                }
            }
            default -> {
                if ((code >= ' ' && code < 0x7F) || code == '\t' || code == '\n') {
                    add(at, code, end, depth);
                }
            }
        }
    }

    private boolean isRun(int start, int end) {
        for (int at = start; at < end; at++) {
            if (text[at] != '\\') {
                return false;
            }
        }
        return true;
    }

    private void octal(int at, int firstDigit, int rest, int depth) {
        int value = firstDigit;
        int end = rest;
        for (int digits = 1; digits < 3 && end < to && text[end] >= '0' && text[end] <= '7'; digits++) {
            value = (value << 3) + text[end++] - '0';
        }
        addByte(at, value & 0xFF, end, depth);
    }

    private void percent(int at, int rest, int depth) {
        hexadecimal(at, rest, 2, 0, depth, Hex.BYTE);
        if (rest < to && text[rest] == 'u') {
            hexadecimal(at, rest + 1, 4, 0, depth, Hex.UNIT);
        }
    }

    /** What a run of hex digits stands for. */
    private enum Hex {
        BYTE,
        BYTE_OR_CHARACTER,
        UNIT
    }

    private void hexadecimal(int at, int start, int digits, int value, int depth, Hex meaning) {
        if (digits == 0) {
            switch (meaning) {
                case BYTE -> addByte(at, value, start, depth);
                case BYTE_OR_CHARACTER -> {
                    addByte(at, value, start, depth);
                    add(at, value, start, depth);
                }
                case UNIT -> addUnit(at, value, start, depth);
            }
            return;
        }
        int rest = pastSkips(start, depth);
        if (rest >= to) {
            return;
        }
        int digit = Character.digit(text[rest], 16);
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

    private void braced(int at, int rest, int depth) {
        if (rest >= to || text[rest] != '{') {
            return;
        }
        int value = 0;
        for (int end = rest + 1; end < to && end < rest + 10; end++) {
            if (text[end] == '}') {
                add(at, value, end + 1, depth);
                return;
            }
            int digit = Character.digit(text[end], 16);
            if (digit < 0) {
                return;
            }
            value = value << 4 | digit;
        }
    }

    private void entity(int at, int rest, int depth) {
        ways = 0;
        entity(at, rest, 0, 0, depth);
    }

    /** @param state what was read so far: a hash of the name; or, past a {@code #}, {@link #NUMERIC} and the number */
    private void entity(int at, int start, int length, long state, int depth) {
        int rest = pastSkips(start, depth);
        if (rest >= to || length == Entities.LONGEST || ++ways > MAX_WAYS) {
            return;
        }
        entityCharacter(at, text[rest], rest + 1, length, state, depth);
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
                add(at, character, end, depth);
            }
            if (character == 0xA0) {
                add(at, ' ', end, depth);
            }
        } else if (c == '#' && length == 0) {
            entity(at, end, 1, NUMERIC, depth);
        } else if ((c == 'x' || c == 'X') && length == 1 && state == NUMERIC) {
            entity(at, end, 2, NUMERIC | HEXADECIMAL, depth);
        } else if (isEntityCharacter(c)) {
            if ((state & NUMERIC) == 0) {
                entity(at, end, length + 1, Entities.hash((int) state, c) & 0xFFFFFFFFL, depth);
                return;
            }
            int radix = (state & HEXADECIMAL) == 0 ? 10 : 16;
            int digit = Character.digit(c, radix);
            long number = (state & 0xFFFFFFFFL) * radix + digit;
            if (digit >= 0 && number <= Character.MAX_CODE_POINT) {
                entity(at, end, length + 1, (state & (NUMERIC | HEXADECIMAL)) | number, depth);
            }
        }
    }

    private static boolean isEntityCharacter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '#' || c == ';';
    }

    /** A shell writes a quote inside single quotes as {@code '\''} or {@code '"'"'}; SQL doubles it. */
    private void quoted(int at, int rest, int depth) {
        expect(at, rest, "'", 0, depth, '\'');
        expect(at, rest, "\\''", 0, depth, '\'');
        expect(at, rest, "\"'\"'", 0, depth, '\'');
    }

    private void expect(int at, int start, String wanted, int matched, int depth, int meaning) {
        if (matched == wanted.length()) {
            add(at, meaning, start, depth);
            return;
        }
        int rest = pastSkips(start, depth);
        if (rest >= to) {
            return;
        }
        if (text[rest] == wanted.charAt(matched)) {
            expect(at, rest + 1, wanted, matched + 1, depth, meaning);
        }
        for (int reading = readings.first(rest); reading != Readings.NONE; reading = readings.next(reading)) {
            if (readings.depth(reading) < depth && readings.code(reading) == wanted.charAt(matched)) {
                expect(at, readings.end(reading), wanted, matched + 1, depth, meaning);
            }
        }
    }

    /** ECMA-48: a control sequence, such as a colour. Its own characters may be escaped like any other. */
    private void controlSequence(int at, int rest, int depth) {
        ways = 0;
        controlSequence(at, rest, false, depth);
    }

    private void controlSequence(int at, int start, boolean opened, int depth) {
        int rest = pastSkips(start, depth);
        if (rest >= to || ++ways > MAX_WAYS) {
            return;
        }
        control(at, text[rest], rest + 1, opened, depth);
        for (int reading = readings.first(rest); reading != Readings.NONE; reading = readings.next(reading)) {
            if (readings.depth(reading) < depth) {
                control(at, readings.code(reading), readings.end(reading), opened, depth);
            }
        }
    }

    private void control(int at, int c, int end, boolean opened, int depth) {
        if (!opened) {
            if (c == '[') {
                controlSequence(at, end, true, depth);
            }
        } else if ((c >= '0' && c < '@') || c == ' ' || c == '!') {
            controlSequence(at, end, true, depth);
        } else if (c >= 0x40 && c < 0x7F && c != '\\') {
            add(at, Readings.SKIP, end, depth);
        }
    }

    /** Decoration between the characters of an escape is no part of it. */
    private int pastSkips(int at, int depth) {
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

    /** Line ends of a value may come back as any white space; lines of base64 are joined over it. */
    private void spaces(int at, byte b) {
        if (isSpace(b)) {
            space(at, b, at + 1);
        }
        for (int reading = readings.first(at); reading != Readings.NONE; reading = readings.next(reading)) {
            if (isSpace(readings.code(reading))) {
                space(at, readings.code(reading), readings.end(reading));
            }
        }
    }

    private void space(int at, int code, int end) {
        int all = Math.max(end, spaceEnd[end - from]);
        spaceEnd[at - from] = Math.max(spaceEnd[at - from], all);
        if (code == '\n' || code == '\r') {
            add(at, Readings.WRAP, all, 1);
            // What was read as white space from an escape may be the next line's first character: \&#x74; is a tab or a
            // t.
            add(at, Readings.WRAP, Math.max(end, rawSpaceEnd[end - from]), 1);
        }
        if (lineEndsVary) {
            add(at, '\n', end, 1);
            add(at, '\n', all, 1);
        }
    }

    private static boolean isSpace(int code) {
        return code == ' ' || code == '\n' || code == '\r' || code == '\t';
    }

    /** A character of the text that a live value also has in another normal form. */
    private void composed(int at) {
        if (decompositions.isEmpty() || (text[at] & 0xC0) == 0x80) {
            return;
        }
        int lead = text[at] & 0xFF;
        int length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
        if (at + length > to) {
            return;
        }
        int character = lead & 0x7F >> length;
        for (int i = 1; i < length; i++) {
            character = (character << 6) | (text[at + i] & 0x3F);
        }
        if (decompositions.of(character) != null) {
            add(at, character, at + length, 1);
        }
    }

    private void addUnit(int at, int unit, int end, int depth) {
        if (unit >= 0xD800 && unit < 0xDC00) {
            int rest = pastSkips(end, depth);
            for (int reading = readings.first(rest); reading != Readings.NONE; reading = readings.next(reading)) {
                int low = readings.code(reading);
                if (low >= 0xDC00 && low < 0xE000 && readings.depth(reading) <= depth) {
                    add(at, Character.toCodePoint((char) unit, (char) low), readings.end(reading), depth);
                }
            }
            return;
        }
        add(at, unit, end, depth);
    }

    private void addByte(int at, int value, int end, int depth) {
        if (value < 0x80) {
            add(at, value, end, depth);
            return;
        }
        add(at, Readings.BYTE | value, end, depth);
        int length = value >= 0xF0 ? 4 : value >= 0xE0 ? 3 : 2;
        if (value >= 0xC2 && value < 0xF5) {
            character(at, end, length - 1, value & 0x7F >> length, depth);
        }
    }

    /** The rest of a character of several bytes, each escaped on its own. */
    private void character(int at, int rest, int missing, int bits, int depth) {
        if (missing == 0) {
            if (bits >= 0x80 && bits <= Character.MAX_CODE_POINT) {
                add(at, bits, rest, depth);
            }
            return;
        }
        int continued = pastSkips(rest, depth);
        for (int reading = readings.first(continued); reading != Readings.NONE; reading = readings.next(reading)) {
            if ((readings.code(reading) & (Readings.BYTE | 0xC0)) == (Readings.BYTE | 0x80)
                    && readings.code(reading) > 0) {
                character(at, readings.end(reading), missing - 1, (bits << 6) | (readings.code(reading) & 0x3F), depth);
            }
        }
    }

    private void add(int at, int code, int end, int depth) {
        if (end <= to && (code <= Character.MAX_CODE_POINT || code >= Readings.BYTE)) {
            readings.add(at, code, end, depth);
        }
    }

    /** Forgets the text. */
    void clear() {
        text = new byte[0];
    }
}
