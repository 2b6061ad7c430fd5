package dev.postern.detect;

import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a rule file; docs/detection.md describes the format.
 *
 * @param version of the rules, or null if the file names none
 * @param rules in the file's order
 * @param disabled names of earlier rules to leave out
 */
record RuleFile(@Nullable String version, List<Rule> rules, Set<String> disabled, AllowList allowed) {
    private static final int MIN_KEYWORD = 2;
    private static final Set<String> MEMBERS = Set.of(
            "name",
            "category",
            "classification",
            "keywords",
            "before",
            "pattern",
            "names",
            "with",
            "value",
            "entropy",
            "mixed",
            "checksum",
            "strict",
            "whole",
            "word",
            "examples",
            "unbounded",
            "disabled",
            "comment");

    static RuleFile parse(byte[] json, PatternParser.Memories memories) {
        JsonValue file;
        try {
            file = JsonValue.parse(json, 16);
        } catch (JsonException e) {
            throw new RuleFileException("the rule file is not JSON: " + e.getMessage());
        }
        if (!file.is(JsonValue.Kind.OBJECT)) {
            throw new RuleFileException("the rule file is not a JSON object");
        }
        List<Rule> rules = new ArrayList<>();
        Set<String> disabled = new java.util.HashSet<>();
        for (JsonValue entry : elements(file, "rules")) {
            String name = required(entry, "name");
            try {
                if (flag(entry, "disabled")) {
                    disabled.add(name);
                } else {
                    rules.add(rule(name, entry, memories));
                }
            } catch (RuleFileException e) {
                throw new RuleFileException(name, e);
            }
        }
        return new RuleFile(file.string("version"), rules, disabled, allowList(file));
    }

    private static AllowList allowList(JsonValue file) {
        List<AllowList.Entry> entries = new ArrayList<>();
        for (JsonValue entry : elements(file, "allow")) {
            String rule = entry.string("rule");
            String path = entry.string("path");
            String value = entry.string("value");
            if (rule == null && path == null && value == null) {
                throw new RuleFileException("an allow entry names neither rule, path nor value");
            }
            entries.add(new AllowList.Entry(rule, path, value));
        }
        return new AllowList(entries);
    }

    private static Rule rule(String name, JsonValue entry, PatternParser.Memories memories) {
        entry.forEachMember((member, value) -> {
            if (!MEMBERS.contains(member.string())) {
                throw new RuleFileException("the member " + member.string() + " is unknown");
            }
        });
        String category = required(entry, "category");
        if (!category.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_')) {
            throw new RuleFileException("a category is made of a-z, 0-9 and _");
        }
        String classification = entry.string("classification");
        String pattern = entry.string("pattern");
        List<String> names = strings(entry, "names");
        if ((pattern == null) == names.isEmpty()) {
            throw new RuleFileException("a rule has either a pattern or names");
        }
        Rule.Verifier verifier;
        List<String> keywords;
        String value = entry.string("value");
        if (pattern != null) {
            Pattern compiled = PatternParser.parse(pattern, memories);
            String before = entry.string("before");
            Lead lead = before == null ? null : PatternParser.parseLead(before, memories);
            verifier = new TokenVerifier(lead, compiled, !flag(entry, "unbounded"));
            keywords = strings(entry, "keywords");
            keywords = keywords.isEmpty() ? compiled.prefixes() : keywords;
        } else {
            List<byte[]> companions =
                    lower(strings(entry, "with")).stream().map(Ascii::bytes).toList();
            verifier = new AssignmentVerifier(
                    value == null ? null : PatternParser.parse(value, memories), companions, place(entry));
            keywords = names;
        }
        return new Rule(
                name,
                category,
                classification == null ? "REDACTED" : classification,
                checkedKeywords(lower(keywords)),
                pattern == null && value == null,
                verifier,
                checks(entry));
    }

    private static AssignmentVerifier.Place place(JsonValue entry) {
        if (flag(entry, "whole")) {
            return AssignmentVerifier.Place.WHOLE;
        }
        return flag(entry, "word") ? AssignmentVerifier.Place.LAST_WORD : AssignmentVerifier.Place.ANYWHERE;
    }

    private static ValueChecks checks(JsonValue entry) {
        String checksum = entry.string("checksum");
        JsonValue entropy = entry.member("entropy");
        double minEntropy;
        try {
            minEntropy = entropy == null ? 0 : Double.parseDouble(entropy.spelling());
        } catch (NumberFormatException e) {
            throw new RuleFileException("entropy is a number");
        }
        return new ValueChecks(
                minEntropy,
                flag(entry, "mixed"),
                checksum == null ? null : Checksum.named(checksum),
                flag(entry, "strict"),
                flag(entry, "examples"));
    }

    private static List<String> checkedKeywords(List<String> keywords) {
        if (keywords.isEmpty()) {
            throw new RuleFileException("the pattern begins with no literal, so keywords are needed");
        }
        for (String keyword : keywords) {
            if (keyword.length() < MIN_KEYWORD || !keyword.chars().allMatch(c -> c >= ' ' && c < 0x7F)) {
                throw new RuleFileException("a keyword is at least " + MIN_KEYWORD + " characters of ASCII");
            }
        }
        return keywords;
    }

    private static List<String> lower(List<String> words) {
        return words.stream().map(word -> word.toLowerCase(Locale.ROOT)).toList();
    }

    private static String required(JsonValue entry, String member) {
        String value = entry.string(member);
        if (value == null || value.isEmpty()) {
            throw new RuleFileException("a rule has no " + member);
        }
        return value;
    }

    private static boolean flag(JsonValue entry, String member) {
        JsonValue value = entry.member(member);
        return value != null && value.is(JsonValue.Kind.TRUE);
    }

    private static List<JsonValue> elements(JsonValue entry, String member) {
        JsonValue value = entry.member(member);
        return value == null ? List.of() : value.elements();
    }

    private static List<String> strings(JsonValue entry, String member) {
        List<String> strings = new ArrayList<>();
        for (JsonValue element : elements(entry, member)) {
            if (!element.is(JsonValue.Kind.STRING)) {
                throw new RuleFileException(member + " is an array of strings");
            }
            strings.add(element.string());
        }
        return strings;
    }
}
