package dev.postern.scrub;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the factors of patterns: what a cheap filter can look for in text as it stands, because nobody escapes those
 * characters without need. Where someone does, {@link EscapeWatch} sees the escape.
 *
 * <p>A pattern gets a factor in each part of it that can stand alone at an edge of a string (S15), and base64 and hex
 * two side by side, since a line end may fall into one of them but not into both.
 */
final class Factors {
    /** Longer factors make nothing rarer. */
    private static final int LONGEST = 11;
    /** From this length on a filter need not look at every byte of a text. */
    static final int LONG_ENOUGH = 7;
    /** The first factor of a pattern lies within its first bytes, so that little before it must be looked at. */
    private static final int FIRST_REGION = 64;

    private static final int LENGTH_SCORE = 100;
    /** Letters that are composed to syllables (Unicode, section 3.12). */
    private static final int FIRST_JAMO = 0x1100;

    private static final int LAST_JAMO = 0x11FF;

    private final List<Factor> factors = new ArrayList<>();
    private final List<Pattern> without = new ArrayList<>();
    private int reach;
    private int lastReach;

    Factors(List<Pattern> patterns) {
        patterns.forEach(this::choose);
    }

    /** All factors. */
    List<Factor> all() {
        return factors;
    }

    /** Patterns that can show none: texts are looked through for them as a whole. */
    List<Pattern> without() {
        return without;
    }

    /** How far, at most, a pattern's first factor ends from its start, in bytes. */
    int reach() {
        return reach;
    }

    /** How far, at most, the first factor of a pattern's last part (S15) ends from where that part starts, in bytes. */
    int lastReach() {
        return Math.max(reach, lastReach);
    }

    private void choose(Pattern pattern) {
        boolean[] plain = plain(pattern.bytes());
        int length = pattern.length();
        int part = pattern.part() == Pattern.NEVER ? length : pattern.part();
        Factor first = best(pattern, plain, 0, Math.min(part, FIRST_REGION), 0, 0);
        if (first == null) {
            first = best(pattern, plain, 0, part, 0, 0);
        }
        if (first == null) {
            without.add(pattern);
            return;
        }
        factors.add(first);
        if (pattern.kind() != Pattern.Kind.PLAIN) {
            chooseTwins(pattern);
        }
        int firstEnd = first.offset() + first.length();
        reach = Math.max(reach, firstEnd);
        int lastStart = length - part;
        if (lastStart > first.offset()) {
            Factor last = best(pattern, plain, lastStart, length, first.offset(), firstEnd);
            if (last == null || last.length() < LONG_ENOUGH) {
                last = best(pattern, plain, lastStart, length, 0, 0);
            }
            if (last == null) {
                without.add(pattern);
                return;
            }
            factors.add(last);
            lastReach = Math.max(lastReach, last.offset() + last.length() - first.offset());
        }
    }

    /**
     * Two factors side by side, for what may be wrapped: no two line ends are so close that one falls into either, if lines
     * have at least 13 characters.
     */
    private void chooseTwins(Pattern pattern) {
        byte[] bytes = pattern.bytes();
        int best = 0;
        int bestScore = Integer.MIN_VALUE;
        for (int start = 0; start <= Math.min(bytes.length, FIRST_REGION) - 2 * LONG_ENOUGH; start++) {
            int score = 0;
            for (int at = start; at < start + 2 * LONG_ENOUGH; at++) {
                score += score(bytes[at]);
            }
            if (score > bestScore) {
                bestScore = score;
                best = start;
            }
        }
        if (bestScore > Integer.MIN_VALUE) {
            factors.add(new Factor(pattern, best, LONG_ENOUGH));
            factors.add(new Factor(pattern, best + LONG_ENOUGH, LONG_ENOUGH));
            reach = Math.max(reach, best + 2 * LONG_ENOUGH);
        }
    }

    /** The most telling factor within {@code [from, to)} that stays clear of {@code [avoidFrom, avoidTo)}. */
    private static @Nullable Factor best(
            Pattern pattern, boolean[] plain, int from, int to, int avoidFrom, int avoidTo) {
        byte[] bytes = pattern.bytes();
        int bestStart = -1;
        int bestLength = 0;
        int bestScore = Integer.MIN_VALUE;
        int start = from;
        int score = 0;
        for (int at = from; at < to; at++) {
            if ((at >= avoidFrom && at < avoidTo) || !plain[at]) {
                start = at + 1;
                score = 0;
                continue;
            }
            score += score(bytes[at]);
            while (at + 1 - start > LONGEST || (at + 1 - start > LONG_ENOUGH && score(bytes[start]) < 0)) {
                score -= score(bytes[start++]);
            }
            int length = at + 1 - start;
            int total = score + LENGTH_SCORE * Math.min(length, LONG_ENOUGH);
            if (total > bestScore) {
                bestScore = total;
                bestStart = start;
                bestLength = length;
            }
        }
        return bestStart < 0 ? null : new Factor(pattern, bestStart, bestLength);
    }

    /** What words are not made of tells more; what is escaped now and then costs more. */
    private static int score(byte b) {
        if (b >= 'a' && b <= 'z') {
            return 1;
        }
        if (b >= '0' && b <= '9') {
            return 4;
        }
        if (b >= 'A' && b <= 'Z') {
            return 3;
        }
        return b == '/' || b == '%' || b == '&' ? -60 : b == '+' || b < 0 ? -20 : -10;
    }

    /**
     * Which bytes stand in most texts as themselves. Quotes, backslashes, white space and controls do not; nor do
     * characters that have another normal form, or that a mark is composed with.
     */
    private static boolean[] plain(byte[] bytes) {
        boolean[] plain = new boolean[bytes.length];
        for (int at = 0; at < bytes.length; ) {
            int next = Characters.next(bytes, at);
            boolean marked = next < bytes.length
                    && bytes[next] < 0
                    && Characters.isMark(Characters.at(bytes, next, Characters.next(bytes, next)));
            Arrays.fill(plain, at, next, !marked && isPlain(Characters.at(bytes, at, next)));
            at = next;
        }
        return plain;
    }

    private static boolean isPlain(int character) {
        if (character < 0x80) {
            return character > ' ' && character < 0x7F && character != '"' && character != '\'' && character != '\\';
        }
        String alone = Character.toString(character);
        return !(character >= FIRST_JAMO && character <= LAST_JAMO)
                && !Characters.isMark(character)
                && !Character.isWhitespace(character)
                && Normalizer.isNormalized(alone, Normalizer.Form.NFD)
                && Normalizer.isNormalized(alone, Normalizer.Form.NFC);
    }
}
