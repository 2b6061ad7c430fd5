package dev.postern.detect;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A compiled verifier: what must stand at an anchor for a rule to match. Possessive throughout: a run takes as much as
 * it may and gives nothing back, a group commits to its first alternative that matches. So one attempt costs at most
 * the pattern's own size, however the text is made: short runs are bounded, long ones are read once and remembered
 * ({@link Match}). The notation is that of {@link PatternParser}. Immutable and thread-safe.
 */
final class Pattern {
    /** The result of an attempt that failed. */
    static final int NONE = -1;

    private final Node root;

    Pattern(Node root) {
        this.root = root;
    }

    /**
     * Tries the pattern at {@code at}, reading no further than {@code limit}.
     *
     * @return the end of the match, or {@link #NONE}; the marked part is in {@link Match#secretStart}
     */
    int match(Match match, int at, int limit) {
        match.secretStart = NONE;
        match.secretEnd = NONE;
        match.judgedStart = NONE;
        match.judgedEnd = NONE;
        return root.match(match, at, limit);
    }

    /** The alphabet of the last run, if the pattern ends in one: a longer run would be another kind of word. */
    @Nullable
    ByteSet lastAlphabet() {
        return root.lastAlphabet();
    }

    Node root() {
        return root;
    }

    /** The literals a match can begin with, in lower case; empty if it does not begin with one. */
    List<String> prefixes() {
        return root.prefixes();
    }

    /** One part of a pattern. */
    interface Node {
        int match(Match match, int at, int limit);

        default @Nullable ByteSet lastAlphabet() {
            return null;
        }

        default List<String> prefixes() {
            return List.of();
        }
    }

    /** Exact bytes. */
    static final class Literal implements Node {
        private final byte[] lower;
        private final byte[] upper;

        Literal(byte[] bytes, boolean foldCase) {
            lower = foldCase ? Ascii.lower(bytes) : bytes;
            upper = foldCase ? Ascii.upper(bytes) : bytes;
        }

        @Override
        public int match(Match match, int at, int limit) {
            if (at + lower.length > limit) {
                return NONE;
            }
            byte[] text = match.text();
            for (int i = 0; i < lower.length; i++) {
                byte b = text[at + i];
                if (b != lower[i] && b != upper[i]) {
                    return NONE;
                }
            }
            return at + lower.length;
        }

        /** Each byte as a run of one. */
        List<Run> runs() {
            List<Run> runs = new ArrayList<>();
            for (int i = 0; i < lower.length; i++) {
                runs.add(new Run(lower[i], upper[i]));
            }
            return runs;
        }

        @Override
        public List<String> prefixes() {
            return List.of(Ascii.string(Ascii.lower(lower)));
        }
    }

    /** {@code min} to {@code max} bytes of one alphabet. */
    static final class Run implements Node {
        /** Up to here a run is walked each time; past it, remembered. */
        private static final int WALKED = 512;

        private final ByteSet alphabet;
        private final int min;
        private final int max;
        private final int memory;

        Run(ByteSet alphabet, int min, int max, PatternParser.Memories memories) {
            this.alphabet = alphabet;
            this.min = min;
            this.max = max;
            this.memory = max <= WALKED ? NONE : memories.next();
        }

        private Run(byte one, byte orOther) {
            this.alphabet = new ByteSet().add(one).add(orOther);
            this.min = 1;
            this.max = 1;
            this.memory = NONE;
        }

        @Override
        public int match(Match match, int at, int limit) {
            int end;
            if (max <= WALKED) {
                int stop = Math.min(limit, at + max);
                byte[] text = match.text();
                end = at;
                while (end < stop && alphabet.contains(text[end])) {
                    end++;
                }
            } else {
                int stop = max > limit - at ? limit : at + max;
                end = Math.min(match.runEnd(memory, alphabet, at), stop);
            }
            return end - at < min ? NONE : end;
        }

