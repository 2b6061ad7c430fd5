package dev.postern.reference;

/**
 * The scalars a tool takes at one place, at least one of them (R11). Integers are numbers.
 *
 * @param integer whether {@code 5432} is taken
 * @param number whether {@code 0.5} is taken
 * @param bool whether {@code true} is taken
 */
record ScalarTypes(boolean integer, boolean number, boolean bool) {

    /**
     * How many of the value's first bytes spell a scalar of these types: all of them, or, where an integer is asked
     * for, those before a fraction of zeros. -1 if the value is none.
     */
    int spelledLength(byte[] value) {
        if (bool && (is(value, "true") || is(value, "false"))) {
            return value.length;
        }
        int integerEnd = integerEnd(value);
        if (integerEnd < 0) {
            return -1;
        }
        if (integerEnd == value.length) {
            return integer || number ? integerEnd : -1;
        }
        if (number) {
            return isNumberRest(value, integerEnd) ? value.length : -1;
        }
        return integer && isZeroFraction(value, integerEnd) ? integerEnd : -1;
    }

    /** Why a value is refused. */
    String refusal() {
        if (bool) {
            return integer || number
                    ? "the tool takes a number or a boolean here, and the value is neither"
                    : "the tool takes a boolean here, and the value is none";
        }
        return number
                ? "the tool takes a number here, and the value is none"
                : "the tool takes an integer here, and the value is none";
    }

    private static boolean is(byte[] value, String word) {
        if (value.length != word.length()) {
            return false;
        }
        for (int i = 0; i < value.length; i++) {
            if (value[i] != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Where the integer part of a JSON number (RFC 8259, section 6) ends; -1 if the value starts with none. */
    private static int integerEnd(byte[] value) {
        int at = value.length > 0 && value[0] == '-' ? 1 : 0;
        if (at < value.length && value[at] == '0') {
            return at + 1;
        }
        int end = digitsEnd(value, at);
        return end == at ? -1 : end;
    }

    private static boolean isNumberRest(byte[] value, int integerEnd) {
        int at = integerEnd;
        if (value[at] == '.') {
            int end = digitsEnd(value, at + 1);
            if (end == at + 1) {
                return false;
            }
            at = end;
        }
        if (at < value.length && (value[at] == 'e' || value[at] == 'E')) {
            at++;
            if (at < value.length && (value[at] == '+' || value[at] == '-')) {
                at++;
            }
            int end = digitsEnd(value, at);
            if (end == at) {
                return false;
            }
            at = end;
        }
        return at == value.length;
    }

    private static boolean isZeroFraction(byte[] value, int integerEnd) {
        if (value[integerEnd] != '.' || value.length == integerEnd + 1) {
            return false;
        }
        for (int at = integerEnd + 1; at < value.length; at++) {
            if (value[at] != '0') {
                return false;
            }
        }
        return true;
    }

    private static int digitsEnd(byte[] value, int start) {
        int at = start;
        while (at < value.length && value[at] >= '0' && value[at] <= '9') {
            at++;
        }
        return at;
    }
}
