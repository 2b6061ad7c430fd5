package dev.postern.reference;

import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What types a tool's input schema admits at a place in the arguments (R11). Not a validator: it reads the keywords
 * that say what type may stand where ({@code type}, {@code enum}, {@code const}, {@code properties},
 * {@code additionalProperties}, {@code items}, {@code prefixItems}, {@code additionalItems}, {@code allOf},
 * {@code anyOf}, {@code oneOf} and {@code $ref} within the schema) and takes every other keyword to admit anything, so
 * that in doubt a string stays a string.
 *
 * <p>A schema comes from a server and may be built to hurt: each part of it is read once, visits, nesting and the
 * bytes read are bounded, a schema that refers to itself ends, and past a bound everything is admitted. Not
 * thread-safe; the bounds count for the life of the object.
 */
final class InputSchema {
    private static final int MAX_VISITS = 200_000;
    private static final int MAX_NESTING = 128;
    private static final long MAX_READ_BYTES = 64L << 20;

    private final JsonValue root;
    private final Map<Integer, SchemaNode> nodes = new HashMap<>();
    private final Map<String, @Nullable JsonValue> targets = new HashMap<>();
    private int visits;
    private long readBytes;

    InputSchema(JsonValue root) {
        this.root = root;
    }

    /** The types admitted at the end of {@code path}; empty if the schema contradicts itself there. */
    Set<SchemaType> admitted(List<PathStep> path) {
        return new Walk(path).admitted(root, 0, 0);
    }

    /** The members of an object by name; of several with one name the last, as most parsers have it. */
    static Map<String, JsonValue> readMembers(JsonValue object) {
        Map<String, JsonValue> members = new HashMap<>();
        object.forEachMember((name, value) -> members.put(name.string(), value));
        return members;
    }

    private SchemaNode node(JsonValue schema) {
        SchemaNode node = nodes.get(schema.start());
        if (node == null) {
            readBytes += schema.end() - schema.start();
            node = SchemaNode.of(schema);
            nodes.put(schema.start(), node);
        }
        return node;
    }

    /** What a {@code $ref} refers to, or null if it leads out of the schema or nowhere. */
    private @Nullable JsonValue target(String ref) {
        if (!targets.containsKey(ref)) {
            targets.put(ref, resolve(ref));
        }
        return targets.get(ref);
    }

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
            readBytes += target.end() - target.start();
            target = target.is(Kind.ARRAY) ? element(target, name) : target.member(name);
            if (target == null || readBytes > MAX_READ_BYTES) {
                return null;
            }
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
            boolean isBounded = nesting <= MAX_NESTING && ++visits <= MAX_VISITS && readBytes <= MAX_READ_BYTES;
            if (!schema.is(Kind.OBJECT) || !isBounded) {
                return anything();
            }
            Long key = (long) schema.start() << 32 | step;
            Set<SchemaType> known = answers.putIfAbsent(key, anything());
            if (known != null) {
                return known;
            }
            SchemaNode node = node(schema);
            Set<SchemaType> admitted = step == path.size() ? EnumSet.copyOf(node.types()) : below(node, step, nesting);
            JsonValue target = node.ref() == null ? null : target(node.ref());
            if (target != null) {
                admitted.retainAll(admitted(target, step, nesting + 1));
            }
            for (JsonValue part : node.all()) {
                admitted.retainAll(admitted(part, step, nesting + 1));
            }
            for (List<JsonValue> alternatives : node.alternatives()) {
                if (!alternatives.isEmpty()) {
                    admitted.retainAll(any(alternatives, step, nesting + 1));
                }
            }
            answers.put(key, admitted);
            return admitted;
        }

        private Set<SchemaType> any(List<JsonValue> alternatives, int step, int nesting) {
            Set<SchemaType> any = EnumSet.noneOf(SchemaType.class);
            for (JsonValue alternative : alternatives) {
                any.addAll(admitted(alternative, step, nesting));
            }
            return any;
        }

        /** What the schema admits through its members or elements; nothing if it is for values of another kind. */
        private Set<SchemaType> below(SchemaNode node, int step, int nesting) {
            PathStep taken = path.get(step);
            if (!node.types().contains(taken.name() != null ? SchemaType.OBJECT : SchemaType.ARRAY)) {
                return EnumSet.noneOf(SchemaType.class);
            }
            JsonValue child = node.below(taken);
            return child == null ? anything() : EnumSet.copyOf(admitted(child, step + 1, nesting + 1));
        }
    }
}
