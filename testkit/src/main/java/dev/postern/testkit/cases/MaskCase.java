package dev.postern.testkit.cases;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.jr.ob.JSON;

/**
 * What masking makes of a text (D2 to D5).
 *
 * @param name what the case is about
 * @param rule the contract's rule
 * @param input the text
 * @param validJson the input is JSON, and so must the output be
 * @param mustContain what stays, or comes in
 * @param mustNotContain what goes
 * @param equal the whole output, or null if only the lists above say it
 */
public record MaskCase(
        String name,
        String rule,
        String input,
        boolean validJson,
        List<String> mustContain,
        List<String> mustNotContain,
        @Nullable String equal) {
    public MaskCase {
        mustContain = List.copyOf(mustContain);
        mustNotContain = List.copyOf(mustNotContain);
    }

    /** All cases of {@code mask.json}. */
    public static List<MaskCase> all() {
        return CaseFile.read("mask.json").stream().map(MaskCase::of).toList();
    }

    /** What is wrong with {@code output}, or an empty list. Quotes what was expected, never the output. */
    public List<String> complaints(String output) {
        List<String> complaints = new java.util.ArrayList<>();
        if (equal != null && !equal.equals(output)) {
            complaints.add("the text is not what it should be");
        }
        mustContain.stream().filter(part -> !output.contains(part)).forEach(part -> complaints.add("lost " + part));
        mustNotContain.stream().filter(output::contains).forEach(part -> complaints.add("kept " + part));
        if (validJson) {
            try {
                requireNonNull(JSON.std.anyFrom(output));
            } catch (RuntimeException e) {
                complaints.add("no longer JSON");
            }
        }
        return complaints;
    }

    private static MaskCase of(Map<String, Object> members) {
        return new MaskCase(
                CaseFile.string(members, "name"),
                CaseFile.string(members, "rule"),
                CaseFile.string(members, "input"),
                Boolean.TRUE.equals(members.get("validJson")),
                strings(members, "mustContain"),
                strings(members, "mustNotContain"),
                (String) members.get("equals"));
    }

    private static List<String> strings(Map<String, Object> members, String name) {
        Object strings = members.get(name);
        return strings == null
                ? List.of()
                : ((List<?>) strings).stream().map(String.class::cast).toList();
    }

    @Override
    public String toString() {
        return rule + " " + name;
    }
}
