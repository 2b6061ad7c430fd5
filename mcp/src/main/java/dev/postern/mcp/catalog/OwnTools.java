package dev.postern.mcp.catalog;

import static java.util.Objects.requireNonNull;

import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Refusal;
import dev.postern.gate.call.RefusedException;
import dev.postern.gate.call.ToolDefinition;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tools of ours, in the order in which they are listed. Immutable. */
public final class OwnTools {
    /** Code and start of what an agent is told about arguments that a tool of ours does not take. */
    private static final String INVALID = "INVALID_ARGS";

    private final Map<String, OwnTool> tools = new LinkedHashMap<>();
    private final Map<String, ToolDefinition> definitions = new HashMap<>();

    public OwnTools(List<? extends OwnTool> tools) {
        tools.forEach(tool -> {
            this.tools.put(tool.name(), tool);
            definitions.put(tool.name(), ToolDefinition.of(JsonValue.parse(tool.definition())));
        });
    }

    public @Nullable OwnTool find(String name) {
        return tools.get(name);
    }

    /** The definition of one of these tools. */
    public ToolDefinition definition(OwnTool tool) {
        return requireNonNull(definitions.get(tool.name()));
    }

    public List<byte[]> definitions() {
        List<byte[]> definitions = new ArrayList<>();
        tools.values().forEach(tool -> definitions.add(tool.definition()));
        return definitions;
    }

    /**
     * Refuses a call whose arguments a tool of ours does not take, before anyone is asked.
     *
     * @param what one sentence without its full stop; quotes nothing the agent wrote
     * @param next what to do, without its full stop
     */
    public static RefusedException invalid(String what, String next) {
        return new RefusedException(new Refusal(INVALID, Disposition.FAILED, false, what, next, Map.of()));
    }

    /** Refuses arguments that are no object, or have a member twice or one that the tool does not know. */
    public static void onlyKnown(JsonValue arguments, List<String> known) {
        if (!arguments.is(JsonValue.Kind.OBJECT)) {
            throw invalid("the arguments are no object", "Send an object with " + String.join(", ", known));
        }
        Set<String> seen = new HashSet<>();
        arguments.forEachMember((name, value) -> {
            if (!known.contains(name.string())) {
                throw invalid(
                        "there is an argument that this tool does not take", "It takes " + String.join(", ", known));
            }
            if (!seen.add(name.string())) {
                throw invalid("the argument '" + name.string() + "' is there twice", "Send it once");
            }
        });
    }

    /** A {@code tools/call} result of one text block. */
    public static byte[] text(String text, boolean isError) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("content", List.of(Map.of("type", "text", "text", text)));
        if (isError) {
            result.put("isError", true);
        }
        return JsonWriter.write(result);
    }
}
