package dev.postern.detect;

import org.jspecify.annotations.Nullable;

/**
 * What a matched value must pass besides its form.
 *
 * @param minEntropy bits per character, over at most the first 256; 0 asks for none
 * @param mixed whether the value must hold a letter and a digit
 * @param checksum the check digits or the structure the provider put in; null if there is none
 * @param strict whether the checksum must hold. If not, one that holds settles the matter, and one that does not
 *     leaves it to the other checks: a mistyped secret is still one
 * @param examples whether values marked as examples are found too
 */
record ValueChecks(
        double minEntropy, boolean mixed, @Nullable Checksum checksum, boolean strict, boolean examples) {
    private static final int WINDOW = 256;

    /** Judges what a rule matched. */
    boolean pass(Match match) {
        if (match.judgedStart != Pattern.NONE) {
            return match.judgedStart < match.judgedEnd
                    && (examples || !Placeholder.is(match.text(), match.judgedStart, match.judgedEnd))
                    && pass(match.text(), match.judgedStart, match.judgedEnd);
        }
        return pass(match.text(), match.secretStart, match.secretEnd);
    }

    private boolean pass(byte[] text, int start, int end) {
        if (checksum != null) {
            boolean holds = checksum.holds(text, start, end);
            if (holds != strict) {
                return holds;
            }
        }
        return (examples || !Placeholder.isExample(text, start, end))
                && (!mixed || isMixed(text, start, end))
                && (minEntropy == 0 || entropy(text, start, end) >= minEntropy);
    }

    private static boolean isMixed(byte[] text, int start, int end) {
        boolean letter = false;
        boolean digit = false;
        for (int at = start; at < Math.min(end, start + WINDOW); at++) {
            letter |= Ascii.isLetter(text[at]);
            digit |= Ascii.isDigit(text[at]);
        }
        return letter && digit;
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
