package dev.postern.mcp.wire;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Text in an HTTP header that mirrors a part of the body: as it is where that is safe, else
 * <code>=?base64?…?=</code> (2026-07-28, Streamable HTTP, section "Value Encoding"). Pure functions.
 */
public final class HeaderValue {
    private static final String PREFIX = "=?base64?";
    private static final String SUFFIX = "?=";

    private HeaderValue() {}

    /** The header's value for a text. */
    public static String encode(String text) {
        if (isPlain(text)) {
            return text;
        }
        return PREFIX + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)) + SUFFIX;
    }

    /** The text a header's value stands for; null if it starts and ends as an encoded one and is none. */
    public static @Nullable String decode(String value) {
        if (!isEncoded(value)) {
            return value;
        }
        try {
            String coded = value.substring(PREFIX.length(), value.length() - SUFFIX.length());
            // The decoder would take missing padding.
            return coded.length() % 4 == 0
                    ? new String(Base64.getDecoder().decode(coded), StandardCharsets.UTF_8)
                    : null;
        } catch (IllegalArgumentException notBase64) {
            return null;
        }
    }

    private static boolean isPlain(String text) {
        if (text.isEmpty()) {
            return true;
        }
        if (isEncoded(text) || isBlank(text.charAt(0)) || isBlank(text.charAt(text.length() - 1))) {
            return false;
        }
        return text.chars().allMatch(c -> (c >= 0x20 && c <= 0x7E) || c == '\t');
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    private static boolean isEncoded(String text) {
        return text.length() >= PREFIX.length() + SUFFIX.length() && text.startsWith(PREFIX) && text.endsWith(SUFFIX);
    }
}
