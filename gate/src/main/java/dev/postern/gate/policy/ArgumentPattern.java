package dev.postern.gate.policy;

import dev.postern.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * What an argument must look like: every value that the pointer leads to matches one of the texts, and there is one at
 * least. Texts, numbers and booleans have a spelling that can match; what holds other values, and null, never do. A member
 * that stands twice is looked at twice, and one whose name differs in case alone is looked at as well, since tools differ
 * about which of them counts.
 *
 * @param pointer a JSON Pointer in which {@code *} leads to every member and element
 * @param texts one of these matches
 */
record ArgumentPattern(String pointer, List<Glob> texts) {
    static final String ANY = "*";

    ArgumentPattern {
        texts = List.copyOf(texts);
    }

    /** Whether arguments have it. References are matched as the agent wrote them. */
    boolean matches(JsonValue arguments) {
        return !reached(arguments, String::equals).isEmpty()
                && reached(arguments, String::equalsIgnoreCase).stream().allMatch(this::matchesOne);
    }

    /** What the pointer leads to, where members are told by their names like that. */
    private List<JsonValue> reached(JsonValue arguments, BiPredicate<String, String> isNamed) {
        List<JsonValue> here = List.of(arguments);
        for (String step : pointer.substring(1).split("/", -1)) {
            List<JsonValue> next = new ArrayList<>();
            for (JsonValue value : here) {
                collect(value, step, isNamed, next);
            }
            here = next;
        }
        return here;
    }

    private static void collect(
            JsonValue value, String step, BiPredicate<String, String> isNamed, List<JsonValue> into) {
        String name = step.replace("~1", "/").replace("~0", "~");
        switch (value.kind()) {
            case OBJECT ->
                value.forEachMember((key, member) -> {
                    if (step.equals(ANY) || isNamed.test(key.string(), name)) {
                        into.add(member);
                    }
                });
            case ARRAY -> {
                List<JsonValue> elements = value.elements();
                for (int i = 0; i < elements.size(); i++) {
                    if (step.equals(ANY) || step.equals(Integer.toString(i))) {
                        into.add(elements.get(i));
                    }
                }
            }
            default -> {
                // It leads nowhere.
            }
        }
    }

    private boolean matchesOne(JsonValue value) {
        return switch (value.kind()) {
            case STRING -> matches(value.string());
            case NUMBER, TRUE, FALSE -> matches(value.spelling());
            case OBJECT, ARRAY, NULL -> false;
        };
    }

    private boolean matches(String text) {
        return texts.stream().anyMatch(glob -> glob.matches(text));
    }
}
