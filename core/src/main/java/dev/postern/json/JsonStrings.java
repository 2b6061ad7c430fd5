package dev.postern.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The inside of JSON strings: decoding what stands between the quotes, and escaping what is to stand there. */
public final class JsonStrings {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long EACH_BYTE = 0x0101010101010101L;
    private static final long HIGH_BITS = EACH_BYTE << 7;

    private JsonStrings() {}

    /**
     * The first place in {@code text[from, to)} of a byte that is not plain inside a string: a quote, a backslash, a control
     * character or part of a character beyond ASCII; {@code to} if there is none. Looks at eight bytes at a time.
     */
    public static int plainEnd(byte[] text, int from, int to) {
        int at = from;
        for (; at <= to - 8; at += 8) {
            long bytes = (long) LONG.get(text, at);
            long quotes = bytes ^ EACH_BYTE * '"';
            long backslashes = bytes ^ EACH_BYTE * '\\';
            // A subtraction borrows in the bytes it is meant to find, and past them, so the lowest one found is right.
            long found =
                    (bytes | (bytes - EACH_BYTE * 0x20) | (quotes - EACH_BYTE) | (backslashes - EACH_BYTE)) & HIGH_BITS;
            if (found != 0) {
                return at + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        while (at < to && text[at] >= 0x20 && text[at] != '"' && text[at] != '\\') {
            at++;
        }
        return at;
    }

    /** Decodes the well-formed content {@code text[start, end)} of a string token, quotes excluded. */
    static String decode(byte[] text, int start, int end) {
        StringBuilder decoded = new StringBuilder(end - start);
        int run = start;
        int at = start;
        while (at < end) {
            if (text[at] != '\\') {
                at++;
                continue;
            }
            decoded.append(new String(text, run, at - run, StandardCharsets.UTF_8));
            byte kind = text[at + 1];
            if (kind == 'u') {
                decoded.append((char) hex(text, at + 2));
                at += 6;
            } else {
                decoded.append((char) unescape(kind));
                at += 2;
            }
            run = at;
        }
        return decoded.append(new String(text, run, end - run, StandardCharsets.UTF_8))
                .toString();
    }

    static boolean equal(byte[] text, int start, int end, String expected) {
        for (int at = start, i = 0; ; at++, i++) {
            if (at == end || i == expected.length()) {
                return at == end && i == expected.length();
            }
            if (text[at] == '\\' || text[at] < 0 || expected.charAt(i) > 0x7F) {
                return decode(text, start, end).equals(expected);
            }
            if (text[at] != expected.charAt(i)) {
                return false;
            }
        }
    }

    /** The byte a two-character escape stands for. */
    static int unescape(byte kind) {
        return switch (kind) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> kind;
        };
    }

    static int hex(byte[] text, int at) {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            value = value << 4 | Character.digit(text[at + i], 16);
        }
        return value;
    }

    /**
     * Escapes UTF-8 so that it can stand between the quotes of a JSON string. Only what RFC 8259 demands is escaped:
     * quote, backslash and the control characters. Leaves no copy behind but the one returned, so that a secret value's
     * can be wiped.
     */
    public static byte[] escape(byte[] utf8) {
        int length = 0;
        for (byte b : utf8) {
            length += escapedLength(b);
        }
        byte[] escaped = new byte[length];
        int at = 0;
        for (byte b : utf8) {
            int width = escapedLength(b);
            if (width > 1) {
                escaped[at] = '\\';
                escaped[at + 1] = shortEscape(b);
            }
            if (width == 6) {
                escaped[at + 2] = '0';
                escaped[at + 3] = '0';
                escaped[at + 4] = HEX[b >> 4];
                escaped[at + 5] = HEX[b & 0xF];
            } else if (width == 1) {
                escaped[at] = b;
            }
            at += width;
        }
        return escaped;
    }

    private static int escapedLength(byte b) {
        return b < 0 || (b >= 0x20 && b != '"' && b != '\\') ? 1 : shortEscape(b) == 'u' ? 6 : 2;
    }

