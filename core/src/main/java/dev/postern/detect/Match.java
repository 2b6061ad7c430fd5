package dev.postern.detect;

import java.util.Arrays;

/**
 * The text under the verifiers and what they remember of it. Anchors are tried in ascending order, so where a long run
 * ends or a literal next occurs is found once and answers every later anchor before that place: this is what keeps
 * the whole scan linear. One for each thread and scan; pointed at one region after the other.
 */
final class Match {
    /** Places of memory that belong to {@link Assignment} and the masking rule; the patterns' own come after. */
    static final int NEXT_DOUBLE_QUOTE = 0;

    static final int NEXT_SINGLE_QUOTE = 1;
    static final int NEXT_BACKTICK = 2;
    static final int NEXT_LINE_END = 3;
    static final int NEXT_TAG = 4;
    static final int VALUE_RUN = 5;
    static final int NEXT_CLOSING_QUOTE = 6;
    static final int RESERVED = 7;

    private static final byte[] QUOTE = {'"'};

    /** Set by the last attempt: the masked part, or {@link Pattern#NONE}. */
    int secretStart;

    /** See {@link #secretStart}. */
    int secretEnd;

    /** Set by the last attempt: the part whose value is judged where that is not the masked part. */
    int judgedStart;

    /** See {@link #judgedStart}. */
    int judgedEnd;

    private byte[] text = new byte[0];
    private int start;
    private int end;
    private boolean quotesClose;
    private final int[] from;
    private final int[] to;
    private boolean used;

    /** {@code memories} is the number of long runs and literals in the rules. */
    Match(int memories) {
        from = new int[memories];
        to = new int[memories];
        Arrays.fill(from, Integer.MAX_VALUE);
    }

    /**
     * Looks at {@code text[start, end)}; forgets the last text.
     *
     * @param quotesClose whether an unescaped quote may close the string a secret stands in (D3); false inside a
     *     decoded JSON string, where every quote was escaped
     */
    void region(byte[] text, int start, int end, boolean quotesClose) {
        this.text = text;
        this.start = start;
        this.end = end;
        this.quotesClose = quotesClose;
        if (used) {
            Arrays.fill(from, Integer.MAX_VALUE);
            used = false;
        }
    }

    byte[] text() {
        return text;
    }

    int start() {
        return start;
    }

    int end() {
        return end;
    }

    /** The first unescaped {@code "} in {@code (from, to)}, or {@link Pattern#NONE}; D3. */
    int closingQuote(int from, int to) {
        if (!quotesClose) {
            return Pattern.NONE;
        }
        int memory = NEXT_CLOSING_QUOTE;
        if (this.from[memory] > from || from > this.to[memory]) {
            int quote = nextOccurrence(NEXT_DOUBLE_QUOTE, QUOTE, from);
            while (quote != Pattern.NONE && backslashesBefore(quote) % 2 != 0) {
                quote = nextOccurrence(NEXT_DOUBLE_QUOTE, QUOTE, quote + 1);
            }
            remember(memory, from, quote == Pattern.NONE ? Integer.MAX_VALUE : quote);
        }
        return this.to[memory] < to ? this.to[memory] : Pattern.NONE;
    }

    /** How many backslashes stand directly before {@code at}. */
    int backslashesBefore(int at) {
        int first = at;
        while (first > start && text[first - 1] == '\\') {
            first--;
        }
        return at - first;
    }

    /** Where the run of {@code alphabet} that stands at {@code at} ends; {@code at} itself if there is none. */
    int runEnd(int memory, ByteSet alphabet, int at) {
        if (from[memory] <= at && at < to[memory]) {
            return to[memory];
        }
        int runEnd = at;
        while (runEnd < end && alphabet.contains(text[runEnd])) {
            runEnd++;
        }
        remember(memory, at, runEnd);
        return runEnd;
    }

    /** Where {@code literal} next occurs at or after {@code at}, or {@link Pattern#NONE}. */
    int nextOccurrence(int memory, byte[] literal, int at) {
        if (from[memory] > at || at > to[memory]) {
            int found = at;
            while (found + literal.length <= end
                    && !Arrays.equals(text, found, found + literal.length, literal, 0, literal.length)) {
                found++;
            }
            remember(memory, at, found + literal.length <= end ? found : Integer.MAX_VALUE);
        }
        return to[memory] == Integer.MAX_VALUE ? Pattern.NONE : to[memory];
    }

    private void remember(int memory, int start, int stop) {
        from[memory] = start;
        to[memory] = stop;
        used = true;
    }
}
