package dev.postern.scrub;

import java.util.ArrayList;
import java.util.List;

/**
 * Looks closely at texts: for the values in them, and for those in the base64 and hex in them, four levels down.
 *
 * <p>Not thread-safe; one a message.
 */
final class Scan {
    private static final int DEPTH = 4;

    private final Search search;
    private final List<Level> levels = new ArrayList<>();

    private record Level(Readings readings, Matcher matcher, Blocks blocks) {}

    Scan(Search search) {
        this.search = search;
    }

    /**
     * Reports every place of {@code text[from, to)} that holds a value.
     *
     * @param head whether the text starts here, so that a value may have lost its first part before (S15)
     * @param tail whether the text ends here
     * @param opened whether to open base64 and hex
     */
    void text(byte[] text, int from, int to, boolean head, boolean tail, boolean opened, Matcher.Sink sink) {
        scan(0, text, from, to, head, tail, opened, sink);
    }

    private void scan(
            int depth, byte[] text, int from, int to, boolean head, boolean tail, boolean opened, Matcher.Sink sink) {
        if (depth == levels.size()) {
            EscapeReader reader = new EscapeReader(search.lineEndsVary(), search.decompositions());
            Matcher matcher = new Matcher(search.automaton(), search.heads(), reader);
            levels.add(new Level(reader.readings(), matcher, new Blocks(search.shortestEscaped())));
        }
        Level level = levels.get(depth);
        level.matcher.match(text, from, to, head, tail, sink);
        if (opened && depth < DEPTH) {
            level.blocks.open(
                    text,
                    from,
                    to,
                    level.readings,
                    sink,
                    (bytes, length, inner) -> scan(depth + 1, bytes, 0, length, true, true, true, inner));
        }
    }

    /** Forgets every text. */
    void clear() {
        levels.forEach(level -> level.matcher.clear());
    }
}
