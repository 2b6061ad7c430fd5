package dev.postern.testkit.leak;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** One step back each, over a whole text. What is no escape stays as it is. */
final class Decoders {
    private static final Pattern NO_HEX = Pattern.compile("[^0-9a-fA-F]+");

    private static final Map<String, Integer> ENTITIES = Map.ofEntries(
            Map.entry("amp", (int) '&'),
            Map.entry("lt", (int) '<'),
            Map.entry("gt", (int) '>'),
            Map.entry("quot", (int) '"'),
            Map.entry("apos", (int) '\''),
            Map.entry("nbsp", (int) ' '));

    private Decoders() {}

    /** JSON, JavaScript, C and shell: what follows a backslash. */
    static String backslash(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\\' || i + 1 == text.length()) {
                out.append(c);
                continue;
            }
            char kind = text.charAt(++i);
            int digits = kind == 'u' ? 4 : kind == 'x' ? 2 : 0;
            if (digits > 0 && hexAt(text, i + 1, digits) >= 0) {
                out.append((char) hexAt(text, i + 1, digits));
                i += digits;
            } else {
                out.append(
                        switch (kind) {
                            case 'n' -> '\n';
                            case 'r' -> '\r';
                            case 't' -> '\t';
                            case 'b' -> '\b';
                            case 'f' -> '\f';
                            default -> kind;
                        });
            }
        }
        return out.toString();
    }

    static String percent(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            if (c == '%' && hexAt(text, i + 1, 2) >= 0) {
                out.write(hexAt(text, i + 1, 2));
                i += 3;
            } else {
                out.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
                i += Character.charCount(c);
            }
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    static String html(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            int end = text.indexOf(';', i);
            int character = text.charAt(i) == '&' && end > i && end - i < 12 ? entity(text.substring(i + 1, end)) : -1;
            if (character >= 0) {
                out.appendCodePoint(character);
                i = end;
            } else {
                out.append(text.charAt(i));
            }
        }
        return out.toString();
    }

    private static int entity(String name) {
        try {
            int character = -1;
            if (name.startsWith("#x") || name.startsWith("#X")) {
                character = Integer.parseInt(name.substring(2), 16);
            } else if (name.startsWith("#")) {
                character = Integer.parseInt(name.substring(1));
            } else {
                character = ENTITIES.getOrDefault(name, -1);
            }
            return Character.isValidCodePoint(character) ? character : -1;
        } catch (NumberFormatException noNumber) {
            return -1;
        }
    }

    static boolean isBase64(char c) {
        return sextet(c) >= 0;
    }

    /** Either alphabet, from the given character on; bits left over at the end are dropped. */
    static String base64(byte[] run, int phase) {
        byte[] out = new byte[run.length];
        int length = 0;
        int bits = 0;
        int held = 0;
        for (int i = phase; i < run.length; i++) {
            bits = bits * 64 + sextet((char) run[i]);
            held += 6;
            if (held >= 8) {
                held -= 8;
                out[length++] = (byte) (bits >> held);
                bits %= 1 << held;
            }
        }
        return new String(out, 0, length, StandardCharsets.UTF_8);
    }

    /** Every stretch of hex digits in the run, decoded. */
    static List<String> hex(byte[] run, int phase) {
        List<String> decoded = new ArrayList<>();
        String text = new String(run, StandardCharsets.ISO_8859_1);
        for (String digits : NO_HEX.split(text, -1)) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            for (int i = phase; i + 2 <= digits.length(); i += 2) {
                out.write(hexAt(digits, i, 2));
            }
            if (out.size() >= 4) {
                decoded.add(out.toString(StandardCharsets.UTF_8));
            }
        }
        return decoded;
    }

    private static int sextet(char c) {
        if (c >= 'A' && c <= 'Z') {
            return c - 'A';
        }
        if (c >= 'a' && c <= 'z') {
            return c - 'a' + 26;
        }
        if (c >= '0' && c <= '9') {
            return c - '0' + 52;
        }
        return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
    }

    private static int hexAt(String text, int at, int digits) {
        if (at + digits > text.length()) {
            return -1;
        }
        int value = 0;
        for (int i = at; i < at + digits; i++) {
            int digit = Character.digit(text.charAt(i), 16);
            if (digit < 0 || text.charAt(i) > 'f') {
                return -1;
            }
            value = value * 16 + digit;
        }
        return value;
    }
}
