package dev.postern.mcp.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a server sent as text. A server, and often its caller, chooses the charset it declares; read by a wrong one,
 * a value comes out garbled, unknown to the choke point, and can be turned back by whoever gets it. So what is UTF-8 is read as
 * UTF-8 whatever is declared, and only charsets that leave ASCII alone are taken at their word, and for no more than the
 * bytes that are not UTF-8.
 */
final class ResponseText {
    /** So many in a row are no chance. Values under eight characters are not looked for within an answer either (S9). */
    private static final int WIDE_CHARACTERS = 8;

    private ResponseText() {}

    /**
     * A body as text.
     *
     * @param declared the charset that the server declares; null if it declares none
     * @param cut whether the last character may be missing
     * @return null if it is no text that can be looked into
     */
    static @Nullable String body(byte[] body, @Nullable String declared, boolean cut) {
        String text = utf8(body, cut);
        if (text != null) {
            return text.indexOf('\0') >= 0 ? null : text;
        }
        Charset charset = declared == null ? null : singleByte(declared);
        return charset == null ? null : mixed(body, charset);
    }

    /**
     * Whether bytes hold text of two or four bytes a character, marked as such or plain to see. Whatever they are said to be, who gets them
     * reads it.
     */
    static boolean isOfWideCharacters(byte[] body) {
        boolean isMarked = body.length > 1
                && ((body[0] == (byte) 0xFE && body[1] == (byte) 0xFF)
                        || (body[0] == (byte) 0xFF && body[1] == (byte) 0xFE));
        return isMarked || longestOfWidth(body, 2) >= WIDE_CHARACTERS || longestOfWidth(body, 4) >= WIDE_CHARACTERS;
    }

    /** The most ASCII characters in a row of which each has zeros beside it, so many bytes in all. */
    private static int longestOfWidth(byte[] body, int width) {
        int longest = 0;
        for (int lead = 0; lead < width; lead++) {
            int run = 0;
            for (int at = lead; at + width <= body.length; at += width) {
                run = isAsciiAmongZeros(body, at, width) ? run + 1 : 0;
                longest = Math.max(longest, run);
            }
        }
        return longest;
    }

    private static boolean isAsciiAmongZeros(byte[] body, int at, int width) {
        for (int i = 1; i < width; i++) {
            if (body[at + i] != 0) {
                return false;
            }
        }
        return body[at] >= ' ';
    }

    /** A header's value: the client reads each byte as one character, whatever they were. */
    static String header(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) > 0xFF) {
                return value;
            }
        }
        return mixed(value.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.ISO_8859_1);
    }

    private static @Nullable String utf8(byte[] body, boolean cut) {
        for (int lost = 0; lost <= Math.min(cut ? 3 : 0, body.length); lost++) {
            String text = strictly(body, 0, body.length - lost);
            if (text != null) {
                return text;
            }
        }
        return null;
    }

    private static @Nullable String strictly(byte[] bytes, int from, int to) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, from, to - from))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** The charsets of one byte a character in which ASCII is ASCII; null for every other, and for unknown names. */
    private static @Nullable Charset singleByte(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        boolean known = lower.startsWith("iso-8859-")
                || lower.startsWith("windows-125")
                || lower.equals("latin1")
                || lower.equals("us-ascii");
        try {
            return known ? Charset.forName(name) : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Characters of UTF-8 where there are some, and single bytes elsewhere. */
    private static String mixed(byte[] bytes, Charset charset) {
        StringBuilder text = new StringBuilder(bytes.length);
        for (int at = 0; at < bytes.length; ) {
            int length = length(bytes[at]);
            String character = length > 1 && at + length <= bytes.length ? strictly(bytes, at, at + length) : null;
            if (character == null) {
                length = 1;
                character = bytes[at] >= 0 ? Character.toString(bytes[at]) : new String(bytes, at, 1, charset);
            }
            text.append(character);
            at += length;
        }
        return text.toString();
    }

    /** How many bytes a character of UTF-8 has that starts so. */
    private static int length(byte lead) {
        int b = lead & 0xFF;
        return b >= 0xF0 ? 4 : b >= 0xE0 ? 3 : b >= 0xC2 ? 2 : 1;
    }
}
