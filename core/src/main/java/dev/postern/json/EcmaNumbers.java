package dev.postern.json;

import java.math.BigDecimal;

/** Numbers as ECMAScript's {@code Number.prototype.toString} spells them (ECMA-262, section 6.1.6.1.20). */
final class EcmaNumbers {
    private EcmaNumbers() {}

    /** The spelling of a finite double. Its digits are those of {@link Double#toString}: the fewest that tell it. */
    static String format(double number) {
        if (number == 0) {
            return "0";
        }
        BigDecimal shortest = new BigDecimal(Double.toString(Math.abs(number))).stripTrailingZeros();
        String digits = shortest.unscaledValue().toString();
        // The number is 0.digits × 10^point.
        int point = digits.length() - shortest.scale();
        StringBuilder spelling = new StringBuilder(number < 0 ? "-" : "");
        if (digits.length() <= point && point <= 21) {
            spelling.append(digits).append("0".repeat(point - digits.length()));
        } else if (0 < point && point <= 21) {
            spelling.append(digits, 0, point).append('.').append(digits, point, digits.length());
        } else if (-6 < point && point <= 0) {
            spelling.append("0.").append("0".repeat(-point)).append(digits);
        } else {
            spelling.append(digits.charAt(0));
            if (digits.length() > 1) {
                spelling.append('.').append(digits, 1, digits.length());
            }
            spelling.append('e').append(point > 0 ? '+' : '-').append(Math.abs(point - 1));
        }
        return spelling.toString();
    }
}
