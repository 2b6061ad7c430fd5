package dev.postern.reference;

import dev.postern.json.JsonTokens;
import dev.postern.json.JsonTokens.Token;
import dev.postern.json.JsonValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The strings of a call that are one reference and stand where the tool takes only a scalar (R11). */
final class SchemaScalars {
    private SchemaScalars() {}

    /** The types admitted, by the offset of the string token; strings that stay strings are absent. */
    static Map<Integer, ScalarTypes> at(JsonValue arguments, List<Placement> placements, JsonValue inputSchema) {
        Map<Integer, ScalarTypes> scalars = new HashMap<>();
        InputSchema schema = new InputSchema(inputSchema);
        JsonTokens tokens = new JsonTokens(arguments);
        for (Placement placement : placements) {
            if (!placement.isWholeString()) {
                continue;
            }
            Token token = tokens.next();
            while (token != Token.END && tokens.start() != placement.token().start()) {
                token = tokens.next();
            }
            if (token != Token.STRING) {
                throw new IllegalArgumentException("a placement is out of order or outside the arguments");
            }
            Set<SchemaType> admitted = schema.admitted(path(tokens));
            boolean integer = admitted.contains(SchemaType.INTEGER);
            boolean number = admitted.contains(SchemaType.FRACTION);
            boolean bool = admitted.contains(SchemaType.BOOLEAN);
            if (!admitted.contains(SchemaType.STRING) && (integer || number || bool)) {
                scalars.put(placement.token().start(), new ScalarTypes(integer, number, bool));
            }
        }
        return scalars;
    }

    private static List<PathStep> path(JsonTokens tokens) {
        List<PathStep> path = new ArrayList<>(tokens.depth());
        for (int level = 0; level < tokens.depth(); level++) {
            path.add(
                    tokens.isObject(level)
                            ? new PathStep(tokens.name(level), -1)
                            : new PathStep(null, tokens.index(level)));
        }
        return path;
    }
}