        /** Where the run that ends at {@code end} begins, or {@link #NONE}. */
        int matchBackwards(Match match, int end) {
            int stop = Math.max(match.start(), end - max);
            byte[] text = match.text();
            int at = end;
            while (at > stop && alphabet.contains(text[at - 1])) {
                at--;
            }
            return end - at < min ? NONE : at;
        }

        boolean isShort() {
            return max <= WALKED;
        }

        @Override
        public ByteSet lastAlphabet() {
            return alphabet;
        }
    }

    /** Parts one after the other. */
    static final class Sequence implements Node {
        private final Node[] parts;

        Sequence(List<Node> parts) {
            this.parts = parts.toArray(Node[]::new);
        }

        @Override
        public int match(Match match, int at, int limit) {
            int end = at;
            for (Node part : parts) {
                end = part.match(match, end, limit);
                if (end == NONE) {
                    return NONE;
                }
            }
            return end;
        }

        List<Node> parts() {
            return List.of(parts);
        }

        @Override
        public @Nullable ByteSet lastAlphabet() {
            return parts.length == 0 ? null : parts[parts.length - 1].lastAlphabet();
        }

        /** A literal goes on with the alternatives of a group after it: {@code sk-(proj|admin)-} has two prefixes. */
        @Override
        public List<String> prefixes() {
            if (parts.length == 0) {
                return List.of();
            }
            List<String> first = parts[0].prefixes();
            List<String> second = parts.length > 1 && parts[0] instanceof Literal ? parts[1].prefixes() : List.of();
            if (second.isEmpty()) {
                return first;
            }
            List<String> joined = new ArrayList<>();
            for (String prefix : first) {
                second.forEach(suffix -> joined.add(prefix + suffix));
            }
            return joined;
        }
    }

    /** The first alternative that matches, {@code min} to {@code max} times. */
    static final class Group implements Node {
        private final List<Node> alternatives;
        private final int min;
        private final int max;

        Group(List<Node> alternatives, int min, int max) {
            this.alternatives = List.copyOf(alternatives);
            this.min = min;
            this.max = max;
        }

        @Override
        public int match(Match match, int at, int limit) {
            int end = at;
            for (int count = 0; count < max; count++) {
                int next = first(match, end, limit);
                if (next == NONE || next == end) {
                    return next == NONE && count < min ? NONE : end;
                }
                end = next;
            }
            return end;
        }

        private int first(Match match, int at, int limit) {
            for (Node alternative : alternatives) {
                int end = alternative.match(match, at, limit);
                if (end != NONE) {
                    return end;
                }
            }
            return NONE;
        }

        @Override
        public List<String> prefixes() {
            if (min == 0) {
                return List.of();
            }
            List<String> all = new ArrayList<>();
            for (Node alternative : alternatives) {
                List<String> prefixes = alternative.prefixes();
                if (prefixes.isEmpty()) {
                    return List.of();
                }
                all.addAll(prefixes);
            }
            return all;
        }
    }

    /** Everything up to and with the next occurrence of a literal. */
    static final class Until implements Node {
        private final byte[] literal;
        private final int memory;

        Until(byte[] literal, int memory) {
            this.literal = literal;
            this.memory = memory;
        }

        @Override
        public int match(Match match, int at, int limit) {
            int found = match.nextOccurrence(memory, literal, at);
            return found == NONE || found + literal.length > limit ? NONE : found + literal.length;
        }
    }

    /** A part with a meaning: the one that is masked, or the one whose value is judged. Without one, it is all. */
    static final class Marked implements Node {
        private final Node part;
        private final boolean judged;

        Marked(Node part, boolean judged) {
            this.part = part;
            this.judged = judged;
        }

        @Override
        public int match(Match match, int at, int limit) {
            int end = part.match(match, at, limit);
            if (end != NONE && judged) {
                match.judgedStart = at;
                match.judgedEnd = end;
            } else if (end != NONE) {
                match.secretStart = at;
                match.secretEnd = end;
            }
            return end;
        }

        @Override
        public @Nullable ByteSet lastAlphabet() {
            return part.lastAlphabet();
        }

        @Override
        public List<String> prefixes() {
            return part.prefixes();
        }
    }
}
