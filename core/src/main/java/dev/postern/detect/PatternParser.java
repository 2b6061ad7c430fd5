package dev.postern.detect;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the notation of patterns in a rule file; docs/detection.md describes it.
 *
 * <pre>
 * abc          these characters           \. \\ \n     one character
 * [a-z0-9_]    one of an alphabet         [^"\s]       one of all others
 * \d \w \s \S  digit, word character, white space, the rest
 * X{3} X{3,9} X{3,} X? X* X+              how often; a group at most 64 times
 * (ab|cd)      the first that matches     ~(ab)        anything up to and with the next "ab"
 * (=ab)        the part that is masked    (!ab)        the part that is judged (entropy, checksum, placeholders)
 * (?i)         at the start: either case
 * </pre>
 */
final class PatternParser {
    private static final int UNBOUNDED = Integer.MAX_VALUE;
    private static final int MAX_GROUP_REPEAT = 64;
    private static final ByteSet DIGIT = new ByteSet().addRange('0', '9');
    private static final ByteSet WORD = new ByteSet()
            .addRange('0', '9')
            .addRange('A', 'Z')
            .addRange('a', 'z')
            .add('_');
    private static final ByteSet SPACE = new ByteSet().addRange('\t', '\r').add(' ');

    private final String source;
    private final Memories memories;
    private final boolean foldCase;
    private int at;

    /** Hands out the places in {@link Match} where long runs are remembered. */
    static final class Memories {
        private int count = Match.RESERVED;

        Memories copy() {
            Memories copy = new Memories();
            copy.count = count;
            return copy;
        }

        int next() {
            return count++;
        }

        int count() {
            return count;
        }
    }

    private PatternParser(String source, Memories memories) {
        this.source = source;
        this.memories = memories;
        this.foldCase = source.startsWith("(?i)");
        this.at = foldCase ? 4 : 0;
    }

    /** @throws RuleFileException if {@code source} is not of the notation above */
    static Pattern parse(String source, Memories memories) {
        PatternParser parser = new PatternParser(source, memories);
        Pattern.Node root = parser.sequence();
        if (parser.at != source.length()) {
            throw parser.fail("a bracket is closed that was not opened");
        }
        return new Pattern(root);
    }

    /** As {@link #parse}, for what stands before a keyword: short runs and literals only. */
    static Lead parseLead(String source, Memories memories) {
        Pattern.Node root = parse(source, memories).root();
        List<Pattern.Node> parts = root instanceof Pattern.Sequence sequence ? sequence.parts() : List.of(root);
        List<Pattern.Run> runs = new ArrayList<>();
        for (Pattern.Node part : parts) {
            if (part instanceof Pattern.Literal literal) {
                runs.addAll(literal.runs());
            } else if (part instanceof Pattern.Run run && run.isShort()) {
                runs.add(run);
            } else {
                throw new RuleFileException("what stands before a keyword may hold only short runs and literals");
            }
        }
        return new Lead(runs);
    }

    private Pattern.Node sequence() {
        List<Pattern.Node> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        while (at < source.length() && source.charAt(at) != '|' && source.charAt(at) != ')') {
            char c = source.charAt(at);
            if (c == '(') {
                flush(literal, parts);
                parts.add(group());
            } else if (c == '~') {
                flush(literal, parts);
                parts.add(until());
            } else {
                ByteSet alphabet = alphabet();
                if (alphabet != null || isQuantifier()) {
                    flush(literal, parts);
                    parts.add(run(alphabet == null ? ByteSet.of(String.valueOf(character())) : alphabet));
                } else {
                    literal.append(character());
                }
            }
        }
        flush(literal, parts);
        return parts.size() == 1 ? parts.get(0) : new Pattern.Sequence(parts);
    }

    /** The last single character read by {@link #alphabet()}. */
    private char character;

    private char character() {
        return character;
    }

    private void flush(StringBuilder literal, List<Pattern.Node> parts) {
        if (literal.length() > 0) {
            parts.add(new Pattern.Literal(Ascii.bytes(literal.toString()), foldCase));
            literal.setLength(0);
        }
    }

    private Pattern.Node run(ByteSet alphabet) {
        if (foldCase) {
            alphabet.foldCase();
        }
        int[] range = quantifier();
        return new Pattern.Run(alphabet, range[0], range[1], memories);
    }

    private Pattern.Node group() {
        at++;
        char mark = at < source.length() ? source.charAt(at) : ')';
        if (mark == '=' || mark == '!') {
            at++;
        }
        List<Pattern.Node> alternatives = new ArrayList<>();
        alternatives.add(sequence());
        while (at < source.length() && source.charAt(at) == '|') {
            at++;
            alternatives.add(sequence());
        }
        expect(')');
        int[] range = quantifier();
        if (range[1] > MAX_GROUP_REPEAT) {
            throw fail("a group may repeat at most " + MAX_GROUP_REPEAT + " times");
        }
        boolean once = range[0] == 1 && range[1] == 1;
        Pattern.Node group = once && alternatives.size() == 1
                ? alternatives.get(0)
                : new Pattern.Group(alternatives, range[0], range[1]);
        return mark == '=' || mark == '!' ? new Pattern.Marked(group, mark == '!') : group;
    }

    private Pattern.Node until() {
        at++;
        expect('(');
        int close = source.indexOf(')', at);
        if (close <= at) {
            throw fail("a literal is missing after ~");
        }
        byte[] literal = Ascii.bytes(source.substring(at, close));
        at = close + 1;
        return new Pattern.Until(literal, memories.next());
    }

    /** Reads one position: an alphabet, or null with {@link #character} set. */
    private @Nullable ByteSet alphabet() {
        char c = source.charAt(at++);
        if (c == '[') {
            return bracket();
        }
        if (c == '\\') {
            return escape();
        }
        if (c == '{' || c == '}' || c == ']' || c == '*' || c == '+' || c == '?') {
            throw fail("a character with a meaning stands alone; write a backslash before it");
        }
        if (c > 0x7E) {
            throw fail("a pattern is written in ASCII");
        }
        character = c;
        return null;
    }

    private @Nullable ByteSet escape() {
        if (at == source.length()) {
            throw fail("nothing follows a backslash");
        }
        char c = source.charAt(at++);
        switch (c) {
            case 'd' -> {
                return copy(DIGIT);
            }
            case 'w' -> {
                return copy(WORD);
            }
            case 's' -> {
                return copy(SPACE);
            }
            case 'S' -> {
                return SPACE.complement();
            }
            case 'n' -> character = '\n';
            case 'r' -> character = '\r';
            case 't' -> character = '\t';
            default -> {
                if (Character.isLetterOrDigit(c)) {
                    throw fail("an escape is unknown");
                }
                character = c;
            }
        }
        return null;
    }

    private ByteSet bracket() {
        boolean negated = at < source.length() && source.charAt(at) == '^';
        if (negated) {
            at++;
        }
        ByteSet set = new ByteSet();
        while (true) {
            if (at == source.length()) {
                throw fail("an alphabet is not closed");
            }
            char c = source.charAt(at++);
            if (c == ']') {
                break;
            }
            ByteSet named = null;
            if (c == '\\') {
                named = escape();
                c = character;
            }
            if (named != null) {
                set.addAll(named);
            } else if (at + 1 < source.length() && source.charAt(at) == '-' && source.charAt(at + 1) != ']') {
                char last = source.charAt(at + 1);
                at += 2;
                if (last < c) {
                    throw fail("a range runs backwards");
                }
                set.addRange(c, last);
            } else {
                set.add(c);
            }
        }
        return negated ? set.complement() : set;
    }

    private boolean isQuantifier() {
        return at < source.length() && "{?*+".indexOf(source.charAt(at)) >= 0;
    }

    private int[] quantifier() {
        if (!isQuantifier()) {
            return new int[] {1, 1};
        }
        switch (source.charAt(at++)) {
            case '?' -> {
                return new int[] {0, 1};
            }
            case '*' -> {
                return new int[] {0, UNBOUNDED};
            }
            case '+' -> {
                return new int[] {1, UNBOUNDED};
            }
            default -> {
                int close = source.indexOf('}', at);
                if (close < 0) {
                    throw fail("a quantifier is not closed");
                }
                String[] numbers = source.substring(at, close).split(",", -1);
                at = close + 1;
                int min = number(numbers[0]);
                int max = numbers.length == 1 ? min : numbers[1].isEmpty() ? UNBOUNDED : number(numbers[1]);
                if (numbers.length > 2 || max < min) {
                    throw fail("a quantifier is misspelt");
                }
                return new int[] {min, max};
            }
        }
    }

    private int number(String digits) {
        if (digits.isEmpty() || digits.length() > 6 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw fail("a quantifier is misspelt");
        }
        return Integer.parseInt(digits);
    }

    private void expect(char c) {
        if (at >= source.length() || source.charAt(at) != c) {
            throw fail("a bracket is missing");
        }
        at++;
    }

    private static ByteSet copy(ByteSet set) {
        return new ByteSet().addAll(set);
    }

    private RuleFileException fail(String reason) {
        return new RuleFileException("pattern, character " + at + ": " + reason);
    }
}
