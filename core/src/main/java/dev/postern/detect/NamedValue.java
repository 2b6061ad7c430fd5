package dev.postern.detect;

/**
 * Judges a value that only its name speaks for: is it a secret, or code, a placeholder, a word of prose? The bounds
 * were set by counting on labelled public files; docs/detection.md has the figures.
 */
final class NamedValue {
    private static final int MIN_LENGTH = 5;
    private static final int MIN_DIGITS_ALONE = 8;
    private static final int MIN_WORD_IN_A_LINE = 8;
    private static final int WINDOW = 128;
    /** What joins words in names, paths and sentences; a password made of letters and these reads as one of them. */
    private static final String JOINTS = "_-./:,;!?'\"\\<>|=&#@()[]{}`";

    private final byte[] text;
    private final Assignment assignment;
    private final int start;
    private final int end;
    private int digits;
    private int upper;
    private int lower;
    private int joints;
    private int otherMarks;
    private int spaces;
    private int brackets;
    private int mostFrequent;

    private NamedValue(byte[] text, Assignment assignment) {
        this.text = text;
        this.assignment = assignment;
        this.start = assignment.valueStart;
        this.end = assignment.valueEnd;
    }

    static boolean isSecret(byte[] text, Assignment assignment) {
        return new NamedValue(text, assignment).isSecret();
    }

    private boolean isSecret() {
        if (end - start < MIN_LENGTH || Placeholder.is(text, start, end) || isElsewhere()) {
            return false;
        }
        count();
        int length = Math.min(end - start, WINDOW);
        boolean onlyDigits = digits == length;
        if (spaces > 0 || mostFrequent * 5 > length * 3 || (onlyDigits && length < MIN_DIGITS_ALONE)) {
            return false;
        }
        if (digits == 0 && joints > 0 && otherMarks == 0) {
            return false;
        }
        if (digits == 0 && otherMarks > 0 && (upper == 0 || lower == 0)) {
            return false;
        }
        return assignment.form != Assignment.Form.BARE || isBareValue();
    }

    /** Says where a secret is, or what another language calls one: a path, an address, a symbol. */
    private boolean isElsewhere() {
        byte first = text[start];
        return first == '/'
                || first == ':'
                || first == '&'
                || (first == '.' && (text[start + 1] == '/' || text[start + 1] == '.'))
                || (first == '~' && text[start + 1] == '/')
                || Ascii.regionMatches(text, start, end, HTTP)
                || Ascii.regionMatches(text, start, end, HTTPS);
    }

    private static final byte[] HTTP = Ascii.bytes("http://");
    private static final byte[] HTTPS = Ascii.bytes("https://");

    private void count() {
        int[] counts = new int[256];
        for (int at = start; at < Math.min(end, start + WINDOW); at++) {
            byte b = text[at];
            mostFrequent = Math.max(mostFrequent, ++counts[b & 0xFF]);
            if (Ascii.isDigit(b)) {
                digits++;
            } else if (Ascii.isLetter(b)) {
                upper += b < 'a' ? 1 : 0;
                lower += b < 'a' ? 0 : 1;
            } else if (Ascii.isSpace(b)) {
                spaces++;
            } else if (JOINTS.indexOf(b) >= 0) {
                joints++;
                brackets += b == '(' || b == '[' || b == '{' ? 1 : 0;
            } else {
                otherMarks++;
            }
        }
    }

    private boolean isBareValue() {
        if (brackets > 0) {
            return false;
        }
        // `password = user` is code, `PASSWORD=postgres` configuration, and so is `password: correcthorse` alone.
        return switch (assignment.operator) {
            case ' ' -> true;
            case '=' -> !assignment.spaced || digits > 0;
            default -> digits > 0 || isWordAloneInItsLine();
        };
    }

    private boolean isWordAloneInItsLine() {
        if (end - start < MIN_WORD_IN_A_LINE || (text[start] >= 'A' && text[start] <= 'Z')) {
            return false;
        }
        int at = end;
        while (at < text.length && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r')) {
            at++;
        }
        return at >= text.length || text[at] == '\n' || (text[at] == '#' && at > end);
    }
}
