package dev.postern.detect;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All rules, compiled: the automaton over their keywords, and which rules to try at which keyword. Immutable. */
final class Engine {
    private final KeywordAutomaton automaton;
    private final int[][] rulesAt;
    private final int[] keywordLengths;
    private final Rule[] rules;
    private final int memories;

    /** @param memories how many places the rules' patterns need in {@link Match}, the reserved ones included */
    Engine(List<Rule> rules, int memories) {
        this.rules = rules.toArray(Rule[]::new);
        this.memories = memories;
        Map<String, List<Integer>> byKeyword = new LinkedHashMap<>();
        for (int rule = 0; rule < this.rules.length; rule++) {
            for (String keyword : this.rules[rule].keywords()) {
                byKeyword.computeIfAbsent(keyword, k -> new ArrayList<>()).add(rule);
            }
        }
        List<byte[]> keywords = new ArrayList<>();
        rulesAt = new int[byKeyword.size()][];
        keywordLengths = new int[byKeyword.size()];
        for (Map.Entry<String, List<Integer>> entry : byKeyword.entrySet()) {
            byte[] keyword = Ascii.bytes(entry.getKey());
            keywordLengths[keywords.size()] = keyword.length;
            rulesAt[keywords.size()] =
                    entry.getValue().stream().mapToInt(Integer::intValue).toArray();
            keywords.add(keyword);
        }
        automaton = new KeywordAutomaton(keywords);
    }

    KeywordAutomaton automaton() {
        return automaton;
    }

    int[] rulesAt(int keyword) {
        return rulesAt[keyword];
    }

    int keywordLength(int keyword) {
        return keywordLengths[keyword];
    }

    Rule rule(int index) {
        return rules[index];
    }

    int ruleCount() {
        return rules.length;
    }

    int memories() {
        return memories;
    }
}
