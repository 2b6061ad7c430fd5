package dev.postern.detect;

import org.jspecify.annotations.Nullable;

/**
 * What a matched value must pass besides its form.
 *
 * @param minEntropy bits per character, over at most the first 256; 0 asks for none
 * @param checksum the check digits the provider put in; null if it has none
 * @param examples whether values marked as examples pass too
 */
record ValueChecks(double minEntropy, @Nullable Checksum checksum, boolean examples) {
    private static final int WINDOW = 256;

    /** Judges what a rule matched. */
    boolean pass(Match match) {
        if (match.judgedStart != Pattern.NONE) {
            return match.judgedStart < match.judgedEnd
                    && !Placeholder.is(match.text(), match.judgedStart, match.judgedEnd)
                    && pass(match.text(), match.judgedStart, match.judgedEnd);
        }
        return pass(match.text(), match.secretStart, match.secretEnd);
    }

    private boolean pass(byte[] text, int start, int end) {
        return (examples || !Placeholder.isExample(text, start, end))
                && (minEntropy == 0 || entropy(text, start, end) >= minEntropy)
                && (checksum == null || checksum.holds(text, start, end));
    }

    /** Shannon's, over single bytes. */
    static double entropy(byte[] text, int start, int end) {
        int stop = Math.min(end, start + WINDOW);
        int[] counts = new int[256];
        for (int at = start; at < stop; at++) {
            counts[text[at] & 0xFF]++;
        }
        double entropy = 0;
        for (int count : counts) {
            if (count > 0) {
                double share = (double) count / (stop - start);
                entropy -= share * Math.log(share) / Math.log(2);
            }
        }
        return entropy;
    }
}
