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

    private final Decompositions decompositions;
    private final Readings readings;
    private final EscapedText text;
    private final NumberReader numbers;
    private final EntityReader entities;
    private final ControlSequences controlSequences;
    private final WhiteSpace whiteSpace;
    private final CutEscapes cutEscapes;

    /** @param lineEndsVary whether a live value has several lines */
    EscapeReader(boolean lineEndsVary, Decompositions decompositions) {
        this.decompositions = decompositions;
        this.readings = new Readings(decompositions);
        this.text = new EscapedText(readings);
        this.numbers = new NumberReader(text);
        this.entities = new EntityReader(text);
        this.controlSequences = new ControlSequences(text);
        this.whiteSpace = new WhiteSpace(text, lineEndsVary);
        this.cutEscapes = new CutEscapes(text);
    }

    /** What was read last. */
    Readings readings() {
        return readings;
    }

    /** Reads {@code bytes[from, to)}, which must not change while the readings are in use. */
    void read(byte[] bytes, int from, int to) {
        text.start(bytes, from, to);
        whiteSpace.start();
        for (int at = to - 1; at >= from; at--) {
            byte b = bytes[at];
            whiteSpace.note(at, b);
            if (b < 0) {
                composed(at);
            } else if (b < '@' || b == '\\') {
                readAt(at, b);
            }
        }
    }

    /** Looks for escapes that the end of the text cuts short; {@link #isCut} tells of them. */
    void readCuts() {
        cutEscapes.read();
    }

    /** Whether an escape starts at {@code at} that the end of the text cuts short. */
    boolean isCut(int at) {
        return cutEscapes.isCut(at);
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
        whiteSpace.read(at, b);
    }

    /** An escape whose first character is {@code marker}, read with depth {@code markerDepth} and ending at {@code rest}. */
    private void escape(int at, int marker, int rest, int markerDepth, int depth) {
        switch (marker) {
            case '\\' -> backslash(at, rest, markerDepth, depth);
            case '%' -> percent(at, rest, depth);
            case '&' -> entities.read(at, rest, depth);
            case '+' -> text.add(at, ' ', rest, depth);
            case '\'' -> quoted(at, rest, depth);
            case '"' -> {
                // CSV and SQL double the quote they stand in.
                expect(at, rest, "\"", 0, depth, '"');
            }
            case 0x1B -> controlSequences.read(at, rest, depth);
            default -> {}
        }
    }

    private void backslash(int at, int afterMarker, int markerDepth, int depth) {
        int rest = text.pastSkips(afterMarker, depth);
        if (rest >= text.to()) {
            return;
        }
        if (text.at(rest) < 0) {
            // Shells escape what is not ASCII like any other character.
            text.add(at, Readings.SKIP, rest, depth);
            return;
        }
        // A rule reads a run of backslashes in pairs from its start: so the first backslash of one that follows the
        // marker was read when the marker was, and halves of a run that is one backslash were read equally often.
        boolean run = text.at(rest) == '\\' && isRun(at, rest);
        if (!run || markerDepth == 0) {
            backslashed(at, text.at(rest), rest + 1, true, depth);
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
            case 'b' -> text.add(at, '\b', end, depth);
            case 'f' -> text.add(at, '\f', end, depth);
            case 'n' -> text.add(at, '\n', end, depth);
            case 'r' -> text.add(at, '\r', end, depth);
            case 't' -> text.add(at, '\t', end, depth);
            case 'e', 'E' -> text.add(at, 0x1B, end, depth);
            case 'u' -> {
                numbers.unit(at, end, 4, depth);
                numbers.braced(at, end, depth);
            }
            case 'U' -> numbers.unit(at, end, 8, depth);
            case 'x' -> {
                numbers.byteOrCharacter(at, end, depth);
                numbers.braced(at, end, depth);
            }
            case '0', '1', '2', '3', '4', '5', '6', '7' -> {
                // A backslash before an escaped digit is rather an escape of that escape's marker.
                if (alike) {
                    numbers.octal(at, code - '0', end, depth);
                }
            }
            default -> {
                if ((code >= ' ' && code < 0x7F) || code == '\t' || code == '\n') {
                    text.add(at, code, end, depth);
                }
            }
        }
    }

    private boolean isRun(int start, int end) {
        for (int at = start; at < end; at++) {
            if (text.at(at) != '\\') {
                return false;
            }
        }
        return true;
    }

    private void percent(int at, int rest, int depth) {
        numbers.octet(at, rest, depth);
        if (rest < text.to() && text.at(rest) == 'u') {
            numbers.unit(at, rest + 1, 4, depth);
        }
    }

    /** A shell writes a quote inside single quotes as {@code '\''} or {@code '"'"'}; SQL doubles it. */
    private void quoted(int at, int rest, int depth) {
        expect(at, rest, "'", 0, depth, '\'');
        expect(at, rest, "\\''", 0, depth, '\'');
        expect(at, rest, "\"'\"'", 0, depth, '\'');
    }

    private void expect(int at, int start, String wanted, int matched, int depth, int meaning) {
        if (matched == wanted.length()) {
            text.add(at, meaning, start, depth);
            return;
        }
        int rest = text.pastSkips(start, depth);
        if (rest >= text.to()) {
            return;
        }
        if (text.at(rest) == wanted.charAt(matched)) {
            expect(at, rest + 1, wanted, matched + 1, depth, meaning);
        }
        for (int reading = readings.first(rest); reading != Readings.NONE; reading = readings.next(reading)) {
            if (readings.depth(reading) < depth && readings.code(reading) == wanted.charAt(matched)) {
                expect(at, readings.end(reading), wanted, matched + 1, depth, meaning);
            }
        }
    }

    /** A character of the text that a live value also has in another normal form. */
    private void composed(int at) {
        if (decompositions.isEmpty() || (text.at(at) & 0xC0) == 0x80) {
            return;
        }
        int lead = text.at(at) & 0xFF;
        int length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
        if (at + length > text.to()) {
            return;
        }
        int character = lead & 0x7F >> length;
        for (int i = 1; i < length; i++) {
            character = (character << 6) | (text.at(at + i) & 0x3F);
        }
        if (decompositions.of(character) != null) {
            text.add(at, character, at + length, 1);
        }
    }

    /** Forgets the text. */
    void clear() {
        text.clear();
    }
}
