package dev.postern.testkit.cases;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a message, or of a plain text, that holds live values (S1 to S15).
 *
 * @param name what the case is about
 * @param rule the contract's rule
 * @param text whether {@code input} is plain text, not JSON
 * @param secrets the values of this call, made up for the case
 * @param remembered values of earlier calls
 * @param input what comes back from the server
 * @param expect what must come out of it, or null where the case says less
 * @param mustContain what must stand in the output
 * @param mustNotContain what must not
 * @param validJson whether the output must be valid JSON
 * @param expectFailure the code the message must be refused with, or null
 */
public record ScrubCase(
        String name,
        String rule,
        boolean text,
        List<Secret> secrets,
        List<Secret> remembered,
        String input,
        @Nullable String expect,
        List<String> mustContain,
        List<String> mustNotContain,
        boolean validJson,
        @Nullable String expectFailure) {

    /**
     * A made-up secret.
     *
     * @param reference as the agent wrote it
     * @param value what must not be seen
     */
    public record Secret(String reference, String value) {}

    public ScrubCase {
        secrets = List.copyOf(secrets);
        remembered = List.copyOf(remembered);
        mustContain = List.copyOf(mustContain);
        mustNotContain = List.copyOf(mustNotContain);
    }

    /** All cases of {@code scrub.json}. */
    public static List<ScrubCase> all() {
        return of("scrub.json");
    }

    /** All cases of a file of that shape. */
    public static List<ScrubCase> of(String file) {
        return CaseFile.read(file).stream().map(ScrubCase::of).toList();
    }

    private static ScrubCase of(Map<String, Object> members) {
        return new ScrubCase(
                CaseFile.string(members, "name"),
                CaseFile.string(members, "rule"),
                Boolean.TRUE.equals(members.get("text")),
                secrets(members.get("secrets")),
                secrets(members.get("remembered")),
                CaseFile.string(members, "input"),
                (String) members.get("expect"),
                strings(members.get("mustContain")),
                strings(members.get("mustNotContain")),
                Boolean.TRUE.equals(members.get("validJson")),
                (String) members.get("expectFailure"));
    }

    @SuppressWarnings("unchecked")
    private static List<Secret> secrets(@Nullable Object read) {
        return read == null
                ? List.of()
                : ((List<Map<String, Object>>) read)
                        .stream()
                                .map(secret -> new Secret(
                                        CaseFile.string(secret, "reference"), CaseFile.string(secret, "value")))
                                .toList();
    }

    private static List<String> strings(@Nullable Object read) {
        return read == null
                ? List.of()
                : ((List<?>) read).stream().map(String.class::cast).toList();
    }

    @Override
    public String toString() {
        return name;
    }
}
