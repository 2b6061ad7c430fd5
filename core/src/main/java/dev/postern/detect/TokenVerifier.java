package dev.postern.detect;

import org.jspecify.annotations.Nullable;

/** Knows a credential by its own form: a pattern that begins at the keyword, with a lead before it where it has one. */
final class TokenVerifier implements Rule.Verifier {
    private final @Nullable Lead lead;
    private final Pattern pattern;
    private final boolean bounded;
    private final @Nullable ByteSet lastAlphabet;

    /** @param bounded whether a letter or digit before, or more of the same alphabet after, makes it another word */
    TokenVerifier(@Nullable Lead lead, Pattern pattern, boolean bounded) {
        this.lead = lead;
        this.pattern = pattern;
        this.bounded = bounded;
        this.lastAlphabet = pattern.lastAlphabet();
    }

    @Override
    public boolean verify(Match match, int keywordStart, int keywordEnd) {
        int start = lead == null ? keywordStart : lead.start(match, keywordStart);
        if (start == Pattern.NONE || (bounded && !Boundary.startsWord(match, start))) {
            return false;
        }
        int end = pattern.match(match, keywordStart, match.end());
        if (end == Pattern.NONE) {
            return false;
        }
        int quote = match.closingQuote(keywordStart, end);
        if (quote != Pattern.NONE) {
            if (pattern.match(match, keywordStart, quote) == quote) {
                end = quote;
            } else {
                pattern.match(match, keywordStart, match.end());
            }
        }
        if (bounded && lastAlphabet != null && end < match.end() && lastAlphabet.contains(match.text()[end])) {
            return false;
        }
        if (match.secretStart == Pattern.NONE) {
            match.secretStart = start;
            match.secretEnd = end;
        }
        return true;
    }
}
