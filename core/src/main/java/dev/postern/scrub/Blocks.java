package dev.postern.scrub;

/**
 * Opens what stands in a text as base64 or hex, so that a value escaped first and encoded then is found too. (A value
 * encoded as it is needs no opening: the automaton knows its base64 and hex.)
 *
 * <p>Runs of base64 characters are found twice: once among the bytes as they stand, and once with escapes read, for a
 * run whose own characters were escaped. Only the second is at the mercy of what stands before the run.
 */
final class Blocks {
    /** Takes a block's bytes. */
    interface Opened {
        /**
         * Takes one.
         *
         * @param sink translates positions of {@code bytes} back to the text the block stands in
         */
        void scan(byte[] bytes, int length, Matcher.Sink sink);
    }

    private static final int MOST_INSIDE = 32;

    private final int shortest;
    private final EncodedRun run = new EncodedRun();

    /** @param shortestEscaped see {@link Forms#shortestEscaped()} */
    Blocks(int shortestEscaped) {
        this.shortest = shortestEscaped;
    }

    /** Opens every block of {@code text[from, to)}. */
    void open(byte[] text, int from, int to, Readings readings, Matcher.Sink sink, Opened opened) {
        for (int at = from; at < to; ) {
            int end = run.collect(text, at, to, readings, EncodedRun.Escapes.IGNORED);
            open(sink, opened);
            at = Math.max(end, at + 1);
        }
        if (!readings.isEmpty()
                && openEscaped(text, from, to, readings, EncodedRun.Escapes.AS_CHARACTERS, sink, opened)) {
            openEscaped(text, from, to, readings, EncodedRun.Escapes.AS_SHORT_CHARACTERS, sink, opened);
            openEscaped(text, from, to, readings, EncodedRun.Escapes.AS_LINE_ENDS, sink, opened);
        }
    }

    /** Returns whether an escape in a run could be read in several ways that belong to one. */
    private boolean openEscaped(
            byte[] text,
            int from,
            int to,
            Readings readings,
            EncodedRun.Escapes escapes,
            Matcher.Sink sink,
            Opened opened) {
        boolean ambiguous = false;
        for (int at = from; at < to; ) {
            int end = run.collect(text, at, to, readings, escapes);
            ambiguous |= run.isAmbiguous();
            if (run.isEscaped()) {
                open(sink, opened);
                openInside(text, at, Math.max(end, at + 1), to, readings, escapes, sink, opened);
            }
            at = Math.max(end, at + 1);
        }
        return ambiguous;
    }

    /**
     * What was taken for a character of a run may be a marker that only stands before one: so runs are also tried from
     * where the escape of a marker ends, and from just past the first percent sign and the first backslash. Not past
     * {@link #MOST_INSIDE} of the others, or a text of nothing else would be gone through once for each.
     */
    private void openInside(
            byte[] text,
            int start,
            int end,
            int to,
            Readings readings,
            EncodedRun.Escapes escapes,
            Matcher.Sink sink,
            Opened opened) {
        int tried = 0;
        boolean percent = false;
        boolean backslash = false;
        for (int at = start; at < end && tried < MOST_INSIDE; at++) {
            if ((text[at] == '%' && !percent) || (text[at] == '\\' && !backslash)) {
                percent |= text[at] == '%';
                backslash |= text[at] == '\\';
                run.collect(text, at + 1, to, readings, escapes);
                open(sink, opened);
            }
            for (int r = readings.first(at); r != Readings.NONE; r = readings.next(r)) {
                if (Escapes.isMarker(readings.code(r))) {
                    run.collect(text, readings.end(r), to, readings, escapes);
                    open(sink, opened);
                    tried++;
                }
            }
        }
    }

    private void open(Matcher.Sink sink, Opened opened) {
        if (run.length() * 6 / 8 >= shortest) {
            for (int phase = 0; phase < 4; phase++) {
                run.base64(phase, shortest, sink, opened);
            }
            run.hex(shortest, sink, opened);
        }
    }
}
