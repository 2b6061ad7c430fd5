package dev.postern.scrub;

import java.util.ArrayList;
import java.util.List;

/**
 * Looks through one text: for the values in it, and for those in the base64 and hex in it, four levels down.
 *
 * <p>Not thread-safe; one a message.
 */
final class Scan {
    private static final int DEPTH = 4;

    private final Automaton automaton;
    private final Heads heads;
    private final boolean lineEndsVary;
    private final Decompositions decompositions;
    private final int shortestValue;
    private final List<Level> levels = new ArrayList<>();

    private record Level(Readings readings, Matcher matcher, Blocks blocks) {}

    Scan(Automaton automaton, Heads heads, boolean lineEndsVary, Decompositions decompositions, int shortestValue) {
        this.shortestValue = shortestValue;
        this.automaton = automaton;
        this.heads = heads;
        this.lineEndsVary = lineEndsVary;
        this.decompositions = decompositions;
    }

    /** Reports every place of {@code text[from, to)} that holds a value or, at its edges, enough of one. */
    void text(byte[] text, int from, int to, Matcher.Sink sink) {
        scan(0, text, from, to, sink);
    }

    private void scan(int depth, byte[] text, int from, int to, Matcher.Sink sink) {
        if (depth == levels.size()) {
            Readings readings = new Readings(lineEndsVary, decompositions);
            levels.add(new Level(readings, new Matcher(automaton, heads, readings), new Blocks(shortestValue)));
        }
        Level level = levels.get(depth);
        level.matcher.match(text, from, to, true, true, sink);
        if (depth < DEPTH) {
            level.blocks.open(
                    text,
                    from,
                    to,
                    level.readings,
                    sink,
                    (bytes, length, inner) -> scan(depth + 1, bytes, 0, length, inner));
        }
    }

    /** Forgets every text. */
    void clear() {
        levels.forEach(level -> level.matcher.clear());
    }
}
