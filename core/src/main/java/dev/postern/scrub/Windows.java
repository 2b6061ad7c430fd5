package dev.postern.scrub;

/**
 * Turns triggers into the stretches of a text that must be matched: each reaches so far around its trigger that a value
 * that shows there lies within, however it is escaped; stretches that touch are one.
 */
final class Windows {
    /** Takes a stretch; {@code opened} if it may hold base64 or hex to be opened. */
    interface Stretch {
        void look(int from, int to, boolean opened);
    }

    /** Texts no longer than this are matched whole: not worth a closer look at what to leave out. */
    private static final int SMALL = 256;
    /** Triggers no farther apart are looked at together. */
    private static final int CLOSE = 128;
    /** Bytes of {@code '"'"'} inside a JSON string inside another. */
    private static final int LONGEST_QUOTE = 9;

    private Windows() {}

    /**
     * Gives the stretches of {@code text[from, to)} around the sorted triggers from number {@code first} on. Triggers whose
     * stretches meet anyway are taken as one, so that a text full of them is not measured around each.
     *
     * <p>What is left of a value at the start of a text (S15) shows later than a whole one would, so the first stretch begins
     * there if it might.
     */
    static void of(byte[] text, int from, int to, Triggers triggers, int first, Watch watch, Stretch stretch) {
        EscapeWatch escapes = watch.escapes();
        boolean small = to - from <= SMALL;
        int start = -1;
        int end = -1;
        boolean opened = false;
        for (int i = first; i < triggers.size() && triggers.at(i) < to; ) {
            boolean atStart = i == first;
            int nearest = triggers.at(i);
            int farthest = nearest;
            int before = 0;
            int after = 0;
            boolean run = false;
            while (i < triggers.size() && triggers.at(i) < to && triggers.at(i) - farthest <= Math.max(CLOSE, after)) {
                farthest = triggers.at(i);
                before = Math.max(before, triggers.before(i));
                after = Math.max(after, triggers.after(i));
                run |= triggers.isRun(i);
                i++;
            }
            int a = small ? from : back(text, from, nearest, before, escapes);
            if (atStart && a > from && back(text, from, nearest, watch.lastReach(), escapes) == from) {
                a = from;
            }
            int b = small ? to : ahead(text, farthest, to, after, escapes);
            if (run && !small) {
                a = runStart(text, from, a);
                b = runEnd(text, b, to);
            }
            if (a > end) {
                if (end >= 0) {
                    stretch.look(start, end, opened);
                }
                start = a;
                opened = false;
            }
            start = Math.min(start, a);
            end = Math.max(end, b);
            opened |= run;
        }
        if (end >= 0) {
            stretch.look(start, end, opened);
        }
    }

    /** How far back {@code characters} characters before {@code at} reach, at most. */
    static int back(byte[] text, int from, int at, int characters, EscapeWatch escapes) {
        int start = at;
        int left = characters + 1;
        while (true) {
            while (start > from && left > 0) {
                start--;
                left += extra(text, start, at, escapes) - 1;
            }
            // What was counted last may have been the inside of an escape that starts before it.
            int marker = start - 1;
            int nearest = Math.max(from, start - EscapeWatch.LONGEST);
            while (marker >= nearest && extra(text, marker, at, escapes) < start - marker) {
                marker--;
            }
            if (marker < nearest) {
                return start;
            }
            left += extra(text, marker, at, escapes) - (start - marker);
            start = marker;
        }
    }

    /** How far ahead {@code characters} characters from {@code at} on reach, at most. */
    static int ahead(byte[] text, int at, int to, int characters, EscapeWatch escapes) {
        int end = at;
        int left = characters + 1;
        while (end < to && left > 0) {
            left += extra(text, end, to, escapes) - 1;
            end++;
        }
        return end;
    }

    /** How far back the run of base64 reaches that goes through {@code at}, its breaks and escapes included. */
    static int runStart(byte[] text, int from, int at) {
        int start = at;
        while (start > from && continuesRun(text[start - 1])) {
            start--;
        }
        return start;
    }

    /** How far ahead it reaches. */
    static int runEnd(byte[] text, int at, int to) {
        int end = at;
        while (end < to && continuesRun(text[end])) {
            end++;
        }
        return end;
    }

    /** Whether a byte is a character of base64, of an escape, or the end of a line. */
    private static boolean continuesRun(byte b) {
        return Sextets.of(b) >= 0 || (b >= 0 && "\\%&#;=\n\r\u001b[".indexOf(b) >= 0);
    }

    /** How many bytes besides its own the character that starts here may take. */
    private static int extra(byte[] text, int at, int to, EscapeWatch escapes) {
        byte b = text[at];
        if (b == ' ' || b == '\t' || b == '\n' || b == '\r') {
            // A line end, of a value or of base64, may come with any white space.
            return 1;
        }
        if (b == '\'' || b == '"') {
            // A shell or SQL may have written a quote of the value as several.
            return at + 1 < to && "'\"\\".indexOf(text[at + 1]) >= 0 ? LONGEST_QUOTE - 1 : 0;
        }
        return escapes.span(text, at, to) - 1;
    }
}
