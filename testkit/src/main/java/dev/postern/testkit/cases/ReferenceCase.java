package dev.postern.testkit.cases;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the references in a call's arguments are, or that they refuse the call (R1 to R7).
 *
 * @param name what the case is about
 * @param input the arguments as JSON text
 * @param references expected, each as JSON Pointer, a space and the canonical reference, in document order; empty with
 *     a refusal
 * @param refusal the expected code, or null
 */
public record ReferenceCase(
        String name,
        String input,
        List<String> references,
        @Nullable String refusal) {
    public ReferenceCase {
        references = List.copyOf(references);
    }

    /** All cases of {@code references.json}. */
    public static List<ReferenceCase> all() {
        return CaseFile.read("references.json").stream().map(ReferenceCase::of).toList();
    }

    private static ReferenceCase of(Map<String, Object> members) {
        Object references = members.get("references");
        return new ReferenceCase(
                CaseFile.string(members, "name"),
                CaseFile.string(members, "input"),
                references == null
                        ? List.of()
                        : ((List<?>) references)
                                .stream().map(String.class::cast).toList(),
                (String) members.get("refusal"));
    }

    @Override
    public String toString() {
        return name;
    }
}
