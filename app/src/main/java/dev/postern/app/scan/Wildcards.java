package dev.postern.app.scan;

/**
 * Git's wildcards: {@code ?} and {@code *} stay within one name, <code>**&#47;</code>, <code>/**</code> and
 * <code>/**&#47;</code> cross directories, {@code [a-z]} and {@code [!a-z]} are one character, a backslash quotes.
 */
final class Wildcards {
    private Wildcards() {}

    static boolean match(String pattern, String text) {
        // Whether pattern[0, i) matches text[0, j): one row a pattern position, so the time is their product at most.
        boolean[] reached = new boolean[text.length() + 1];
        reached[0] = true;
        int i = 0;
        while (i < pattern.length()) {
            boolean[] next = new boolean[text.length() + 1];
            if (pattern.startsWith("**", i)
                    && atStart(pattern, i)
                    && (i + 2 == pattern.length() || pattern.charAt(i + 2) == '/')) {
                i += 2;
                boolean slash = i < pattern.length();
                acrossDirectories(text, reached, next, slash);
                i += slash ? 1 : 0;
            } else {
                i = step(pattern, i, text, reached, next);
            }
            reached = next;
        }
        return reached[text.length()];
    }

    private static boolean atStart(String pattern, int i) {
        return i == 0 || pattern.charAt(i - 1) == '/';
    }

    /** <code>**&#47;</code>: nothing, or any number of whole directories; a final <code>**</code>: anything. */
    private static void acrossDirectories(String text, boolean[] reached, boolean[] next, boolean slash) {
        boolean seen = false;
        for (int j = 0; j <= text.length(); j++) {
            if (slash) {
                next[j] = reached[j] || (seen && text.charAt(j - 1) == '/');
                seen |= reached[j];
            } else {
                next[j] = seen;
                seen |= reached[j];
            }
        }
    }

    private static int step(String pattern, int i, String text, boolean[] reached, boolean[] next) {
        char c = pattern.charAt(i);
        if (c == '*') {
            boolean within = false;
            for (int j = 0; j <= text.length(); j++) {
                within = reached[j] || (within && text.charAt(j - 1) != '/');
                next[j] = within;
            }
            return i + 1;
        }
        int end = c == '[' ? endOfSet(pattern, i) : i + 1;
        boolean set = end > i + 1;
        int literal = c == '\\' && i + 1 < pattern.length() ? i + 1 : i;
        for (int j = 0; j < text.length(); j++) {
            if (reached[j]) {
                char t = text.charAt(j);
                boolean matches = set
                        ? t != '/' && inSet(pattern, i + 1, end - 1, t)
                        : c == '?' ? t != '/' : t == pattern.charAt(literal);
                next[j + 1] |= matches;
            }
        }
        return set ? end : literal + 1;
    }

    /** Just past the closing bracket; {@code open + 1} if there is none, which makes the bracket a plain character. */
    private static int endOfSet(String pattern, int open) {
        int first = open + 1;
        if (first < pattern.length() && (pattern.charAt(first) == '!' || pattern.charAt(first) == '^')) {
            first++;
        }
        int close = pattern.indexOf(']', first + 1);
        return close < 0 ? open + 1 : close + 1;
    }

    private static boolean inSet(String pattern, int from, int to, char t) {
        boolean negated = pattern.charAt(from) == '!' || pattern.charAt(from) == '^';
        boolean found = false;
        for (int at = negated ? from + 1 : from; at < to; at++) {
            char low = pattern.charAt(at);
            if (at + 2 < to && pattern.charAt(at + 1) == '-') {
                found |= low <= t && t <= pattern.charAt(at + 2);
                at += 2;
            } else {
                found |= low == t;
            }
        }
        return found != negated;
    }
}
