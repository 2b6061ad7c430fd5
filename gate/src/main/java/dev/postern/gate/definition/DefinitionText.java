package dev.postern.gate.definition;

import dev.postern.json.CanonicalJson;
import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;

/** The part of a tool's definition that a model acts on and a person decides about, as bytes to keep and text to read. */
final class DefinitionText {
    private static final List<String> MEMBERS =
            List.of("name", "title", "description", "inputSchema", "outputSchema", "annotations");

    private DefinitionText() {}

    /**
     * That part, in canonical form: equal bytes for the same definition, however it is written. A member that is there twice
     * stays there twice, since nobody knows which of the two a model is shown.
     */
    static byte[] essence(JsonValue definition) {
        ByteArrayOutputStream essence = new ByteArrayOutputStream();
        essence.write('{');
        definition.forEachMember((name, value) -> {
            if (MEMBERS.contains(name.string())) {
                if (essence.size() > 1) {
                    essence.write(',');
                }
                essence.writeBytes(name.bytes());
                essence.write(':');
                essence.writeBytes(value.bytes());
            }
        });
        essence.write('}');
        return CanonicalJson.of(JsonValue.parse(essence.toByteArray()));
    }

    static String hash(byte[] essence) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(essence));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /**
     * An essence for people: a member a block, the lines and sentences of a text apart, so that a difference stands on lines of
     * its own. A sentence that goes on a line is set in further than one that begins it, so that no two texts read the same.
     */
    static String readable(byte[] essence) {
        JsonValue root = JsonValue.parse(essence);
        StringBuilder text = new StringBuilder();
        for (String member : MEMBERS) {
            root.forEachMember((name, value) -> {
                if (name.string().equals(member)) {
                    member(text, member, value);
                }
            });
        }
        return text.toString();
    }

    private static void member(StringBuilder text, String name, JsonValue value) {
        text.append(name).append(":\n");
        if (value.is(JsonValue.Kind.STRING)) {
            for (String line : value.string().split("\n", -1)) {
                sentences(text, line);
            }
        } else {
            indent(text, value, 1);
            text.append('\n');
        }
    }

    private static void sentences(StringBuilder text, String line) {
        String indent = "  ";
        int start = 0;
        do {
            int stop = line.indexOf(". ", start);
            boolean isLast = stop < 0 || stop + 2 == line.length();
            int next = isLast ? line.length() : stop + 2;
            text.append(indent).append(line, start, isLast ? next : next - 1).append('\n');
            indent = "      ";
            start = next;
        } while (start < line.length());
    }

    private static void indent(StringBuilder text, JsonValue value, int depth) {
        text.append("  ".repeat(depth));
        write(text, value, depth);
    }

    private static void write(StringBuilder text, JsonValue value, int depth) {
        switch (value.kind()) {
            case OBJECT -> {
                text.append("{\n");
                int[] left = {count(value)};
                value.forEachMember((name, member) -> {
                    text.append("  ".repeat(depth + 1))
                            .append(JsonStrings.quote(name.string()))
                            .append(": ");
                    write(text, member, depth + 1);
                    text.append(--left[0] > 0 ? ",\n" : "\n");
                });
                text.append("  ".repeat(depth)).append('}');
            }
            case ARRAY -> {
                text.append("[\n");
                for (Iterator<JsonValue> elements = value.elements().iterator(); elements.hasNext(); ) {
                    indent(text, elements.next(), depth + 1);
                    text.append(elements.hasNext() ? ",\n" : "\n");
                }
                text.append("  ".repeat(depth)).append(']');
            }
            default -> text.append(value.spelling());
        }
    }

    private static int count(JsonValue object) {
        int[] count = {0};
        object.forEachMember((name, member) -> count[0]++);
        return count[0];
    }
}
