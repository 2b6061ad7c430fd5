package dev.postern.detect;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Knows a credential by the name it is assigned to, and by its form where the provider's keys have one. */
final class AssignmentVerifier implements Rule.Verifier {
    /** Where in a name a keyword must stand. */
    enum Place {
        ANYWHERE,
        LAST_WORD,
        WHOLE
    }

    private final @Nullable Pattern value;
    private final List<byte[]> companions;
    private final Place place;

    /**
     * @param value the form of the value; null for any, which is then judged by {@link NamedValue}
     * @param companions one of these must stand in the name beside the keyword; none if empty
     * @param place where in the name the keyword must stand
     */
    AssignmentVerifier(@Nullable Pattern value, List<byte[]> companions, Place place) {
        this.value = value;
        this.companions = List.copyOf(companions);
        this.place = place;
    }

    @Override
    public boolean verify(Match match, int keywordStart, int keywordEnd) {
        Assignment assignment = new Assignment(match);
        if (!assignment.readName(keywordStart, keywordEnd)
                || !assignment.readValue()
                || assignment.isReference()
                || !isName(match.text(), assignment, keywordStart, keywordEnd)) {
            return false;
        }
        int start = assignment.valueStart;
        int end = assignment.valueEnd;
        if (value != null) {
            int stop = value.match(match, start, match.end());
            if (stop == Pattern.NONE || !ends(match, assignment, stop)) {
                return false;
            }
            if (match.secretStart == Pattern.NONE) {
                match.secretStart = start;
                match.secretEnd = stop;
            }
            return true;
        }
        int quote = match.closingQuote(start, end);
        if (quote != Pattern.NONE && quote > start) {
            assignment.valueEnd = quote;
            if (NamedValue.isSecret(match.text(), assignment)) {
                return secret(match, start, quote);
            }
            assignment.valueEnd = end;
        }
        return NamedValue.isSecret(match.text(), assignment) && secret(match, start, end);
    }

    @Override
    public boolean verifyMember(
            Match name, int keywordStart, int keywordEnd, Match member, int valueStart, int valueEnd) {
        Assignment assignment = new Assignment(name);
        if (!assignment.readName(keywordStart, keywordEnd)
                || assignment.nameEnd != name.end()
                || !isName(name.text(), assignment, keywordStart, keywordEnd)) {
            return false;
        }
        assignment.member(valueStart, valueEnd);
        if (value != null) {
            if (value.match(member, valueStart, valueEnd) != valueEnd) {
                return false;
            }
            return member.secretStart != Pattern.NONE || secret(member, valueStart, valueEnd);
        }
        return NamedValue.isSecret(member.text(), assignment) && secret(member, valueStart, valueEnd);
    }

    /** A form matched: the value must end there, or go on with something its alphabet does not hold. */
    private boolean ends(Match match, Assignment assignment, int stop) {
        if (stop == assignment.valueEnd || stop == match.end()) {
            return true;
        }
        ByteSet alphabet = value == null ? null : value.lastAlphabet();
        byte next = match.text()[stop];
        return assignment.form != Assignment.Form.QUOTED
                && !Ascii.isAlphanumeric(next)
                && (alphabet == null || !alphabet.contains(next));
    }

    private boolean isPlaced(byte[] text, Assignment assignment, int keywordStart, int keywordEnd) {
        boolean starts = assignment.nameStart == keywordStart;
        boolean ends = assignment.nameEnd == keywordEnd;
        return switch (place) {
            case ANYWHERE -> true;
            case WHOLE -> starts && ends;
            case LAST_WORD ->
                ends
                        && (starts
                                || !Ascii.isAlphanumeric(text[keywordStart - 1])
                                || SecretName.isHump(text[keywordStart - 1], text[keywordStart]));
        };
    }

    private boolean isName(byte[] text, Assignment assignment, int keywordStart, int keywordEnd) {
        if (!isPlaced(text, assignment, keywordStart, keywordEnd)) {
            return false;
        }
        if (value == null) {
            return SecretName.isSecret(text, assignment.nameStart, assignment.nameEnd, keywordStart, keywordEnd);
        }
        if (companions.isEmpty()) {
            return true;
        }
        for (byte[] companion : companions) {
            for (int at = assignment.nameStart; at + companion.length <= assignment.nameEnd; at++) {
                boolean apart = at >= keywordEnd || at + companion.length <= keywordStart;
                if (apart && Ascii.regionMatches(text, at, assignment.nameEnd, companion)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean secret(Match match, int start, int end) {
        match.secretStart = start;
        match.secretEnd = end;
        match.judgedStart = Pattern.NONE;
        match.judgedEnd = Pattern.NONE;
        return true;
    }
}
