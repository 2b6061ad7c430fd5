package dev.postern.mcp.catalog;

import dev.postern.json.JsonWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tools of ours, in the order in which they are listed. Immutable. */
public final class OwnTools {
    private final Map<String, OwnTool> tools = new LinkedHashMap<>();

    public OwnTools(List<? extends OwnTool> tools) {
        tools.forEach(tool -> this.tools.put(tool.name(), tool));
    }

    public @Nullable OwnTool find(String name) {
        return tools.get(name);
    }

    public List<byte[]> definitions() {
        List<byte[]> definitions = new ArrayList<>();
        tools.values().forEach(tool -> definitions.add(tool.definition()));
        return definitions;
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
