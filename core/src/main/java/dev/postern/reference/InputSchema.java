package dev.postern.reference;

import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What types a tool's input schema admits at a place in the arguments (R11). Not a validator: it reads the keywords
 * that say what type may stand where ({@code type}, {@code enum}, {@code const}, {@code properties},
 * {@code additionalProperties}, {@code items}, {@code prefixItems}, {@code additionalItems}, {@code allOf},
 * {@code anyOf}, {@code oneOf} and {@code $ref} within the schema) and takes every other keyword to admit anything, so
 * that in doubt a string stays a string. Patterns of {@code patternProperties} are never run.
 *
 * <p>A schema comes from a server and may be built to hurt: visits, the depth of nesting and the bytes read are
 * bounded, a schema that refers to itself ends, and past a bound everything is admitted. Not thread-safe; the bounds
 * count for the life of the object.
 */
final class InputSchema {
    private static final int MAX_VISITS = 200_000;
    private static final int MAX_NESTING = 128;
    private static final long MAX_READ_BYTES = 64L << 20;

    private static final ScalarTypes INTEGER = new ScalarTypes(true, false, false);

    private final JsonValue root;
    private final Map<Integer, Map<String, JsonValue>> members = new HashMap<>();
    private int visits;
    private long readBytes;

    InputSchema(JsonValue root) {
        this.root = root;
    }

    /** The types admitted at the end of {@code path}; empty if the schema contradicts itself there. */
    Set<SchemaType> admitted(List<PathStep> path) {
        return new Walk(path).admitted(root, 0, 0);
    }

    private Map<String, JsonValue> members(JsonValue object) {
        return members.computeIfAbsent(object.start(), start -> {
            readBytes += object.end() - object.start();
            Map<String, JsonValue> read = new LinkedHashMap<>();
            object.forEachMember((name, value) -> read.put(name.string(), value));
            return read;
        });
    }

    /** What {@code $ref} refers to, or null if it leads out of the schema or nowhere. */
    private @Nullable JsonValue resolve(String ref) {
        if (ref.equals("#")) {
            return root;
        }
        if (!ref.startsWith("#/")) {
            return null;
        }
        JsonValue target = root;
        for (String token : decodePercent(ref.substring(2)).split("/", -1)) {
            String name = token.replace("~1", "/").replace("~0", "~");
            JsonValue next = target.is(Kind.ARRAY)
                    ? element(target, name)
                    : members(target).get(name);
            if (next == null) {
                return null;
            }
            target = next;
        }
        return target;
    }

    private static String decodePercent(String fragment) {
        try {
            return URLDecoder.decode(fragment.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return fragment;
        }
    }

    private static @Nullable JsonValue element(JsonValue array, String index) {
        if (index.isEmpty() || index.length() > 6 || !index.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return null;
        }
        List<JsonValue> elements = array.elements();
        int at = Integer.parseInt(index);
        return at < elements.size() ? elements.get(at) : null;
    }

    private static Set<SchemaType> anything() {
        return EnumSet.allOf(SchemaType.class);
    }

    /** One question to the schema. */
    private final class Walk {
        private final List<PathStep> path;

        /** By schema and position in the path. A schema that is met again before it is answered admits anything. */
        private final Map<Long, Set<SchemaType>> answers = new HashMap<>();

        Walk(List<PathStep> path) {
            this.path = path;
        }

        /** What {@code schema}, which applies at step {@code step} of the path, admits at the path's end. */
        Set<SchemaType> admitted(JsonValue schema, int step, int nesting) {
            if (schema.is(Kind.FALSE)) {
                return EnumSet.noneOf(SchemaType.class);
            }
            if (!schema.is(Kind.OBJECT)
                    || nesting > MAX_NESTING
                    || ++visits > MAX_VISITS
                    || readBytes > MAX_READ_BYTES) {
                return anything();
            }
            Long key = (long) schema.start() << 32 | step;
            Set<SchemaType> known = answers.putIfAbsent(key, anything());
            if (known != null) {
                return known;
            }
            Map<String, JsonValue> keywords = members(schema);
            Set<SchemaType> own = ownTypes(keywords);
            if (step < path.size()) {
                boolean inObject = path.get(step).name() != null;
                own = own.contains(inObject ? SchemaType.OBJECT : SchemaType.ARRAY)
                        ? below(keywords, step, nesting)
                        : EnumSet.noneOf(SchemaType.class);
            }
            Set<SchemaType> admitted = EnumSet.copyOf(own);
            JsonValue ref = keywords.get("$ref");
            JsonValue target = ref != null && ref.is(Kind.STRING) ? resolve(ref.string()) : null;
            if (target != null) {
                admitted.retainAll(admitted(target, step, nesting + 1));
            }
            for (JsonValue part : elements(keywords.get("allOf"))) {
                admitted.retainAll(admitted(part, step, nesting + 1));
            }
            retainAny(admitted, keywords.get("anyOf"), step, nesting);
            retainAny(admitted, keywords.get("oneOf"), step, nesting);
            answers.put(key, admitted);
            return admitted;
        }

        private void retainAny(Set<SchemaType> admitted, @Nullable JsonValue alternatives, int step, int nesting) {
            List<JsonValue> parts = elements(alternatives);
            if (parts.isEmpty()) {
                return;
            }
            Set<SchemaType> any = EnumSet.noneOf(SchemaType.class);
            for (JsonValue part : parts) {
                any.addAll(admitted(part, step, nesting + 1));
            }
            admitted.retainAll(any);
        }

        /** What the schemas that apply one step down the path admit. */
        private Set<SchemaType> below(Map<String, JsonValue> keywords, int step, int nesting) {
            PathStep taken = path.get(step);
            JsonValue child = taken.name() != null
                    ? memberSchema(keywords, taken.name())
                    : elementSchema(keywords, taken.index());
            return child == null ? anything() : admitted(child, step + 1, nesting + 1);
        }
    }

    private static Set<SchemaType> ownTypes(Map<String, JsonValue> keywords) {
        Set<SchemaType> types = anything();
        JsonValue type = keywords.get("type");
        if (type != null && type.is(Kind.STRING)) {
            types.retainAll(SchemaType.named(type.string()));
        } else if (type != null && type.is(Kind.ARRAY)) {
            Set<SchemaType> any = EnumSet.noneOf(SchemaType.class);
            for (JsonValue name : type.elements()) {
                if (name.is(Kind.STRING)) {
                    any.addAll(SchemaType.named(name.string()));
                }
            }
            types.retainAll(any);
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

    private @Nullable JsonValue memberSchema(Map<String, JsonValue> keywords, String name) {
        JsonValue properties = keywords.get("properties");
        JsonValue named = properties == null ? null : members(properties).get(name);
        if (named != null || keywords.containsKey("patternProperties")) {
            return named;
        }
        return keywords.get("additionalProperties");
    }

    private @Nullable JsonValue elementSchema(Map<String, JsonValue> keywords, int index) {
        JsonValue items = keywords.get("items");
        boolean tuple = items != null && items.is(Kind.ARRAY);
        List<JsonValue> first = elements(tuple ? items : keywords.get("prefixItems"));
        if (index < first.size()) {
            return first.get(index);
        }
        return tuple ? keywords.get("additionalItems") : items;
    }

    private static List<JsonValue> elements(@Nullable JsonValue array) {
        return array == null ? List.of() : array.elements();
    }
}
