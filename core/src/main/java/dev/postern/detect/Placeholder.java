package dev.postern.detect;

import java.util.List;
import java.util.Set;

/** Values that stand where a secret goes and are none: references, variables, masks, and the words of examples. */
final class Placeholder {
    /** Longer values are secrets or nothing; only this much of them is read. */
    private static final int WINDOW = 256;

    private static final List<byte[]> MARKERS = List.of(
            Ascii.bytes("${"),
            Ascii.bytes("{{"),
            Ascii.bytes("$("),
            Ascii.bytes("<%"),
            Ascii.bytes("[redacted"),
            Ascii.bytes("[secret:"),
            Ascii.bytes("changeme"),
            Ascii.bytes("change_me"),
            Ascii.bytes("change-me"),
            Ascii.bytes("changeit"),
            Ascii.bytes("placeholder"),
            Ascii.bytes("example"),
            Ascii.bytes("redacted"),
            Ascii.bytes("xxxx"),
            Ascii.bytes("****"),
            Ascii.bytes("...."),
            Ascii.bytes("your-"),
            Ascii.bytes("your_"),
            Ascii.bytes("insert_"),
            Ascii.bytes("insert-"),
            Ascii.bytes("replace_"),
            Ascii.bytes("replace-"),
            Ascii.bytes("process.env"),
            Ascii.bytes("os.environ"),
            Ascii.bytes("not-a-real"),
            Ascii.bytes("todo"));
    private static final Set<String> WORDS = Set.of(
            "pass",
            "pwd",
            "user",
            "foo",
            "bar",
            "foobar",
            "null",
            "none",
            "nil",
            "undefined",
            "true",
            "false",
            "string",
            "password",
            "secret",
            "token",
            "value",
            "empty",
            "optional",
            "required",
            "integer",
            "number",
            "boolean",
            "object",
            "masked",
            "hidden",
            "unknown",
            "default",
            "apikey",
            "api_key");

    private Placeholder() {}

    static boolean is(byte[] text, int start, int end) {
        int stop = Math.min(end, start + WINDOW);
        byte first = text[start];
        byte last = text[end - 1];
        if ((first == '$' && (stop - start < 2 || Ascii.isLetter(text[start + 1]) || text[start + 1] == '_'))
                || (first == '%' && last == '%')
                || (first == '<' && (last == '>' || (end < text.length && text[end] == '>')))
                || (first == '[' && last == ']')) {
            return true;
        }
        return isOneCharacter(text, start, stop) || hasMarker(text, start, stop) || isWord(text, start, end);
    }

    /** Whether an example's mark stands in {@code [start, end)}; for values whose form alone is convincing. */
    static boolean isExample(byte[] text, int start, int end) {
        int stop = Math.min(end, start + WINDOW);
        return isOneCharacter(text, start, stop) || hasMarker(text, start, stop);
    }

    private static boolean isOneCharacter(byte[] text, int start, int stop) {
        for (int at = start + 1; at < stop; at++) {
            if (text[at] != text[start]) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasMarker(byte[] text, int start, int stop) {
        for (int at = start; at < stop; at++) {
            for (byte[] marker : MARKERS) {
                if (Ascii.lower(text[at]) == marker[0] && Ascii.regionMatches(text, at, stop, marker)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isWord(byte[] text, int start, int end) {
        return end - start <= 16
                && WORDS.contains(Ascii.string(Ascii.lower(java.util.Arrays.copyOfRange(text, start, end))));
    }
}
