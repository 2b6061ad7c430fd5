package dev.postern.scrub;

import java.util.Arrays;

/**
 * A run of base64 characters that is broken by line ends or by escapes of its own characters, put together again. Such
 * breaks are known by their usual spelling; whatever is spelled in an odd way is seen by {@link EscapeWatch}.
 */
final class Runs {
    /** No escape of a base64 character or a line end is longer, as far as a look from afar goes. */
    private static final int LONGEST_ESCAPE = 16;

    private static final int LONG = 256;
    private static final int BLOCK_WORDS = 64;

    private byte[] characters = new byte[256];
    private int length;
    private int start;
    private int end;

    /** Where the run around {@code at} starts. */
    static int start(byte[] text, int from, int at) {
        int start = at;
        while (start - from >= Long.BYTES) {
            long others = Words.base64(Words.eight(text, start - Long.BYTES)) ^ Words.HIGH;
            if (others != 0) {
                return start - Long.BYTES + Words.last(others) + 1;
            }
            start -= Long.BYTES;
        }
        while (start > from && Sextets.of(text[start - 1]) >= 0) {
            start--;
        }
        return start;
    }

    /** As {@link #start}, the letters of an escape before the run left out, if that is what its first letters are. */
    static int startPastEscape(byte[] text, int from, int at) {
        return pastEscape(text, from, start(text, from, at), at);
    }

    /** {@link #startPastEscape} of the run around {@code at} that starts at {@code start}. */
    static int pastEscape(byte[] text, int from, int start, int at) {
        if (start > from && Escapes.isMarker(text[start - 1])) {
            long read = Escapes.after(text[start - 1], text, start, at);
            return read >= 0 ? Escapes.end(read) : start;
        }
        return start;
    }

    /** Where the run around {@code at} ends. */
    static int end(byte[] text, int at, int to) {
        int end = at;
        while (end <= to - Long.BYTES) {
            long others = Words.base64(Words.eight(text, end)) ^ Words.HIGH;
            if (others != 0) {
                return end + Words.first(others);
            }
            end += Long.BYTES;
            // What is this long is probably much longer: an image.
            while (end - at >= LONG && end <= to - (BLOCK_WORDS << 3) && Words.areBase64(text, end, BLOCK_WORDS)) {
                end += BLOCK_WORDS << 3;
            }
        }
        while (end < to && Sextets.of(text[end]) >= 0) {
            end++;
        }
        return end;
    }

    /** Whether the run goes on past a break at one of its ends. */
    static boolean isBroken(byte[] text, int start, int end, int from, int to) {
        return (end < to && mayBreak(text[end]) && goesOn(text, end, to) > end)
                || (start > from && mayEndBreak(text[start - 1]) && goesBack(text, start, from) < start);
    }

    /** Whether a break may start with this byte. */
    private static boolean mayBreak(byte b) {
        return Escapes.isMarker(b) || isLineEnd(b);
    }

    /** Whether a break may end with this byte: any but a mark of punctuation that ends no escape. */
    private static boolean mayEndBreak(byte b) {
        return b == ';' || isLineEnd(b) || b == ' ' || b == '\t' || Sextets.of(b) >= 0;
    }

    /** Whether the escape of a base64 character starts at {@code at}. */
    static boolean isEscaped(byte[] text, int at, int to) {
        return escapeEnd(text, at, to) > at;
    }

    /** Puts the run together that goes through {@code at}. */
    void collect(byte[] text, int from, int at, int to) {
        start = at;
        for (int before = goesBack(text, start, from); before < start; before = goesBack(text, start, from)) {
            start = startPastEscape(text, from, before);
        }
        length = 0;
        end = start;
        while (true) {
            int next = end(text, end, to);
            append(text, end, next);
            end = next;
            int after = goesOn(text, end, to);
            if (after == end) {
                return;
            }
            for (int i = end; i < after; i = Math.max(i + 1, breakEnd(text, i, to))) {
                if (escapeEnd(text, i, to) > i) {
                    append(new byte[] {(byte) Escapes.character(Escapes.resolve(text, i, to))}, 0, 1);
                }
            }
            end = after;
        }
    }

    private void append(byte[] text, int from, int to) {
        if (characters.length - length < to - from) {
            characters = Arrays.copyOf(characters, Math.max(2 * characters.length, length + to - from));
        }
        System.arraycopy(text, from, characters, length, to - from);
        length += to - from;
    }

    byte[] characters() {
        return characters;
    }

    int length() {
        return length;
    }

    /** Where the run starts in the text. */
    int start() {
        return start;
    }

    int end() {
        return end;
    }

    void wipe() {
        Arrays.fill(characters, 0, length, (byte) 0);
    }

    /** Where the run goes on that breaks off at {@code at}; {@code at} itself if it does not. */
    private static int goesOn(byte[] text, int at, int to) {
        int end = at;
        while (end < to) {
            int after = breakEnd(text, end, to);
            if (after <= end) {
                // White space belongs to a break only after a line end.
                if (end == at || (text[end] != ' ' && text[end] != '\t')) {
                    break;
                }
                after = end + 1;
            }
            end = after;
        }
        return end > at && end < to && Sextets.of(text[end]) >= 0 ? end : at;
    }

    /** Where the run broke off that goes on at {@code at}; {@code at} itself if none did. */
    private static int goesBack(byte[] text, int at, int from) {
        int start = at;
        while (start > from && (text[start - 1] == ' ' || text[start - 1] == '\t')) {
            start--;
        }
        boolean lineBroken = false;
        int indented = start;
        while (start > from) {
            int before = breakBefore(text, start, from);
            if (before == start) {
                break;
            }
            lineBroken |= escapeEnd(text, before, start) < start;
            start = before;
        }
        boolean spaced = indented < at;
        return start < indented && (lineBroken || !spaced) && start > from && Sextets.of(text[start - 1]) >= 0
                ? start
                : at;
    }

    private static int breakBefore(byte[] text, int at, int from) {
        byte last = text[at - 1];
        if (isLineEnd(last)) {
            return at - 1;
        }
        if (last != ';' && Sextets.of(last) < 0) {
            return at;
        }
        int start = at;
        for (int marker = at - 2; marker >= Math.max(from, at - LONGEST_ESCAPE); marker--) {
            if (Escapes.isMarker(text[marker]) && breakEnd(text, marker, at) == at) {
                start = marker;
            }
        }
        while (start < at && start > from && text[start - 1] == '\\') {
            start--;
        }
        return start;
    }

    /** Where the break ends that starts at {@code at}: a line end, or an escape of one or of a character of base64; or 0. */
    private static int breakEnd(byte[] text, int at, int to) {
        return Math.max(escapeEnd(text, at, to), lineEnd(text, at, to));
    }

    /** Where the line end ends that starts at {@code at}, spelled out or escaped; or 0. */
    private static int lineEnd(byte[] text, int at, int to) {
        if (isLineEnd(text[at])) {
            return at + 1;
        }
        long read = Escapes.isMarker(text[at]) ? Escapes.resolve(text, at, to) : Escapes.NOTHING;
        return read >= 0 && isLineEnd(Escapes.character(read)) ? Escapes.end(read) : 0;
    }

    /** Where the escape of a base64 character ends that starts at {@code at}, or 0. */
    private static int escapeEnd(byte[] text, int at, int to) {
        long read = Escapes.isMarker(text[at]) ? Escapes.resolve(text, at, to) : Escapes.NOTHING;
        return read >= 0 && Sextets.of(Escapes.character(read)) >= 0 ? Escapes.end(read) : 0;
    }

    private static boolean isLineEnd(int character) {
        return character == '\n' || character == '\r';
    }
}
