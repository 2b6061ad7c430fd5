package dev.postern.web.portal.view;

import dev.postern.json.CanonicalJson;
import dev.postern.json.JsonTokens;
import dev.postern.json.JsonTokens.Token;
import dev.postern.json.JsonValue;
import dev.postern.web.portal.view.Segment.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The arguments of a call as a person reads them: one row for each name and value, strings decoded, and the whole once more in
 * the canonical spelling that an approval binds. Nothing is cut (P8); a long value can be folded.
 *
 * @param exact RFC 8785, as it is hashed
 * @param warnings what deserves a second look, over all rows
 */
public record CallArguments(List<Row> rows, String exact, List<String> warnings) {
    /** Values longer than this, or of more lines than {@link #FOLDED_LINES}, are folded. */
    static final int FOLDED_CHARACTERS = 360;

    static final int FOLDED_LINES = 8;
    private static final int PREVIEW_CHARACTERS = 120;
    private static final int DEEPEST_INDENT = 8;

    /** Beyond these the marks in the text say the rest. */
    private static final int WARNINGS = 8;

    /**
     * One name and its value.
     *
     * @param level how deep it stands, for the style: 0 to 8
     * @param name empty for a value that has none
     * @param value empty for an object or a list that has rows of its own
     * @param isText whether the value is a string
     * @param summary where the value is folded: its beginning, and how long it is; else empty
     */
    public record Row(
            int level,
            List<Segment> name,
            List<Segment> value,
            boolean isText,
            boolean isContainer,
            String summary,
            String size) {
        public boolean isFolded() {
            return !summary.isEmpty();
        }
    }

    public CallArguments {
        rows = List.copyOf(rows);
        warnings = List.copyOf(warnings);
    }

    /** Reads a JSON text. */
    public static CallArguments of(byte[] json) {
        JsonValue value = JsonValue.parse(json);
        Set<String> warnings = new LinkedHashSet<>();
        List<Row> rows = rows(value, warnings);
        String exact = new String(CanonicalJson.of(value), StandardCharsets.UTF_8);
        return new CallArguments(rows, exact, warnings.stream().limit(WARNINGS).toList());
    }

    /** How many bytes the whole call would add to a page, roughly. */
    public int size() {
        return exact.length();
    }

    private static List<Row> rows(JsonValue value, Set<String> warnings) {
        List<Row> rows = new ArrayList<>();
        JsonTokens tokens = new JsonTokens(value);
        List<Segment> name = List.of();
        for (Token token = tokens.next(); token != Token.END; token = tokens.next()) {
            switch (token) {
                case NAME -> name = visible(tokens.value().string(), warnings);
                case STRING -> {
                    String text = tokens.value().string();
                    rows.add(row(tokens, label(name, tokens, tokens.depth()), visible(text, warnings), text));
                    name = List.of();
                }
                case SCALAR -> {
                    List<Segment> shown = List.of(Segment.plain(tokens.value().spelling()));
                    rows.add(new Row(
                            level(tokens.depth()), label(name, tokens, tokens.depth()), shown, false, false, "", ""));
                    name = List.of();
                }
                case OBJECT_START, ARRAY_START -> {
                    if (tokens.depth() > 1) {
                        rows.add(container(tokens, name, value.text()));
                    }
                    name = List.of();
                }
                case OBJECT_END, ARRAY_END, END -> {}
            }
        }
        return rows;
    }

    private static Row container(JsonTokens tokens, List<Segment> name, byte[] text) {
        int next = tokens.end();
        while (text[next] == ' ' || text[next] == '\n' || text[next] == '\r' || text[next] == '\t') {
            next++;
        }
        boolean isEmpty = text[next] == '}' || text[next] == ']';
        List<Segment> shown = isEmpty ? List.of(Segment.plain(text[next] == '}' ? "{}" : "[]")) : List.of();
        int depth = tokens.depth() - 1;
        return new Row(level(depth), label(name, tokens, depth), shown, false, !isEmpty, "", "");
    }

    /** A member's name, or the place in a list. */
    private static List<Segment> label(List<Segment> name, JsonTokens tokens, int depth) {
        return !name.isEmpty() || depth == 0 || tokens.isObject(depth - 1)
                ? name
                : List.of(Segment.plain((tokens.index(depth - 1) + 1) + "."));
    }

    private static Row row(JsonTokens tokens, List<Segment> name, List<Segment> value, String text) {
        long lines = text.chars().filter(unit -> unit == '\n').count() + 1;
        if (text.length() <= FOLDED_CHARACTERS && lines <= FOLDED_LINES) {
            return new Row(level(tokens.depth()), name, value, true, false, "", "");
        }
        return new Row(level(tokens.depth()), name, value, true, false, beginning(value), size(text, lines, value));
    }

    private static String beginning(List<Segment> value) {
        String whole = new VisibleText(value, List.of()).shown();
        int end = Math.min(PREVIEW_CHARACTERS, whole.length());
        if (end < whole.length() && Character.isHighSurrogate(whole.charAt(end - 1))) {
            end--;
        }
        return whole.substring(0, end).replace('\n', ' ') + "…";
    }

    /** What is folded away must not hide what matters. */
    private static String size(String text, long lines, List<Segment> value) {
        long references =
                value.stream().filter(piece -> piece.kind() == Kind.REFERENCE).count();
        long marked = value.stream().filter(piece -> !piece.isPlain()).count() - references;
        return String.format(Locale.ROOT, "%,d characters", text.length())
                + (lines > 1 ? String.format(Locale.ROOT, " in %,d lines", lines) : "")
                + (references > 0 ? ", " + references + (references == 1 ? " reference" : " references") : "")
                + (marked > 0 ? ", " + marked + " marked" : "");
    }

    /** The outermost object is the call itself, so its members stand at level 0. */
    private static int level(int depth) {
        return Math.clamp(depth - 1L, 0, DEEPEST_INDENT);
    }

    private static List<Segment> visible(String text, Set<String> warnings) {
        if (text.isEmpty()) {
            return List.of(new Segment(Kind.PLAIN, "", ""));
        }
        VisibleText visible = VisibleText.of(text);
        warnings.addAll(visible.warnings());
        return visible.segments();
    }
}
