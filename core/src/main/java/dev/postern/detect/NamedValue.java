package dev.postern.detect;

/** Judges a value that only its name speaks for: is it a secret, or code, a placeholder, a word of prose? */
final class NamedValue {
    private static final int MIN_LENGTH = 4;

    private NamedValue() {}

    static boolean isSecret(byte[] text, Assignment assignment) {
        int start = assignment.valueStart;
        int end = assignment.valueEnd;
        if (end - start < MIN_LENGTH || Placeholder.is(text, start, end)) {
            return false;
        }
        return switch (assignment.form) {
            case QUOTED, MEMBER, ELEMENT -> !isProse(text, start, end);
            case BARE -> isBareValue(text, assignment);
        };
    }

    /** Several words in a row are a message about a password more often than a password. */
    private static boolean isProse(byte[] text, int start, int end) {
        int spaces = 0;
        for (int at = start; at < Math.min(end, start + 256); at++) {
            if (Ascii.isSpace(text[at])) {
                spaces++;
            }
        }
        return spaces > 0;
    }

    private static boolean isBareValue(byte[] text, Assignment assignment) {
        int start = assignment.valueStart;
        int end = assignment.valueEnd;
        boolean digit = false;
        boolean other = false;
        for (int at = start; at < Math.min(end, start + 256); at++) {
            byte b = text[at];
            if (b == '(' || b == '[' || b == '{') {
                return false;
            }
            digit |= Ascii.isDigit(b);
            other |= !Ascii.isAlphanumeric(b) && b != '_' && b != '.';
        }
        // `password = user.password` is code; `PASSWORD=postgres` is configuration.
        return assignment.operator == ' ' || (assignment.operator == '=' && !assignment.spaced) || digit || other;
    }
}
