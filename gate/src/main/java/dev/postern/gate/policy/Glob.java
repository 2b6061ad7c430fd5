package dev.postern.gate.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A text pattern: {@code *} stands for any run of characters but {@code /}, {@code **} for any run, {@code ?} for one
 * character but {@code /}; a backslash takes the next character as it is. The whole text must match; case counts.
 *
 * <p>A pattern that holds a {@code /} is taken for a path: no text with a {@code .} or {@code ..} segment matches it, plain
 * or percent-encoded, since such a text leads elsewhere than it looks. Time is linear in the text; a pattern is at most
 * {@value #MAX_LENGTH} characters long.
 */
final class Glob {
    static final int MAX_LENGTH = 256;

    private static final int ANY_ONE = -1;
    private static final int ANY_RUN = -2;
    private static final int ANY_RUN_OF_SEGMENTS = -3;

    private static final List<String> ENCODED_PATH_PARTS = List.of("%2e", "%2f", "%5c", "%25");

    private final String pattern;
    private final int[] tokens;
    private final boolean isLiteral;
    private final boolean isPath;

    private Glob(String pattern, int[] tokens) {
        this.pattern = pattern;
        this.tokens = tokens;
        this.isLiteral = Arrays.stream(tokens).noneMatch(token -> token < 0);
        this.isPath = !isLiteral && Arrays.stream(tokens).anyMatch(token -> token == '/');
    }

    /**
     * Reads a pattern.
     *
     * @throws IllegalArgumentException with half a sentence, if it is too long or ends in a backslash
     */
    static Glob of(String pattern) {
        if (pattern.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("is longer than " + MAX_LENGTH + " characters");
        }
        List<Integer> tokens = new ArrayList<>();
        int[] characters = pattern.codePoints().toArray();
        for (int i = 0; i < characters.length; i++) {
            switch (characters[i]) {
                case '\\' -> {
                    if (++i == characters.length) {
                        throw new IllegalArgumentException("ends in a backslash that takes nothing; write two");
                    }
                    tokens.add(characters[i]);
                }
                case '?' -> tokens.add(ANY_ONE);
                case '*' -> {
                    boolean isDouble = i + 1 < characters.length && characters[i + 1] == '*';
                    tokens.add(isDouble ? ANY_RUN_OF_SEGMENTS : ANY_RUN);
                    i += isDouble ? 1 : 0;
                }
                default -> tokens.add(characters[i]);
            }
        }
        return new Glob(pattern, tokens.stream().mapToInt(Integer::intValue).toArray());
    }

    /** Whether the whole text matches. */
    boolean matches(String text) {
        if (isPath && leadsElsewhere(text)) {
            return false;
        }
        int[] characters = text.codePoints().toArray();
        if (isLiteral) {
            return Arrays.equals(characters, tokens);
        }
        // Every state the pattern can be in, at once: a step forward a character, whatever the text.
        boolean[] states = new boolean[tokens.length + 1];
        enter(states, 0);
        for (int character : characters) {
            boolean[] next = new boolean[tokens.length + 1];
            boolean alive = false;
            for (int at = 0; at < tokens.length; at++) {
                if (states[at] && takes(tokens[at], character)) {
                    enter(next, isRun(tokens[at]) ? at : at + 1);
                    alive = true;
                }
            }
            if (!alive) {
                return false;
            }
            states = next;
        }
        return states[tokens.length];
    }

    /** A run may be empty, so whoever stands before one stands behind it as well. */
    private void enter(boolean[] states, int at) {
        int state = at;
        states[state] = true;
        while (state < tokens.length && isRun(tokens[state])) {
            states[++state] = true;
        }
    }

    private static boolean isRun(int token) {
        return token == ANY_RUN || token == ANY_RUN_OF_SEGMENTS;
    }

    private static boolean takes(int token, int character) {
        return switch (token) {
            case ANY_ONE, ANY_RUN -> character != '/';
            case ANY_RUN_OF_SEGMENTS -> true;
            default -> token == character;
        };
    }

    private static boolean leadsElsewhere(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (ENCODED_PATH_PARTS.stream().anyMatch(lower::contains) || text.indexOf('\0') >= 0) {
            return true;
        }
        int start = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i == text.length() || text.charAt(i) == '/' || text.charAt(i) == '\\') {
                String segment = text.substring(start, i);
                if (segment.equals(".") || segment.equals("..")) {
                    return true;
                }
                start = i + 1;
            }
        }
        return false;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Glob glob && glob.pattern.equals(pattern);
    }

    @Override
    public int hashCode() {
        return pattern.hashCode();
    }

    @Override
    public String toString() {
        return pattern;
    }
}
