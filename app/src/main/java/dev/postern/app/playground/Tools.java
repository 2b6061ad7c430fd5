package dev.postern.app.playground;

import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The playground's tools. Each gives a JSON string token to answer with. */
final class Tools {
    static final Set<String> NAMES = Set.of("echo", "sha256", "note_write", "note_read");

    static final List<Map<String, Object>> DEFINITIONS = List.of(
            definition("echo", "Answers with the text it was given.", Map.of("text", "What to answer.")),
            definition(
                    "sha256",
                    "Answers with the SHA-256 of the text it was given, in hex.",
                    Map.of("text", "What to hash; its UTF-8 bytes are.")),
            definition(
                    "note_write",
                    "Keeps a note in memory under a name.",
                    ordered("name", "The note's name.", "text", "What it says.")),
            definition("note_read", "Answers with a note that was kept.", Map.of("name", "The note's name.")));

    /** Enough to play with; the oldest note makes room. */
    private static final int MAX_NOTES = 100;

    private final Map<String, byte[]> notes = Collections.synchronizedMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, byte[]> eldest) {
            return size() > MAX_NOTES;
        }
    });

    /**
     * Calls a tool.
     *
     * @throws IllegalArgumentException with a sentence for the agent
     */
    byte[] call(String tool, @Nullable JsonValue arguments) {
        return switch (tool) {
            case "echo" -> Playground.text(arguments, "text").bytes();
            case "sha256" -> sha256(Playground.text(arguments, "text"));
            case "note_write" -> {
                String name = hash(Playground.text(arguments, "name"));
                notes.put(name, Playground.text(arguments, "text").bytes());
                yield JsonWriter.write("The note is kept.");
            }
            case "note_read" -> {
                byte[] note = notes.get(hash(Playground.text(arguments, "name")));
                if (note == null) {
                    throw new IllegalArgumentException("there is no note of that name");
                }
                yield note;
            }
            default -> throw new IllegalArgumentException("the playground has no such tool");
        };
    }

    private static byte[] sha256(JsonValue text) {
        return JsonWriter.write(hash(text));
    }

    private static String hash(JsonValue text) {
        try {
            byte[] utf8 = JsonStrings.unescape(text);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(utf8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static Map<String, Object> definition(String name, String description, Map<String, String> parameters) {
        Map<String, Object> properties = new LinkedHashMap<>();
        parameters.forEach(
                (parameter, says) -> properties.put(parameter, ordered("type", "string", "description", says)));
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put("required", List.copyOf(parameters.keySet()));
        Map<String, Object> definition = new LinkedHashMap<>();
        definition.put("name", name);
        definition.put("description", description);
        definition.put("inputSchema", schema);
        return definition;
    }

    private static Map<String, String> ordered(String name, String value, String second, String secondValue) {
        Map<String, String> map = new LinkedHashMap<>();
        map.put(name, value);
        map.put(second, secondValue);
        return map;
    }
}
