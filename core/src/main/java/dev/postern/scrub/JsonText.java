package dev.postern.scrub;

/** Where characters begin inside the content of a JSON string, for whoever cuts a stretch out of one. */
final class JsonText {
    private static final int LONGEST_ESCAPE = 6;

    private JsonText() {}

    /** The nearest position at or before {@code at} at which a character or escape begins; content starts at {@code start}. */
    static int boundary(byte[] json, int start, int at) {
        int position = at;
        while (position > start && (json[position] & 0xC0) == 0x80) {
            position--;
        }
        for (int i = position - 1; i >= Math.max(start, position - LONGEST_ESCAPE + 1); i--) {
            if (json[i] == '\\') {
                int first = i;
                while (first > start && json[first - 1] == '\\') {
                    first--;
                }
                // An odd backslash is the marker of an escape, an even one is the escaped character.
                boolean marker = (i - first) % 2 == 0;
                int length = marker ? (json[i + 1] == 'u' ? LONGEST_ESCAPE : 2) : 1;
                return i + length > position ? i : position;
            }
        }
        return position;
    }

    /** The nearest position at or past {@code at} at which a character or escape begins, or the content's end. */
    static int boundaryAfter(byte[] json, int start, int end, int at) {
        int position = at;
        while (position < end && boundary(json, start, position) != position) {
            position++;
        }
        return position;
    }
}
