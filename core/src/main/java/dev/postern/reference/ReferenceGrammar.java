package dev.postern.reference;

import dev.postern.reference.Reference.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The grammar of rules R1 and R2 over decoded text:
 *
 * <pre>
 * reference = "{{" ( "vault:" NAME [ "#" field ] / "secret:" UUID [ "." field ] ) *( "|" filter ) "}}"
 * </pre>
 *
 * Two braces, a kind and a colon are the marker. From the marker on, what follows is a reference or a mistake (R4): a
 * reader never goes past one in the hope of something better.
 */
final class ReferenceGrammar {
    private static final int MAX_NAME_LENGTH = 64;
    private static final int UUID_LENGTH = 36;

    private final String text;
    private final int start;
    private int at;

    private ReferenceGrammar(String text, int start) {
        this.text = text;
        this.start = start;
    }

    /** A reference and the offset just past it. */
    record Found(Reference reference, int end) {}

    /** Whether a marker starts at {@code at}. */
    static boolean isMarker(String text, int at) {
        return text.startsWith("{{", at) && kind(text, at) != null;
    }

    /** Where the next marker starts, or -1. */
    static int nextMarker(String text, int from) {
        int at = text.indexOf("{{", from);
        while (at >= 0 && kind(text, at) == null) {
            at = text.indexOf("{{", at + 1);
        }
        return at;
    }

    /**
     * Reads the reference at a marker.
     *
     * @throws ReferenceException without a pointer, if what stands there is none
     */
    static Found read(String text, int marker) {
        return new ReferenceGrammar(text, marker).read();
    }

    /** The kind at two braces, matched without case, in ASCII alone: no look-alike of another script is a letter here. */
    private static @Nullable Kind kind(String text, int braces) {
        for (Kind kind : Kind.values()) {
            String label = kind.label();
            int at = braces + 2;
            int i = 0;
            while (i < label.length() && at < text.length() && (text.charAt(at) | 0x20) == label.charAt(i)) {
                at++;
                i++;
            }
            if (i == label.length() && at < text.length() && text.charAt(at) == ':') {
                return kind;
            }
        }
        return null;
    }

    private Found read() {
        Kind kind = kind(text, start);
        if (kind == null) {
            throw fail("the text is not a reference");
        }
        at = start + 2 + kind.label().length() + 1;
        String name = kind == Kind.VAULT ? name() : uuid();
        Field field = skip(kind == Kind.VAULT ? '#' : '.') ? field() : Field.PASSWORD;
        List<Filter> filters = new ArrayList<>(0);
        while (skip('|')) {
            Filter filter = Filter.labelled(word());
            if (filter == null) {
                throw fail("the filter is none of uri, base64, json, shell, basic");
            }
            if (filters.size() == Reference.MAX_FILTERS) {
                throw fail("the reference has more than " + Reference.MAX_FILTERS + " filters");
            }
            filters.add(filter);
        }
        if (!text.startsWith("}}", at)) {
            throw fail(
                    text.indexOf("}}", at) < 0
                            ? "the reference is not closed by two braces"
                            : "the reference holds a character that cannot stand there");
        }
        return new Found(new Reference(kind, name, field, filters), at + 2);
    }

    private String name() {
        int from = at;
        while (at < text.length() && isNameCharacter(text.charAt(at))) {
            at++;
        }
        if (at == from) {
            throw fail("the name is missing, or starts with none of a-z 0-9 _ . -");
        }
        if (at - from > MAX_NAME_LENGTH) {
            throw fail("the name is longer than " + MAX_NAME_LENGTH + " characters");
        }
        return text.substring(from, at);
    }

    private String uuid() {
        int to = Math.min(text.length(), at + UUID_LENGTH);
        String uuid = text.substring(at, to).toLowerCase(Locale.ROOT);
        if (!isUuid(uuid)) {
            throw fail("the id is not a UUID");
        }
        at = to;
        return uuid;
    }

    private Field field() {
        Field field = Field.labelled(word());
        if (field == null) {
            throw fail("the field is none of password, username, notes");
        }
        return field;
    }

    /** A run of letters and digits, read no further than any label is long. */
    private String word() {
        int from = at;
        while (at < text.length() && at - from < MAX_NAME_LENGTH && isWordCharacter(text.charAt(at))) {
            at++;
        }
        return text.substring(from, at);
    }

    private boolean skip(char expected) {
        if (at < text.length() && text.charAt(at) == expected) {
            at++;
            return true;
        }
        return false;
    }

    private ReferenceException fail(String reason) {
        return new ReferenceException("", start, candidateEnd(text, start) - start, reason);
    }

    /** A candidate reaches to the next closing braces, or else to the end of the text. */
    static int candidateEnd(String text, int marker) {
        int close = text.indexOf("}}", marker);
        return close < 0 ? text.length() : close + 2;
    }

    static boolean isName(String name) {
        return !name.isEmpty()
                && name.length() <= MAX_NAME_LENGTH
                && name.chars().allMatch(c -> isNameCharacter((char) c));
    }

    private static boolean isNameCharacter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
    }

    private static boolean isWordCharacter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    /** 8-4-4-4-12 hex digits in lower case. */
    static boolean isUuid(String text) {
        if (text.length() != UUID_LENGTH) {
            return false;
        }
        for (int i = 0; i < UUID_LENGTH; i++) {
            char c = text.charAt(i);
            boolean hyphen = i == 8 || i == 13 || i == 18 || i == 23;
            if (hyphen ? c != '-' : !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
                return false;
            }
        }
        return true;
    }
}
