package dev.postern.reference;

import java.util.EnumSet;
import java.util.Set;

/** The types of JSON Schema, made disjoint: a number is an {@link #INTEGER} or a {@link #FRACTION}. */
enum SchemaType {
    STRING,
    INTEGER,
    FRACTION,
    BOOLEAN,
    NULL,
    OBJECT,
    ARRAY;

    /** The types meant by a value of the {@code type} keyword; none if it names no type. */
    static Set<SchemaType> named(String type) {
        return switch (type) {
            case "string" -> EnumSet.of(STRING);
            case "integer" -> EnumSet.of(INTEGER);
            case "number" -> EnumSet.of(INTEGER, FRACTION);
            case "boolean" -> EnumSet.of(BOOLEAN);
            case "null" -> EnumSet.of(NULL);
            case "object" -> EnumSet.of(OBJECT);
            case "array" -> EnumSet.of(ARRAY);
            default -> EnumSet.noneOf(SchemaType.class);
        };
    }
}
