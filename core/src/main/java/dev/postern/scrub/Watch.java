package dev.postern.scrub;

import java.util.ArrayList;
import java.util.List;

/**
 * What a set of values looks like from afar: the cheap tests a text must fail before it is matched. Immutable and shared
 * by all messages.
 *
 * <p>A value stands in a text either with a factor in plain sight, or with an escape that hides it, or inside a run of
 * base64 or hex. Each has its own watch; where none of them sees anything, no form of a value is there.
 */
final class Watch {
    private static final int SHORT = 4;
    /** One character in so many may be a line end, of two characters. */
    private static final int LINE_ENDS = 6;

    private static final long BACKSLASH = Words.all('\\');
    private static final long PERCENT = Words.all('%');
    private static final long AMPERSAND = Words.all('&');
    private static final long ESCAPE = Words.all(0x1B);

    /** A filter is as slow as its shortest factor makes it, so long, short and tiny ones get each their own. */
    private final List<GramFilter> filters = new ArrayList<>();

    private final EscapeWatch escapes;
    private final RunWatch runs;
    private final boolean everywhere;
    private final int reach;
    private final int lastReach;
    private final int longest;
    private final List<Pattern> whole = new ArrayList<>();

    Watch(Forms forms, boolean thorough) {
        List<Pattern> anywhere = new ArrayList<>();
        int longestPattern = 0;
        for (Pattern pattern : forms.patterns()) {
            (pattern.target().reach() == Target.Reach.WHOLE ? whole : anywhere).add(pattern);
            longestPattern = Math.max(longestPattern, pattern.length());
        }
        Factors factors = new Factors(anywhere);
        filter(factors.all(), Factors.LONG_ENOUGH, Integer.MAX_VALUE);
        filter(factors.all(), SHORT, Factors.LONG_ENOUGH);
        filter(factors.all(), 1, SHORT);
        escapes = new EscapeWatch(factors.all());
        runs = new RunWatch(this, forms.shortestEscaped(), forms.areAscii());
        everywhere = thorough || !factors.without().isEmpty();
        reach = factors.reach();
        lastReach = factors.lastReach();
        longest = longestPattern;
    }

    private void filter(List<Factor> factors, int shortest, int tooLong) {
        List<Factor> chosen = new ArrayList<>();
        for (Factor factor : factors) {
            if (factor.length() >= shortest && factor.length() < tooLong) {
                chosen.add(factor);
            }
        }
        if (!chosen.isEmpty()) {
            filters.add(new GramFilter(chosen));
        }
    }

    /** Whether every text must be matched as a whole, because a value shows nothing from afar. */
    boolean everywhere() {
        return everywhere;
    }

    /** The length of the longest pattern. */
    int longest() {
        return longest;
    }

    /** How many characters a value's last part, at the start of a text (S15), may have before it shows anything. */
    int lastReach() {
        return lastReach;
    }

    EscapeWatch escapes() {
        return escapes;
    }

    RunWatch runs() {
        return runs;
    }

    /** Enters the factors that show in {@code text[from, to)}. */
    void factors(byte[] text, int from, int to, Triggers triggers) {
        GramFilter.Found found = (factor, at) -> {
            int before = factor.offset();
            int after = factor.pattern().length() - before;
            // Base64 and hex may be wrapped, so that an escaped line end stands in for a character now and then.
            int room = factor.pattern().kind() == Pattern.Kind.PLAIN
                    ? 0
                    : LINE_ENDS + factor.pattern().length() / LINE_ENDS;
            triggers.value(at, before + room, after + room);
        };
        for (GramFilter filter : filters) {
            filter.scan(text, from, to, found);
        }
    }

    /** Enters the escape whose marker stands at {@code at} if it could hide part of a value. */
    void escape(byte[] text, int at, int to, Triggers triggers) {
        if (text[at] == 0x1B || escapes.hides(text, at, to)) {
            triggers.escape(at, reach, longest);
        } else if (text[at] != '&' && at >= triggers.runsSeen()) {
            triggers.runsSeen(runs.around(text, triggers.runsSeen(), at, to, triggers::run));
        }
    }

    /** Whether there are values that count only as a whole string (S9). */
    boolean wholeCounts() {
        return !whole.isEmpty();
    }

    /** Whether {@code text[from, to)} could be, as a whole, one of the values that count only so (S9). */
    boolean mayBeWhole(byte[] text, int from, int to) {
        if (to - from > LONGEST_WHOLE) {
            return false;
        }
        for (int at = from; at < to; at++) {
            byte b = text[at];
            if (b == '\\' || b == '%' || b == '&' || b == '+' || b < 0) {
                return true;
            }
        }
        for (Pattern pattern : whole) {
            // The padding of base64 is no part of its pattern.
            int shorter = to - from - pattern.length();
            if (shorter >= 0 && shorter <= 3 && pattern.bytes()[0] == text[from]) {
                return true;
            }
        }
        return false;
    }

    /** A value that counts only as a whole string has under 8 characters; escaped, it is hardly longer than this. */
    private static final int LONGEST_WHOLE = 96;

    /** Enters everything in {@code text[from, to)} that asks for a closer look. */
    void text(byte[] text, int from, int to, int depth, Triggers triggers) {
        factors(text, from, to, triggers);
        markers(text, from, to, triggers);
        if (to - from >= runs.shortestRun()) {
            runs.watch(text, from, to, depth, triggers::run);
        }
    }

    /** Whether anything in {@code text[from, to)} asks for a closer look. */
    boolean isSuspicious(byte[] text, int from, int to, int depth) {
        if (everywhere) {
            return true;
        }
        Triggers triggers = new Triggers();
        text(text, from, to, depth, triggers);
        return !triggers.isEmpty();
    }

    private void markers(byte[] text, int from, int to, Triggers triggers) {
        int at = from;
        while (at < to) {
            if (at + Long.BYTES <= to) {
                long word = Words.eight(text, at);
                long marks = Words.zeros(word ^ BACKSLASH)
                        | Words.zeros(word ^ PERCENT)
                        | Words.zeros(word ^ AMPERSAND)
                        | Words.zeros(word ^ ESCAPE);
                if (marks == 0) {
                    at += Long.BYTES;
                    continue;
                }
                at += Words.first(marks);
            }
            byte b = text[at];
            // Of a run of backslashes only the last is followed by what it could escape.
            boolean last = b == '\\' && at + 1 < to && text[at + 1] != '\\';
            if (last || b == '%' || b == '&' || b == 0x1B) {
                escape(text, at, to, triggers);
            }
            at++;
        }
    }

    void wipe() {
        filters.forEach(GramFilter::wipe);
    }
}
