package dev.postern.reference;

import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one schema object says about types, read once.
 *
 * @param types what the keywords for type, enum and constant admit together
 * @param ref the target of {@code $ref} as written, or null
 * @param all the parts of {@code allOf}
 * @param alternatives the parts of {@code anyOf} and of {@code oneOf}, as far as there are any
 * @param properties by name
 * @param otherProperties what a member not named there must be, or null if nothing is known
 * @param firstItems what the first elements must be, one by one
 * @param otherItems what the elements after those must be, or null if nothing is known
 */
record SchemaNode(
        Set<SchemaType> types,
        @Nullable String ref,
        List<JsonValue> all,
        List<List<JsonValue>> alternatives,
        Map<String, JsonValue> properties,
        @Nullable JsonValue otherProperties,
        List<JsonValue> firstItems,
        @Nullable JsonValue otherItems) {

    private static final ScalarTypes INTEGER = new ScalarTypes(true, false, false);

    static SchemaNode of(JsonValue schema) {
        Map<String, JsonValue> keywords = InputSchema.readMembers(schema);
        JsonValue ref = keywords.get("$ref");
        JsonValue items = keywords.get("items");
        JsonValue properties = keywords.get("properties");
        // Drafts before 2020-12 write a tuple as an array of items.
        boolean tuple = items != null && items.is(Kind.ARRAY);
        return new SchemaNode(
                types(keywords),
                ref != null && ref.is(Kind.STRING) ? ref.string() : null,
                elements(keywords.get("allOf")),
                List.of(elements(keywords.get("anyOf")), elements(keywords.get("oneOf"))),
                properties == null ? Map.of() : InputSchema.readMembers(properties),
                // A pattern might match any name; patterns of a stranger are not run (S12).
                keywords.containsKey("patternProperties") ? null : keywords.get("additionalProperties"),
                elements(tuple ? items : keywords.get("prefixItems")),
                tuple ? keywords.get("additionalItems") : items);
    }

    /** The schema of a member or an element, or null if nothing is known of it. */
    @Nullable
    JsonValue below(PathStep step) {
        String name = step.name();
        if (name != null) {
            JsonValue named = properties.get(name);
            return named != null ? named : otherProperties;
        }
        return step.index() < firstItems.size() ? firstItems.get(step.index()) : otherItems;
    }

    private static Set<SchemaType> types(Map<String, JsonValue> keywords) {
        Set<SchemaType> types = EnumSet.allOf(SchemaType.class);
        JsonValue type = keywords.get("type");
        if (type != null) {
            types.retainAll(named(type));
        }
        JsonValue listed = keywords.get("enum");
        if (listed != null && listed.is(Kind.ARRAY)) {
            Set<SchemaType> any = EnumSet.noneOf(SchemaType.class);
            listed.elements().forEach(value -> any.add(typeOf(value)));
            types.retainAll(any);
        }
        JsonValue constant = keywords.get("const");
        if (constant != null) {
            types.retainAll(EnumSet.of(typeOf(constant)));
        }
        return types;
    }

    private static Set<SchemaType> named(JsonValue type) {
        if (type.is(Kind.STRING)) {
            return SchemaType.named(type.string());
        }
        if (!type.is(Kind.ARRAY)) {
            return EnumSet.allOf(SchemaType.class);
        }
        Set<SchemaType> any = EnumSet.noneOf(SchemaType.class);
        for (JsonValue name : type.elements()) {
            if (name.is(Kind.STRING)) {
                any.addAll(SchemaType.named(name.string()));
            }
        }
        return any;
    }

    private static SchemaType typeOf(JsonValue value) {
        return switch (value.kind()) {
            case OBJECT -> SchemaType.OBJECT;
            case ARRAY -> SchemaType.ARRAY;
            case STRING -> SchemaType.STRING;
            case TRUE, FALSE -> SchemaType.BOOLEAN;
            case NULL -> SchemaType.NULL;
            case NUMBER -> INTEGER.spelledLength(value.bytes()) >= 0 ? SchemaType.INTEGER : SchemaType.FRACTION;
        };
    }

    private static List<JsonValue> elements(@Nullable JsonValue array) {
        return array == null ? List.of() : array.elements();
    }
}