    private static byte shortEscape(byte b) {
        return switch (b) {
            case '"', '\\' -> b;
            case '\b' -> 'b';
            case '\f' -> 'f';
            case '\n' -> 'n';
            case '\r' -> 'r';
            case '\t' -> 't';
            default -> 'u';
        };
    }

    /**
     * The UTF-8 bytes a JSON string stands for: what {@link JsonValue#string()} says, for text that may hold a secret.
     * The caller wipes them. A surrogate without its partner, which UTF-8 cannot say, becomes {@code ?}.
     *
     * @throws IllegalStateException if the value is no string
     */
    public static byte[] unescape(JsonValue value) {
        if (!value.is(JsonValue.Kind.STRING)) {
            throw new IllegalStateException("not a JSON string");
        }
        byte[] text = value.text();
        int end = value.end() - 1;
        byte[] decoded = new byte[end - value.start() - 1];
        int length = unescape(text, value.start() + 1, end, decoded, null);
        byte[] unescaped = Arrays.copyOf(decoded, length);
        Arrays.fill(decoded, (byte) 0);
        return unescaped;
    }

    /**
     * Decodes the well-formed content {@code text[start, end)} of a string token, as {@link #unescape(JsonValue)} does.
     *
     * @param decoded takes the bytes; {@code end - start} are enough, since no escape is shorter than what it stands for
     * @param sources if given, takes for each decoded byte where in {@code text} it came from, and {@code end} after the last
     * @return how many bytes were decoded
     */
    public static int unescape(byte[] text, int start, int end, byte[] decoded, int @Nullable [] sources) {
        int length = 0;
        int at = start;
        while (at < end) {
            int from = at;
            int before = length;
            if (text[at] != '\\') {
                // A byte beyond ASCII is copied by itself.
                int run = Math.max(1, plainEnd(text, at, end) - at);
                System.arraycopy(text, at, decoded, length, run);
                for (int i = 0; sources != null && i < run; i++) {
                    sources[length + i] = at + i;
                }
                length += run;
                at += run;
                continue;
            }
            if (text[at + 1] != 'u') {
                decoded[length++] = (byte) unescape(text[at + 1]);
                at += 2;
            } else {
                int c = hex(text, at + 2);
                at += 6;
                if (Character.isHighSurrogate((char) c) && at < end && text[at] == '\\' && text[at + 1] == 'u') {
                    int low = hex(text, at + 2);
                    if (Character.isLowSurrogate((char) low)) {
                        c = Character.toCodePoint((char) c, (char) low);
                        at += 6;
                    }
                }
                length = utf8(decoded, length, c);
            }
            if (sources != null) {
                Arrays.fill(sources, before, length, from);
            }
        }
        if (sources != null) {
            sources[length] = end;
        }
        return length;
    }

    private static int utf8(byte[] out, int at, int c) {
        if (c < 0x80) {
            out[at] = (byte) c;
            return at + 1;
        }
        if (c < 0x800) {
            out[at] = (byte) (0xC0 | (c >> 6));
            out[at + 1] = (byte) (0x80 | (c & 0x3F));
            return at + 2;
        }
        if (c >= 0xD800 && c < 0xE000) {
            out[at] = '?';
            return at + 1;
        }
        if (c < 0x10000) {
            out[at] = (byte) (0xE0 | (c >> 12));
            out[at + 1] = (byte) (0x80 | ((c >> 6) & 0x3F));
            out[at + 2] = (byte) (0x80 | (c & 0x3F));
            return at + 3;
        }
        out[at] = (byte) (0xF0 | (c >> 18));
        out[at + 1] = (byte) (0x80 | ((c >> 12) & 0x3F));
        out[at + 2] = (byte) (0x80 | ((c >> 6) & 0x3F));
        out[at + 3] = (byte) (0x80 | (c & 0x3F));
        return at + 4;
    }

    /** A JSON string token, quotes included, for text of our own that holds no secret. */
    public static String quote(String text) {
        return '"' + new String(escape(text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8) + '"';
    }
}
