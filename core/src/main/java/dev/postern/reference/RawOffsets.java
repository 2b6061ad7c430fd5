package dev.postern.reference;

import dev.postern.json.JsonValue;

/**
 * Leads from characters of a decoded JSON string back to the bytes they were decoded from. Asked in ascending order, it
 * reads the token once.
 */
final class RawOffsets {
    private final byte[] text;
    private int rawOffset;
    private int character;

    private RawOffsets(byte[] text, int start) {
        this.text = text;
        this.rawOffset = start;
    }

    RawOffsets(JsonValue string) {
        this(string.text(), string.start() + 1);
    }

    /** How many characters the content {@code [start, end)} of a string decodes to. */
    static int characters(byte[] text, int start, int end) {
        RawOffsets offsets = new RawOffsets(text, start);
        while (offsets.rawOffset < end) {
            offsets.step();
        }
        return offsets.character;
    }

    /** Where the character with this index starts in the text. Not for the second half of a pair of surrogates. */
    int rawOffset(int index) {
        while (character < index) {
            step();
        }
        return rawOffset;
    }

    private void step() {
        byte b = text[rawOffset];
        if (b == '\\') {
            rawOffset += text[rawOffset + 1] == 'u' ? 6 : 2;
            character++;
        } else if (b >= 0) {
            rawOffset++;
            character++;
        } else {
            int lead = b & 0xFF;
            rawOffset += lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
            character += lead >= 0xF0 ? 2 : 1;
        }
    }
}
