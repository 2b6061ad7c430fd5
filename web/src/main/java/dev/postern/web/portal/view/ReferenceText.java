package dev.postern.web.portal.view;

import dev.postern.reference.Reference;

/** Where a reference stands in a text that is shown. The call itself is read by the reference finder, not by this. */
final class ReferenceText {
    /** Longer than any reference with all its filters. */
    private static final int MAX_LENGTH = 256;

    private ReferenceText() {}

    /** The end of the reference that starts at {@code start}, or -1 if none does. */
    static int end(String text, int start) {
        if (!text.regionMatches(true, start, "{{vault:", 0, 8) && !text.regionMatches(true, start, "{{secret:", 0, 9)) {
            return -1;
        }
        int close = text.indexOf("}}", start);
        if (close < 0 || close - start > MAX_LENGTH) {
            return -1;
        }
        try {
            Reference.parse(text.substring(start, close + 2));
            return close + 2;
        } catch (RuntimeException notOne) {
            return -1;
        }
    }
}
