package dev.postern.detect;

import java.util.List;

/** What must stand before a keyword, read backwards from it: runs of alphabets, possessive like {@link Pattern}. */
final class Lead {
    private final List<Pattern.Run> runs;

    /** @param runs in the order they stand in the text; each of bounded length */
    Lead(List<Pattern.Run> runs) {
        this.runs = List.copyOf(runs);
    }

    /** Where the lead begins, or {@link Pattern#NONE}. */
    int start(Match match, int keywordStart) {
        int at = keywordStart;
        for (int i = runs.size() - 1; i >= 0; i--) {
            at = runs.get(i).matchBackwards(match, at);
            if (at == Pattern.NONE) {
                return Pattern.NONE;
            }
        }
        return at;
    }
}
