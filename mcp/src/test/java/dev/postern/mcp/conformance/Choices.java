package dev.postern.mcp.conformance;

import java.util.List;
import java.util.Map;

/** The forms that the elicitation scenarios ask for. */
final class Choices {
    /** A default of every primitive type. */
    static final Map<String, Object> DEFAULTS = Map.of(
            "name", Map.of("type", "string", "default", "John Doe"),
            "age", Map.of("type", "integer", "default", 30),
            "score", Map.of("type", "number", "default", 95.5),
            "status", Map.of("type", "string", "enum", List.of("active", "inactive", "pending"), "default", "active"),
            "verified", Map.of("type", "boolean", "default", true));

    /** A choice of every kind. */
    static final Map<String, Object> ENUMS = Map.of(
            "untitledSingle", Map.of("type", "string", "enum", options()),
            "titledSingle", Map.of("type", "string", "oneOf", titled("Option")),
            "legacyEnum",
                    Map.of(
                            "type",
                            "string",
                            "enum",
                            List.of("opt1", "opt2", "opt3"),
                            "enumNames",
                            List.of("Option One", "Option Two", "Option Three")),
            "untitledMulti", Map.of("type", "array", "items", Map.of("type", "string", "enum", options())),
            "titledMulti", Map.of("type", "array", "items", Map.of("anyOf", titled("Choice"))));

    private Choices() {}

    private static List<String> options() {
        return List.of("option1", "option2", "option3");
    }

    private static List<Map<String, String>> titled(String what) {
        return List.of(
                Map.of("const", "value1", "title", "First " + what),
                Map.of("const", "value2", "title", "Second " + what),
                Map.of("const", "value3", "title", "Third " + what));
    }
}
