package dev.postern.detect;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One scan of one text: takes its regions one by one and collects what the rules match. Not thread-safe; used once. */
final class Scan implements KeywordAutomaton.Sink {
    private final Engine engine;
    private final AllowList allowed;
    private final @Nullable String path;
    private final Match match;
    private final Match member;
    private final int[] matchedUntil;
    private final List<Hit> hits = new ArrayList<>();
    private Buffer buffer = Buffer.of(new byte[0]);
    private @Nullable Buffer memberBuffer;
    private int memberStart;
    private int memberEnd;
    private boolean matched;
    private boolean keywordSeen;

    /** @param path the file the text is from, for allow lists; null if it is from none */
    Scan(Engine engine, AllowList allowed, @Nullable String path) {
        this.engine = engine;
        this.allowed = allowed;
        this.path = path;
        match = new Match(engine.memories());
        member = new Match(engine.memories());
        matchedUntil = new int[engine.ruleCount()];
    }

    /** Scans {@code [from, to)} as a text of its own. True if a keyword stands in it, whatever came of that. */
    boolean text(Buffer buffer, int from, int to, boolean quotesClose) {
        this.buffer = buffer;
        keywordSeen = false;
        match.region(buffer.bytes(), from, to, quotesClose);
        engine.automaton().scan(buffer.bytes(), from, to, this);
        if (matched) {
            Arrays.fill(matchedUntil, 0);
            matched = false;
        }
        return keywordSeen;
    }

    /** Tries the name {@code [from, to)} of a JSON member against its value, a whole string. */
    void member(Buffer nameBuffer, int from, int to, Buffer valueBuffer, int valueStart, int valueEnd) {
        memberBuffer = valueBuffer;
        memberStart = valueStart;
        memberEnd = valueEnd;
        member.region(valueBuffer.bytes(), valueStart, valueEnd, false);
        match.region(nameBuffer.bytes(), from, to, false);
        engine.automaton().scan(nameBuffer.bytes(), from, to, this);
        memberBuffer = null;
    }

    @Override
    public void keyword(int keyword, int end) {
        keywordSeen = true;
        int start = end - engine.keywordLength(keyword);
        for (int index : engine.rulesAt(keyword)) {
            Rule rule = engine.rule(index);
            if (memberBuffer != null) {
                tryMember(rule, memberBuffer, start, end);
            } else if (start >= matchedUntil[index] && rule.verifier().verify(match, start, end)) {
                if (accept(rule, buffer, match)) {
                    matchedUntil[index] = match.secretEnd;
                    matched = true;
                }
            }
        }
    }

    private void tryMember(Rule rule, Buffer valueBuffer, int start, int end) {
        if (rule.verifier().verifyMember(match, start, end, member, memberStart, memberEnd)) {
            accept(rule, valueBuffer, member);
        }
    }

    private boolean accept(Rule rule, Buffer in, Match found) {
        int start = found.secretStart;
        int end = wholeCharacters(found, found.secretEnd);
        if (!rule.checks().pass(found)
                || PresignedUrl.hasParameterAt(in.bytes(), start)
                || allowed.allows(rule.name(), path, in.bytes(), start, end)) {
            return false;
        }
        hits.add(new Hit(rule, in, start, end));
        return true;
    }

    /** A run counts bytes and may stop inside a character. */
    private static int wholeCharacters(Match match, int end) {
        int whole = end;
        while (whole < match.end() && (match.text()[whole] & 0xC0) == 0x80) {
            whole++;
        }
        return whole;
    }

    /** What was found, in the order of the text, overlapping spans joined. */
    List<Hit> result() {
        hits.sort(Comparator.comparingInt(Hit::originalStart).thenComparing(hit -> hit.rule.generic()));
        List<Hit> joined = new ArrayList<>();
        for (Hit hit : hits) {
            int last = joined.size() - 1;
            if (last >= 0 && joined.get(last).overlaps(hit)) {
                joined.set(last, joined.get(last).join(hit));
            } else {
                joined.add(hit);
            }
        }
        return joined;
    }
}
