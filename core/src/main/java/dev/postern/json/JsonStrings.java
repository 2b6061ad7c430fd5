package dev.postern.json;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** The inside of JSON strings: decoding what stands between the quotes, and escaping what is to stand there. */
public final class JsonStrings {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private JsonStrings() {}

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
     * quote, backslash and the control characters.
     */
    public static byte[] escape(byte[] utf8) {
        ByteArrayOutputStream out = new WipingStream(utf8.length + 16);
        for (byte b : utf8) {
            switch (b) {
                case '"', '\\' -> {
                    out.write('\\');
                    out.write(b);
                }
                case '\n' -> escaped(out, 'n');
                case '\r' -> escaped(out, 'r');
                case '\t' -> escaped(out, 't');
                default -> {
                    if (b >= 0 && b < 0x20) {
                        escaped(out, 'u');
                        out.write('0');
                        out.write('0');
                        out.write(HEX[b >> 4]);
                        out.write(HEX[b & 0xF]);
                    } else {
                        out.write(b);
                    }
                }
            }
        }
        byte[] escaped = out.toByteArray();
        out.reset();
        return escaped;
    }

    /** A JSON string token, quotes included, for text of our own that holds no secret. */
    public static String quote(String text) {
        return '"' + new String(escape(text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8) + '"';
    }

    private static void escaped(ByteArrayOutputStream out, char kind) {
        out.write('\\');
        out.write(kind);
    }

    /** Its buffer may hold a secret value: reset wipes it. (Growth leaves copies to the collector, so size it well.) */
    private static final class WipingStream extends ByteArrayOutputStream {
        WipingStream(int size) {
            super(size);
        }

        @Override
        public synchronized void reset() {
            java.util.Arrays.fill(buf, (byte) 0);
            super.reset();
        }
    }
}
