package dev.postern.reference;

import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Puts values where references stand (step 10 of a call). One rewrite: what no reference covers keeps its exact bytes,
 * and a value is never looked at for references again (R9).
 */
public final class Substitution {
    /** What the arguments may measure with their values, in bytes; one reference can be written very often. */
    public static final int MAX_SUBSTITUTED_BYTES = 16 << 20;

    private Substitution() {}

    /**
     * The bytes of {@code arguments} with values for references. They hold secrets: the caller wipes them when they
     * are sent. The values stay the caller's too.
     *
     * @param placements as {@link ReferenceFinder#find} gave them for the same arguments
     * @param values the value to place for a reference, its filters applied (see {@link Filters#apply}); asked once
     *     for each distinct reference
     * @param inputSchema the tool's, or null; where it admits only an integer, number or boolean, a string that is one
     *     reference is replaced by that scalar (R11)
     * @throws ReferenceException if a value is no text, is not the scalar that the schema asks for, or if all grows too
     *     large
     */
    public static byte[] substitute(
            JsonValue arguments,
            List<Placement> placements,
            Function<Reference, SecretValue> values,
            @Nullable JsonValue inputSchema) {
        Map<Integer, ScalarTypes> scalars =
                inputSchema == null ? Map.of() : SchemaScalars.at(arguments, placements, inputSchema);
        Map<Reference, byte[]> escaped = new HashMap<>();
        try {
            List<Edit> edits = new ArrayList<>(placements.size());
            long size = (long) arguments.end() - arguments.start();
            int last = arguments.start();
            for (Placement placement : placements) {
                if (placement.start() < last || placement.end() > arguments.end()) {
                    throw new IllegalArgumentException("a placement is out of order or outside the arguments");
                }
                last = placement.end();
                byte[] value = escaped.get(placement.reference());
                if (value == null) {
                    value = escaped(values.apply(placement.reference()), placement);
                    escaped.put(placement.reference(), value);
                }
                ScalarTypes types = scalars.get(placement.token().start());
                Edit edit = types == null
                        ? new Edit(placement.start(), placement.end(), value, value.length)
                        : scalar(placement, types, value);
                edits.add(edit);
                size += edit.length - (edit.end - edit.start);
            }
            if (size > MAX_SUBSTITUTED_BYTES) {
                throw new ReferenceException("the arguments grow too large with their values");
            }
            return rewrite(arguments, edits, (int) size);
        } finally {
            escaped.values().forEach(value -> Arrays.fill(value, (byte) 0));
        }
    }

    private static byte[] escaped(SecretValue value, Placement placement) {
        byte[] bytes = value.reveal(Reveal.TO_DELIVER);
        try {
            if (!Utf8.isValid(bytes)) {
                throw new ReferenceException("the value is not UTF-8 text; a filter such as base64 makes it so")
                        .within(placement);
            }
            return JsonStrings.escape(bytes);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /** A scalar takes the place of the whole string token. No character of one is ever escaped. */
    private static Edit scalar(Placement placement, ScalarTypes types, byte[] value) {
        int length = types.spelledLength(value);
        if (length < 0) {
            throw new ReferenceException(types.refusal()).within(placement);
        }
        return new Edit(placement.token().start(), placement.token().end(), value, length);
    }

    private static byte[] rewrite(JsonValue arguments, List<Edit> edits, int size) {
        byte[] source = arguments.text();
        byte[] result = new byte[size];
        int from = arguments.start();
        int to = 0;
        for (Edit edit : edits) {
            System.arraycopy(source, from, result, to, edit.start - from);
            to += edit.start - from;
            System.arraycopy(edit.value, 0, result, to, edit.length);
            to += edit.length;
            from = edit.end;
        }
        System.arraycopy(source, from, result, to, arguments.end() - from);
        return result;
    }

    /** Not a record: a record would show the value in toString. */
    private static final class Edit {
        private final int start;
        private final int end;
        private final byte[] value;
        private final int length;

        Edit(int start, int end, byte[] value, int length) {
            this.start = start;
            this.end = end;
            this.value = value;
            this.length = length;
        }
    }
}
