package dev.postern.mcp.catalog;

import dev.postern.gate.call.ToolDefinition;
import dev.postern.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One server's tools as it last listed them, after scrubbing (P5, R11). Thread-safe. */
public final class Definitions {
    private final ConcurrentHashMap<String, JsonValue> tools = new ConcurrentHashMap<>();
    private final BiConsumer<String, JsonValue> listener;
    private volatile boolean listed;

    /**
     * Definitions of a server that was not listed yet.
     *
     * @param listener is told each tool and its definition as it is learnt
     */
    public Definitions(BiConsumer<String, JsonValue> listener) {
        this.listener = listener;
    }

    public Definitions() {
        this((tool, definition) -> {});
    }

    /** Takes note of one page of a {@code tools/list} result, as an agent was given it. */
    public void learn(@Nullable JsonValue result) {
        Listing page = new Listing();
        page.add(result);
        page.learn();
    }

    /**
     * A list that is read as a whole, page by page. A tool that it defines twice over, on one page or on several, is defined by
     * both: nobody knows which of them a model is shown, and none may go by as the other. Not thread-safe.
     */
    public final class Listing {
        private final Map<String, List<JsonValue>> named = new LinkedHashMap<>();

        /** Takes a page in; nothing is learnt from it yet. */
        public void add(@Nullable JsonValue result) {
            JsonValue page = result == null ? null : result.member("tools");
            if (page == null) {
                return;
            }
            for (JsonValue tool : page.elements()) {
                String name = tool.string("name");
                if (name != null) {
                    named.computeIfAbsent(name, first -> new ArrayList<>(1)).add(tool);
                }
            }
        }

        /** Learns the tools of all pages that were taken in. */
        public void learn() {
            named.forEach((name, definitions) -> {
                JsonValue tool = together(definitions);
                tools.put(name, tool);
                listener.accept(name, tool);
            });
        }
    }

    /** The members of all of them in one object, where they differ. */
    private static JsonValue together(List<JsonValue> definitions) {
        byte[] first = definitions.getFirst().bytes();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(first, 0, first.length - 1);
        boolean differ = false;
        for (JsonValue other : definitions.subList(1, definitions.size())) {
            byte[] bytes = other.bytes();
            if (!Arrays.equals(bytes, first)) {
                differ = true;
                all.write(',');
                all.write(bytes, 1, bytes.length - 2);
            }
        }
        all.write('}');
        return differ ? JsonValue.parse(all.toByteArray()) : definitions.getFirst();
    }

    /** Every page has been learnt. */
    public void complete() {
        listed = true;
    }

    /** Whether every page has been learnt since the last {@link #forget()}. */
    public boolean isComplete() {
        return listed;
    }

    /** The server started anew or said that its tools changed. */
    public void forget() {
        listed = false;
        tools.clear();
    }

    /** A tool's definition; null if it was not listed. */
    public @Nullable ToolDefinition find(String tool) {
        JsonValue definition = tools.get(tool);
        return definition == null ? null : ToolDefinition.of(definition);
    }

    /** The schema of a tool's arguments; null if it has none or was not listed. */
    public @Nullable JsonValue inputSchema(String tool) {
        JsonValue definition = tools.get(tool);
        return definition == null ? null : definition.member("inputSchema");
    }

    /** Whether the tool is known to be called so. */
    public boolean contains(String tool) {
        return tools.containsKey(tool);
    }

    /** The first tool whose name passes; null if none does. */
    public @Nullable String named(Predicate<String> test) {
        return tools.keySet().stream().filter(test).findFirst().orElse(null);
    }
}
