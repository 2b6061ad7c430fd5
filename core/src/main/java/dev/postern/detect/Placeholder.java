package dev.postern.detect;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Values that stand where a secret goes and are none: references, variables, hashes, masks, the words of examples. */
final class Placeholder {
    /** Longer values are secrets or nothing; only this much of them is read. */
    private static final int WINDOW = 128;

    private static final int MAX_WORD = 24;
    private static final int MAX_HASH_NAME = 12;

    /** In any value. */
    private static final List<byte[]> MARKS = marks(
            "${",
            "{{",
            "$(",
            "<%",
            "[redacted",
            "[secret:",
            "changeme",
            "change_me",
            "change-me",
            "placeholder",
            "example",
            "redacted",
            "xxxx",
            "****",
            "....",
            "your-",
            "your_");
    /** In a value that only its name speaks for. */
    private static final List<byte[]> WEAK_MARKS = marks(
            "xxx",
            "***",
            "...",
            "changeit",
            "insert_",
            "insert-",
            "replace",
            "process.env",
            "environ",
            "notareal",
            "not-a-real",
            "dummy",
            "###",
            "%s",
            "todo");

    private static final ByteSet MARK_STARTS = starts(MARKS, WEAK_MARKS);

    private static final Set<String> WORDS = Set.of(
            "null",
            "none",
            "nil",
            "undefined",
            "true",
            "false",
            "string",
            "password",
            "passwd",
            "passphrase",
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
            "key",
            "pass",
            "pwd",
            "user",
            "username",
            "email",
            "name",
            "uuid",
            "foo",
            "bar",
            "foobar",
            "test",
            "testing",
            "invalid",
            "wrong",
            "sample",
            "unset",
            "bearer",
            "basic",
            "oauth",
            "code",
            "refresh",
            "access",
            "private",
            "public",
            "credential",
            "credentials",
            "login",
            "client",
            "server",
            "remove",
            "specify",
            "utf-8",
            "utf8",
            "accesstoken",
            "authtoken",
            "authkey",
            "keyauth",
            "bytes",
            "text",
            "enter",
            "unused",
            "disabled",
            "enabled",
            "automatic",
            "auto");

    private Placeholder() {}

    /** Whether the value {@code [start, end)} is none by its name's word alone; strict, for values without a form. */
    static boolean is(byte[] text, int start, int end) {
        int stop = Math.min(end, start + WINDOW);
        byte first = text[start];
        byte last = text[end - 1];
        if ((first == '$' && isVariableOrHash(text, start, stop))
                || (first == '%' && last == '%')
                || first == '<'
                || (first == '[' && last == ']')
                || (first == '@' && last == '@')) {
            return true;
        }
        return isOneCharacter(text, start, stop)
                || hasMark(MARKS, text, start, stop)
                || hasMark(WEAK_MARKS, text, start, stop)
                || isWord(text, start, end);
    }

    /** Whether an example's mark stands in {@code [start, end)}; for values whose form alone is convincing. */
    static boolean isExample(byte[] text, int start, int end) {
        int stop = Math.min(end, start + WINDOW);
        return isOneCharacter(text, start, stop) || hasMark(MARKS, text, start, stop);
    }

    /** {@code $NAME}, or {@code $6$…} and its like: crypt's notation for a salted hash. */
    private static boolean isVariableOrHash(byte[] text, int start, int stop) {
        if (stop - start < 2 || Ascii.isLetter(text[start + 1]) || text[start + 1] == '_') {
            return true;
        }
        for (int at = start + 1; at < Math.min(stop, start + MAX_HASH_NAME); at++) {
            if (text[at] == '$') {
                return at > start + 1;
            }
            if (!Ascii.isAlphanumeric(text[at])) {
                return false;
            }
        }
        return false;
    }

    private static boolean isOneCharacter(byte[] text, int start, int stop) {
        for (int at = start + 1; at < stop; at++) {
            if (text[at] != text[start]) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasMark(List<byte[]> marks, byte[] text, int start, int stop) {
        for (int at = start; at < stop; at++) {
            byte b = Ascii.lower(text[at]);
            if (!MARK_STARTS.contains(b)) {
                continue;
            }
            for (byte[] mark : marks) {
                if (b == mark[0] && Ascii.regionMatches(text, at, stop, mark)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** One of the words, {@code my} or {@code your} before it and a number after it allowed. */
    private static boolean isWord(byte[] text, int start, int end) {
        if (end - start > MAX_WORD) {
            return false;
        }
        int stop = end;
        while (stop > start && Ascii.isDigit(text[stop - 1])) {
            stop--;
        }
        StringBuilder letters = new StringBuilder();
        for (byte b : Arrays.copyOfRange(text, start, stop)) {
            if (b != '_' && b != '-') {
                letters.append((char) Ascii.lower(b));
            }
        }
        String word = letters.toString();
        for (String prefix : List.of("", "my", "your", "some", "new", "old", "the")) {
            if (word.startsWith(prefix) && WORDS.contains(word.substring(prefix.length()))) {
                // A number makes `password2` a placeholder still, but `password1984` somebody's choice.
                return end - stop <= 2;
            }
        }
        return false;
    }

    @SafeVarargs
    private static ByteSet starts(List<byte[]>... lists) {
        ByteSet starts = new ByteSet();
        for (List<byte[]> marks : lists) {
            marks.forEach(mark -> starts.add(mark[0]));
        }
        return starts;
    }

    private static List<byte[]> marks(String... marks) {
        return Arrays.stream(marks).map(Ascii::bytes).toList();
    }
}
