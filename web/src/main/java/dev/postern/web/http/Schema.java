package dev.postern.web.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The shape of a JSON document, as OpenAPI 3.1 writes it: JSON Schema 2020-12. Immutable. */
public final class Schema {
    private final Map<String, Object> document;

    private Schema(Map<String, Object> document) {
        this.document = document;
    }

    /** Text. */
    public static Schema text(String description) {
        return of("string", description);
    }

    /** Text of one of these. */
    public static Schema oneOf(String description, String... choices) {
        return text(description).and("enum", List.of(choices));
    }

    /** A moment, as RFC 3339 writes it. */
    public static Schema instant(String description) {
        return text(description).and("format", "date-time");
    }

    /** What goes in and never comes out. */
    public static Schema secret(String description) {
        return text(description).and("writeOnly", true).and("format", "password");
    }

    public static Schema number(String description) {
        return of("integer", description);
    }

    public static Schema flag(String description) {
        return of("boolean", description);
    }

    /** Any JSON. */
    public static Schema any(String description) {
        return new Schema(Map.of("description", description));
    }

    public static Schema list(Schema items) {
        return new Schema(ordered("type", "array", "items", items.document));
    }

    /** An object whose members are all of one shape. */
    public static Schema map(String description, Schema values) {
        return of("object", description).and("additionalProperties", values.document);
    }

    /** An object; members are added by {@link #with} and {@link #optional}. */
    public static Schema object() {
        return new Schema(ordered("type", "object"));
    }

    /** An object with a member that is always there. */
    public Schema with(String name, Schema member) {
        List<Object> required = new ArrayList<>();
        if (document.get("required") instanceof List<?> before) {
            required.addAll(before);
        }
        required.add(name);
        return optional(name, member).and("required", List.copyOf(required));
    }

    /** An object with a member that may be missing. */
    public Schema optional(String name, Schema member) {
        Map<String, Object> properties = new LinkedHashMap<>();
        if (document.get("properties") instanceof Map<?, ?> before) {
            before.forEach((key, value) -> properties.put(String.valueOf(key), value));
        }
        properties.put(name, member.document);
        return and("properties", properties);
    }

    /** The same, where null may stand for it. */
    public Schema orNull() {
        Object type = document.get("type");
        return type == null ? this : and("type", List.of(type, "null"));
    }

    /** What the OpenAPI document holds. */
    public Map<String, Object> document() {
        return document;
    }

    private static Schema of(String type, String description) {
        return new Schema(ordered("type", type, "description", description));
    }

    private Schema and(String keyword, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(document);
        more.put(keyword, value);
        return new Schema(more);
    }

    private static Map<String, Object> ordered(Object... keysAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put(String.valueOf(keysAndValues[i]), keysAndValues[i + 1]);
        }
        return map;
    }
}
