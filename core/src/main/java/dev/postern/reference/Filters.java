package dev.postern.reference;

import dev.postern.json.JsonStrings;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shapes a value for the text it goes into (R2). Every array in between is wiped. Thread-safe. */
public final class Filters {
    /** What a value may measure after each filter, in bytes: filters repeated can make a little very long. */
    public static final int MAX_FILTERED_BYTES = 1 << 20;

    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

    private Filters() {}

    /**
     * Applies the filters from left to right and returns the outcome, which the caller closes; a copy if there are no
     * filters. The value may be any bytes, unless {@link Filter#JSON} is to escape it.
     *
     * @param username of the same secret; only {@link Filter#BASIC} reads it
     * @throws ReferenceException if a filter cannot take what it is given
     */
    public static SecretValue apply(List<Filter> filters, SecretValue value, @Nullable SecretValue username) {
        byte[] bytes = value.reveal(Reveal.TO_DELIVER);
        try {
            for (Filter filter : filters) {
                byte[] filtered = apply(filter, bytes, username);
                Arrays.fill(bytes, (byte) 0);
                bytes = filtered;
                if (bytes.length > MAX_FILTERED_BYTES) {
                    throw new ReferenceException("a filter makes the value longer than it may be");
                }
            }
            return new SecretValue(bytes);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private static byte[] apply(Filter filter, byte[] bytes, @Nullable SecretValue username) {
        return switch (filter) {
            case URI -> uri(bytes);
            case BASE64 -> Base64.getEncoder().encode(bytes);
            case JSON -> json(bytes);
            case SHELL -> shell(bytes);
            case BASIC -> basic(bytes, username);
        };
    }

    private static byte[] uri(byte[] bytes) {
        int length = 0;
        for (byte b : bytes) {
            length += isUnreserved(b) ? 1 : 3;
        }
        byte[] encoded = new byte[length];
        int at = 0;
        for (byte b : bytes) {
            if (isUnreserved(b)) {
                encoded[at++] = b;
            } else {
                encoded[at++] = '%';
                encoded[at++] = HEX[b >> 4 & 0xF];
                encoded[at++] = HEX[b & 0xF];
            }
        }
        return encoded;
    }

    private static boolean isUnreserved(byte b) {
        return (b >= 'a' && b <= 'z')
                || (b >= 'A' && b <= 'Z')
                || (b >= '0' && b <= '9')
                || b == '-'
                || b == '.'
                || b == '_'
                || b == '~';
    }

    private static byte[] json(byte[] bytes) {
        if (!Utf8.isValid(bytes)) {
            throw new ReferenceException("the json filter takes text, and the value is not UTF-8");
        }
        return JsonStrings.escape(bytes);
    }

    /** Between single quotes only the quote itself is special: it closes, stands escaped, and opens again. */
    private static byte[] shell(byte[] bytes) {
        int length = 2;
        for (byte b : bytes) {
            if (b == 0) {
                throw new ReferenceException("the value holds a NUL, which no shell word can");
            }
            length += b == '\'' ? 4 : 1;
        }
        byte[] quoted = new byte[length];
        int at = 0;
        quoted[at++] = '\'';
        for (byte b : bytes) {
            quoted[at++] = b;
            if (b == '\'') {
                quoted[at++] = '\\';
                quoted[at++] = '\'';
                quoted[at++] = '\'';
            }
        }
        quoted[at] = '\'';
        return quoted;
    }

    private static byte[] basic(byte[] bytes, @Nullable SecretValue username) {
        if (username == null || username.length() == 0) {
            throw new ReferenceException("the basic filter needs a username, and the secret has none");
        }
        byte[] user = username.reveal(Reveal.TO_DELIVER);
        byte[] pair = Arrays.copyOf(user, user.length + 1 + bytes.length);
        try {
            for (byte b : user) {
                if (b == ':') {
                    throw new ReferenceException("the username holds a colon, which the basic filter cannot take");
                }
            }
            pair[user.length] = ':';
            System.arraycopy(bytes, 0, pair, user.length + 1, bytes.length);
            return Base64.getEncoder().encode(pair);
        } finally {
            Arrays.fill(user, (byte) 0);
            Arrays.fill(pair, (byte) 0);
        }
    }
}
