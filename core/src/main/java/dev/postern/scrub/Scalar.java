package dev.postern.scrub;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A value that can come back as a JSON scalar: a number, in whatever spelling, or one of the three words (S2, S3).
 */
final class Scalar {
    /** Longer numbers are not compared; no scalar of a message is a credential that long. */
    private static final int LONGEST = 64;
    /** Past this exponent no number is expanded. */
    private static final int LARGEST_EXPONENT = 400;

    private final byte[] word;
    private final @Nullable BigDecimal exact;
    private final @Nullable BigDecimal rounded;
    private final Target target;

    private Scalar(byte[] word, @Nullable BigDecimal exact, @Nullable BigDecimal rounded, Target target) {
        this.word = word;
        this.exact = exact;
        this.rounded = rounded;
        this.target = target;
    }

    /** The scalar a value can come back as, or null if it cannot. */
    static @Nullable Scalar of(byte[] value, Target target) {
        if (value.length == 0 || value.length > LONGEST) {
            return null;
        }
        String text = new String(value, StandardCharsets.US_ASCII).strip();
        if (text.equals("true") || text.equals("false") || text.equals("null")) {
            return new Scalar(text.getBytes(StandardCharsets.US_ASCII), null, null, target);
        }
        BigDecimal exact = number(text.startsWith("+") ? text.substring(1) : text);
        if (exact == null) {
            return null;
        }
        double rounded = exact.doubleValue();
        return new Scalar(
                new byte[0],
                exact,
                Double.isInfinite(rounded) ? null : new BigDecimal(Double.toString(rounded)),
                target);
    }

    Target target() {
        return target;
    }

    /** Whether the scalar {@code text[start, end)} is this value. */
    boolean equals(byte[] text, int start, int end) {
        if (exact == null) {
            return Arrays.equals(text, start, end, word, 0, word.length);
        }
        if (end - start > LONGEST || text[start] == 't' || text[start] == 'f' || text[start] == 'n') {
            return false;
        }
        BigDecimal number = number(new String(text, start, end - start, StandardCharsets.US_ASCII));
        return number != null && (number.compareTo(exact) == 0 || (rounded != null && number.compareTo(rounded) == 0));
    }

    private static @Nullable BigDecimal number(String text) {
        for (int i = 0; i < text.length(); i++) {
            if ("0123456789+-.eE".indexOf(text.charAt(i)) < 0) {
                return null;
            }
        }
        try {
            BigDecimal number = new BigDecimal(text);
            return Math.abs((long) number.scale()) > LARGEST_EXPONENT ? null : number;
        } catch (NumberFormatException notANumber) {
            return null;
        }
    }
}
