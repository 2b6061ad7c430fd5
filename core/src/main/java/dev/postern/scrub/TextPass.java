package dev.postern.scrub;

/** Finds the values in a stretch of plain text: from afar first, then closely where something showed. */
final class TextPass {
    /** Bits of a value in the characters around it, and padding. */
    private static final int SLACK = 8;
    /** A character of a value that was escaped twice, encoded and escaped again takes no more characters than this. */
    private static final int RUN_FACTOR = 128;

    private final Search search;

    TextPass(Search search) {
        this.search = search;
    }

    /**
     * Everything found in {@code text[0, length)}.
     *
     * @param head whether the text starts here, so that a value may have lost its first part before (S15)
     * @param tail whether the text ends here
     */
    Occurrences find(byte[] text, int length, boolean head, boolean tail) {
        Occurrences occurrences = new Occurrences();
        Watch watch = search.watch();
        Triggers triggers = new Triggers();
        if (watch.everywhere()) {
            triggers.run(0, length);
        } else {
            watch.text(text, 0, length, 0, triggers);
            if (head && tail && watch.mayBeWhole(text, 0, length)) {
                triggers.value(0, 0, length);
            }
            triggers.sort();
        }
        if (!triggers.isEmpty()) {
            Scan scan = new Scan(search);
            Windows.of(
                    text,
                    0,
                    length,
                    triggers,
                    0,
                    watch,
                    (from, to, opened) -> scan.text(
                            text, from, to, head && from == 0, tail && to == length, opened, occurrences::add));
            scan.clear();
        }
        return occurrences;
    }

    /**
     * Up to where the text is settled: whatever starts before this position lies within {@code text[0, end)}, so that no
     * text to come can change it.
     */
    int settled(byte[] text, int end) {
        int longest = search.watch().longest();
        EscapeWatch escapes = search.watch().escapes();
        // The text may end within an escape, which does not count as one character yet.
        int beforeCut = Math.max(0, end - EscapeWatch.LONGEST);
        int position = Windows.back(text, 0, beforeCut, longest + SLACK, escapes);
        int runStart = Windows.runStart(text, 0, position);
        if (end - runStart <= RUN_FACTOR * longest) {
            return runStart;
        }
        return Math.max(runStart, Math.min(position, Windows.back(text, 0, beforeCut, RUN_FACTOR * longest, escapes)));
    }
}
